"""Draws the figures of docs/methods-compared.md."""

import math

from chart import COLORS, GREY, INK, Axis, Line, legend, panel, picture
from methods_measured import DEFAULT, NAMES, WITHOUT_BASIS, correction_name

STAND_OUT = {"partitioned": COLORS[0], "local_frames": COLORS[3], "qr": COLORS[1], "lu": COLORS[5],
             "range_space": COLORS[2], "null_space_block": COLORS[4], "kkt": COLORS[6], "gram_schmidt": COLORS[7]}
DRIFT_COLORS = [INK, *COLORS[:4], *COLORS[5:]]


def member_line(member, points):
    points = [point for point in points if not math.isnan(point[1])]
    return Line(member, points, STAND_OUT.get(member, GREY), "5 3" if member in WITHOUT_BASIS else "",
                2.4 if member == DEFAULT else 1.5)


def windows(found):
    lines = [member_line(member, [(count, found.time(mechanism, member))
                                  for count, mechanism in found.windows.items()]) for member in found.members]
    chart = panel(70, 40, 600, 420, "Four-bar windows in a row: µs of one evaluation; dashed: without a basis",
                  Axis("number of windows N; 2 N + 1 velocities, 2 N constraints", True, 1, 40, list(found.windows)),
                  Axis("µs", True), lines)
    return picture("Time of an evaluation against the number of windows", 860, 520, chart)


def shape(found):
    def point(mechanism, member):
        n, r = found.sizes[mechanism]
        return r / n, found.time(mechanism, member)

    lines = [member_line(member, [point(mechanism, member) for mechanism in found.chain.values()])
             for member in found.members]
    chart = panel(70, 40, 600, 420, "A chain of 16 links with more and more rods: µs of one evaluation; "
                  "dashed: without a basis",
                  Axis("m/n, share of constraints", False, 0, 0.9, [0, 0.25, 0.5, 0.75]), Axis("µs", True, 1), lines)
    return picture("Time of an evaluation against the share of constraints", 860, 520, chart)


def drift(found):
    elements: list[str] = []
    lines: list[Line] = []
    for i, (mechanism, step) in enumerate(found.drift_steps.items()):
        lines = []
        for color, correction in zip(DRIFT_COLORS, found.corrections):
            points = [(steps, max(position, 1e-17))
                      for steps, position, _ in found.drift[mechanism, *correction].violations
                      if math.isfinite(position)]
            lines.append(Line(correction_name(*correction), points, color,
                              "6 3" if correction[0] == "integral" else "", 2))
        elements += panel(80 + 450 * (i % 2), 40 + 310 * (i // 2), 360, 220,
                          f"{NAMES[mechanism]}, steps of {step:g} s", Axis("steps of rk4", True, 1, 1e5),
                          Axis("violation, m or rad", True, 1e-17, 1e2, [10.0**e for e in range(-16, 3, 3)]), lines,
                          names=False)
    elements += legend(80, 660, lines, 3, 280)
    return picture("Largest violation of a position constraint so far", 920, 720, elements)


FIGURES = {"methods-windows.svg": windows, "methods-shape.svg": shape, "methods-drift.svg": drift}
