"""Draws the picture of README.md from the outputs of the exported four-bar linkage: draw_four_bar.py FMU SVG.

Left the linkage during its first swing with the path of the coupler's middle, right the load of the ground pin and the
closure error over the whole run. The picture is drawn in plain SVG, so that it needs nothing but FMPy."""

import math
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from fmpy.model_description import read_model_description
from fmpy.simulation import simulate_fmu

OUTPUTS = ["theta1", "theta2", "theta3", "der(theta1)", "coupler_x", "coupler_y", "pin_load",
           "solver.position_violation"]

Point = tuple[float, float]
Row = Mapping[str, Any]  # returns all outputs at one time

INK, GREY, PALE, RED, BLUE = "#1b2a41", "#6b7a90", "#c3ccd9", "#c2410c", "#1d4ed8"
WIDTH, HEIGHT = 900, 380
STYLE = f"""
    text {{ font: 13px Helvetica, Arial, sans-serif; fill: {INK}; }}
    .small {{ font-size: 11px; fill: {GREY}; }}
    polyline, line {{ fill: none; stroke-linecap: round; stroke-linejoin: round; }}
  """


def line_through(points: Iterable[Point], color: str, width: float, attributes: str = "") -> str:
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{text}" stroke="{color}" stroke-width="{width}"{attributes and " " + attributes}/>'


def words(x: float, y: float, text: str, attributes: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes and " " + attributes}>{text}</text>'


def parameters(fmu: str) -> dict[str, float]:
    """Returns start values of the lengths, by name."""
    description = read_model_description(fmu, validate=False)
    return {v.name: float(v.start) for v in description.modelVariables if v.name in ("l1", "l2", "l3", "a", "b")}


def pins(row: Row, p: dict[str, float]) -> list[Point]:
    """Returns O, B, C, A: the ends of crank, coupler and rocker."""
    points = [(0.0, 0.0)]
    for length, angle in zip((p["l1"], p["l2"], p["l3"]), (row["theta1"], row["theta2"], row["theta3"])):
        x, y = points[-1]
        points.append((x + length * math.cos(angle), y + length * math.sin(angle)))
    return points


def first_swing(rows: list[Row]) -> list[Row]:
    """Returns the samples from the first turning point of the crank to the next."""
    turns = [i for i in range(1, len(rows)) if rows[i - 1]["der(theta1)"] * rows[i]["der(theta1)"] < 0]
    return rows[turns[0]:turns[1] + 1]


def linkage(rows: list[Row], p: dict[str, float]) -> list[str]:
    scale, left, base = 88, 115, 238

    def place(point: Point) -> Point:
        return left + scale * point[0], base - scale * point[1]

    swing = first_swing(rows)
    shown = swing[::12] + swing[-1:]
    picture = [line_through([place(point) for point in pins(row, p)], PALE, 2) for row in shown]
    picture.append(line_through([place((row["coupler_x"], row["coupler_y"])) for row in swing], BLUE, 2))
    now = [place(point) for point in pins(swing[0], p)]
    picture.append(line_through(now, INK, 6))
    picture += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="#fff" stroke="{INK}" stroke-width="2"/>'
                for x, y in now]
    for (x, y), name in zip((now[0], now[-1]), "OA"):
        picture.append(f'<path d="M{x - 14:.1f} {y + 18:.1f}L{x:.1f} {y + 5:.1f}L{x + 14:.1f} {y + 18:.1f}z" '
                       f'fill="none" stroke="{INK}" stroke-width="1.5"/>')
        picture.append(words(x - 4, y + 33, name))
    seconds = swing[-1]["time"] - swing[0]["time"]
    picture.append(words(20, 28, f"One swing, {seconds:.2f} s: a position every 0.12 s"))
    middle = place((swing[0]["coupler_x"], swing[0]["coupler_y"]))
    picture.append(f'<circle cx="{middle[0]:.1f}" cy="{middle[1]:.1f}" r="4" fill="{BLUE}"/>')
    picture.append(words(20, 46, "blue: path of the coupler's middle", 'class="small"'))
    return picture


def chart(rows: list[Row], name: str, title: str, top: int, height: int, scale: tuple[float, int, int], color: str,
          width: float, attributes: str = "") -> list[str]:
    """Draws one output over time; `scale` has one shown unit in the output's own, shown units a tick, and number of
    ticks."""
    left, right, stop = 470, WIDTH - 20, rows[-1]["time"]
    unit, tick, ticks = scale
    bottom = top + height

    def place(time: float, value: float) -> Point:
        return left + (right - left) * time / stop, bottom - height * value / (unit * tick * ticks)

    picture = [words(left, top - 10, title)]
    for i in range(ticks + 1):
        x, y = place(0, i * tick * unit)
        picture.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="{PALE}"/>')
        picture.append(words(x - 8, y + 4, f"{i * tick:g}", 'class="small" text-anchor="end"'))
    picture.append(line_through([place(row["time"], row[name]) for row in rows], color, width, attributes))
    for second in range(0, round(stop) + 1, 2):
        x, _ = place(second, 0)
        picture.append(words(x, bottom + 17, f"{second} s", 'class="small" text-anchor="middle"'))
    return picture


def draw(fmu: str) -> str:
    rows = list(simulate_fmu(fmu, validate=False, output=OUTPUTS))
    elements = [f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    elements += linkage(rows, parameters(fmu))
    elements += chart(rows, "pin_load", "Load of the ground pin A in N", 40, 130, (1, 20, 4), RED, 1.4)
    elements += chart(rows, "solver.position_violation", "How far the loop is open, in 10⁻¹⁵ m", 232, 110,
                      (1e-15, 1, 2), INK, 0.6, 'class="round-off"')
    size = f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>'
    return "\n".join([head, "  <title>What the four-bar linkage's FMU computes</title>", f"  <style>{STYLE}</style>",
                      *("  " + element for element in elements), "</svg>", ""])


def main(fmu: str, target: str) -> None:
    picture = draw(fmu)
    with open(target, "w", encoding="utf-8") as file:
        file.write(picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
