"""Simulates an FMU and draws what it did: report.py FMU HTML STOPPED [SKETCH]. The page holds all that it needs: it
opens from a file in any browser, without a network. If the simulation stops on the way, the page shows the motion up to
there, and the file STOPPED is written, which says when and why.
"""

import base64
import html
import importlib.metadata
import itertools
import json
import math
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from fmpy import extract
from fmpy.fmi1 import FMICallException
from fmpy.model_description import ModelDescription, ScalarVariable, read_model_description
from fmpy.simulation import Recorder, instantiate_fmu

FEWEST_POINTS, MOST_POINTS = 1000, 5000  # points of a curve: it is smooth when enlarged, and the page is not slower

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1c2733; background: #f4f6f8; margin: 0; }
main { max-width: 1240px; margin: 0 auto; padding: 28px 24px 48px; }
h1 { font-size: 30px; margin: 0; } h2 { font-size: 19px; margin: 34px 0 10px; }
h3 { font-size: 15px; margin: 0 0 6px; }
.card.stopped { border-left: 5px solid #c0392b; margin: 0 0 18px; }
.lead { color: #51606f; margin: 4px 0 18px; font-size: 17px; }
.top { display: flex; flex-wrap: wrap; gap: 18px; align-items: flex-start; }
.top .card { max-height: 264px; overflow: auto; }
.card { background: white; border: 1px solid #dfe5ea; border-radius: 8px; padding: 14px 18px; }
.sketch img { max-height: 260px; max-width: 420px; display: block; }
table { border-collapse: collapse; } td { padding: 2px 14px 2px 0; vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; } td.unit { color: #51606f; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(540px, 1fr)); gap: 16px; }
footer { margin-top: 34px; color: #51606f; }
.chart { height: 330px; padding: 6px; }
"""

SCRIPT = """
for (const chart of charts) {
  const layout = {
    margin: { l: 64, r: 14, t: 34, b: 30 }, hovermode: "x unified", showlegend: true,
    title: { text: chart.title, font: { size: 14 }, x: 0.02, xanchor: "left" },
    legend: { orientation: "h", y: -0.12, font: { size: 12 } },
    xaxis: { ticksuffix: " s", gridcolor: "#e6ebef", zeroline: false },
    yaxis: { gridcolor: "#e6ebef", zeroline: false, exponentformat: "e", type: chart.logarithmic ? "log" : "linear" },
  };
  const traces = chart.series.map(s => ({ x: time, y: s.values, name: s.name, mode: "lines",
    line: { width: 1.6, simplify: false } }));
  Plotly.newPlot(chart.id, traces, layout, { responsive: true, displaylogo: false });
}
"""


def is_multiplier(name: str) -> bool:
    return name.startswith("constraint.") or ".reaction" in name or name.endswith((".tension", ".drive"))


def sections(model: ModelDescription) -> list[tuple[str, list[str], bool]]:
    """Returns the plots: title, names of the variables, logarithmic or not."""
    real = [v for v in model.modelVariables if v.type in ("Real", "Float64") and v.causality in ("output", "local")]
    names = [variable.name for variable in real]
    outputs = [variable.name for variable in real if variable.causality == "output"]
    coordinates = [name for name in names if f"der({name})" in names and f"der({name},2)" in names]
    rates = [name for name in outputs if name.startswith("der(") or ".angular_velocity." in name]
    reactions = [name for name in names if is_multiplier(name)]
    energies = [name for name in names if name.startswith("energy.")]
    violations = [name for name in names if name.startswith("solver.") and name.endswith("_violation")]
    shown = set(coordinates + rates + reactions + energies + violations)
    return [
        ("Coordinates", coordinates, False),
        ("Rates and accelerations", rates, False),
        ("Outputs", [name for name in outputs if name not in shown], False),
        ("Reactions and multipliers", reactions, False),
        ("Energy", energies, False),
        ("How well the constraints hold", violations, True),
    ]


def unit_of(variable: ScalarVariable) -> str:
    return variable.unit or (variable.declaredType.unit if variable.declaredType else None) or ""


def by_unit(names: list[str], variables: dict[str, ScalarVariable]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name in names:
        groups.setdefault(unit_of(variables[name]), []).append(name)
    return groups


def rounded(values: Iterable[float], logarithmic: bool) -> list[float | None]:
    """Rounds to eight digits, more than a picture shows. A logarithmic axis has no place for 0, so it gets a gap."""
    return [None if not math.isfinite(x) or (logarithmic and x <= 0) else float(f"{x:.8g}") for x in values]


def table(rows: list[tuple[str, str, str]]) -> str:
    cells = "".join(
        f"<tr><td>{html.escape(name)}</td><td class='number'>{html.escape(value)}</td>"
        f"<td class='unit'>{html.escape(unit)}</td></tr>" for name, value, unit in rows)
    return f"<table>{cells}</table>"


def communication_points(model: ModelDescription) -> list[float]:
    """Returns the file's communication steps, divided if they are too few for a smooth curve."""
    experiment = model.defaultExperiment
    start, stop = float(experiment.startTime or 0), float(experiment.stopTime)
    steps = max(1, round((stop - start) / float(experiment.stepSize)))
    steps = min(steps * math.ceil(FEWEST_POINTS / steps), MOST_POINTS)
    return [start + (stop - start) * i / steps for i in range(steps)] + [stop]


def simulate(fmu: str, model: ModelDescription, names: list[str]) -> tuple[np.ndarray, str | None]:
    """Returns the result up to the end or the stop, and the reason if something stopped it."""
    points = communication_points(model)
    messages: list[str] = []

    def log(*arguments: Any) -> None:
        text = arguments[-1].decode()
        messages.append(text)
        print(text)

    with tempfile.TemporaryDirectory() as folder:
        instance = instantiate_fmu(extract(fmu, folder), model, "CoSimulation", logger=log)
        recorder = Recorder(instance, model, names)
        try:
            if model.fmiVersion == "2.0":
                instance.setupExperiment(startTime=points[0], stopTime=points[-1])
                instance.enterInitializationMode()
            else:
                instance.enterInitializationMode(startTime=points[0], stopTime=points[-1])
            instance.exitInitializationMode()
            recorder.sample(points[0], force=True)
            for start, end in itertools.pairwise(points):
                instance.doStep(currentCommunicationPoint=start, communicationStepSize=end - start)
                recorder.sample(end, force=True)
            instance.terminate()
            return recorder.result(), None
        except FMICallException as failure:
            why = messages[0] if messages else str(failure)
            if not recorder.rows:
                sys.exit(f"the simulation cannot start: {why}")
            return recorder.result(), f"the simulation stopped at t = {recorder.lastSampleTime:.12g} s: {why}"
        finally:
            instance.freeInstance()


def page(model: ModelDescription, result: np.ndarray, stopped: str | None, sketch: str | None) -> str:
    variables = {variable.name: variable for variable in model.modelVariables}
    charts: list[dict[str, Any]] = []
    body: list[str] = []
    for title, names, logarithmic in sections(model):
        if not names:
            continue
        body.append(f"<h2>{title}</h2><div class='charts'>")
        for unit, members in by_unit(names, variables).items():
            identifier = f"chart{len(charts)}"
            series = [{"name": name, "values": rounded(result[name], logarithmic)} for name in members]
            caption = "largest residual, SI units" if logarithmic else unit or "without unit"
            charts.append({"id": identifier, "title": caption, "logarithmic": logarithmic, "series": series})
            body.append(f"<div class='card chart' id='{identifier}'></div>")
        body.append("</div>")

    last = result[-1]
    statistics = [("simulated", f"{last['time']:g}", "s")]
    statistics += [(name.removeprefix("solver.").replace("_", " "), f"{last[name]:g}", "")
                   for name in variables if name.startswith("solver.") and name in (result.dtype.names or ())
                   and not name.endswith("_violation")]
    given = [(v.name, f"{float(v.start):g}", unit_of(v)) for v in model.modelVariables
             if v.causality in ("parameter", "input") and v.type in ("Real", "Float64")
             and not v.name.startswith("solver.")]
    top = [f"<div class='card'><h3>{title}</h3>{table(rows)}</div>"
           for title, rows in [("Solver", statistics), ("Parameters and inputs", given)]]
    if sketch:
        with open(sketch, "rb") as file:
            picture = base64.b64encode(file.read()).decode()
        top.insert(0, f"<div class='card sketch'><img alt='sketch' src='data:image/svg+xml;base64,{picture}'></div>")

    script = importlib.metadata.distribution("plotly").locate_file("plotly/package_data/plotly.min.js")
    plotly = Path(str(script)).read_text(encoding="utf-8")
    data = json.dumps(charts, separators=(",", ":")).replace("</", "<\\/")
    time = json.dumps(rounded(result["time"], False), separators=(",", ":"))
    name = html.escape(model.modelName)
    notice = [f"<p class='card stopped'>{html.escape(stopped[0].upper() + stopped[1:])}</p>"] if stopped else []
    return "\n".join([
        "<!DOCTYPE html>", f"<html lang='en'><head><meta charset='utf-8'><title>{name}</title>",
        f"<style>{STYLE}</style></head><body><main>", f"<h1>{name}</h1>",
        f"<p class='lead'>{html.escape(model.description or '')}</p>", *notice,
        "<div class='top'>", *top, "</div>", *body,
        f"<footer>Made by {html.escape(model.generationTool or '')}.</footer></main>",
        f"<script>{plotly}</script>", f"<script>const time = {time};\nconst charts = {data};\n{SCRIPT}</script>",
        "</body></html>", ""])


def main(fmu: str, target: str, stopped_file: str, sketch: str | None = None) -> None:
    model = read_model_description(fmu, validate=False)
    names = [name for _, members, _ in sections(model) for name in members]
    names += [v.name for v in model.modelVariables if v.name.startswith("solver.") and v.name not in names
              and v.causality in ("output", "local", "calculatedParameter") and v.type in ("Real", "Float64")]
    result, stopped = simulate(fmu, model, names)
    with open(target, "w", encoding="utf-8") as file:
        file.write(page(model, result, stopped, sketch))
    if stopped:
        with open(stopped_file, "w", encoding="utf-8") as file:
            file.write(stopped)


if __name__ == "__main__":
    main(*sys.argv[1:])
