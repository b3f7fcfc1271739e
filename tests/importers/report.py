"""Writes the page on importers: which one ran what, in which version, and how far its results are from those of our own
client."""

import dataclasses

from runs import INTEGRATED, MODELS, ROUND_OFF

HEAD = """# Importers that FMUs are tested with

The tests of `tests/importers/` write this page: `./run_tests --importers`. A line that names no model was run on all of these:
{models}.

Each test runs 1 s in steps of 0.01 s. "Difference" is the largest difference between the outputs in this importer and in
the project's own client, relative to 1 plus an output's largest value; forces and torques are relative to the largest of
them. Differences below 1e-12 come from the last digits of times and inputs, which each importer computes in its own way.
Differences below 1e-6 come from importers' own integrators. Inputs and steps are in `tests/importers/runs.py`.

| importer | version | FMI | what was done | difference |
|---|---|---|---|---|
"""
TAIL = """
Users of these importers should know or set this:

* **CasADi**: `DaeBuilder(name, "X.fmu")` takes the part for model exchange. If an input jumps, integrate to the jump
  and go on from there: CVODES stops at a jump within one call of an integrator (`error test failed repeatedly`).
  A function of derivatives and outputs together refuses variables that are both, as rates of coordinates are (`Duplicate
  variable`): `builder.set_y([name for name in builder.y() if name not in builder.der(builder.x())])` removes them from the outputs.
* **CoFMUPy**: an input that has no value under `initialization` is 0 at the start. Its clock adds steps up, and with
  `"interpolation": "previous"` a time that is too small in the last digit takes the row before: put the times in the
  file of inputs half a step earlier. The first row of results has the values at the end of the first step, but the time
  at its beginning.
  `"iterative": true` needs FMI 3; for FMI 2 it calls functions that FMPy does not have.
* **ecos** goes on after errors and ends with exit code 0: look into what it prints. In FMI 3 it ignores enumerations,
  with a warning for each: the solver's method and the other choices stay as the file has them.
* **fmi-sim** refuses FMI 3 variables that have a `unit`, `nominal` or `reinit`, which the standard allows. The tests
  remove these attributes from a copy of the FMU; use FMI 2 with this importer.
* **fmi4j** and **VDMCheck** know FMI 2 only. fmi4j gives input derivatives to any FMU.
* **FMPy**'s `simulate_fmu` gives input derivatives to FMUs with nine inputs only.
* **fmusim** is the program of fmi-rs. It needs no settings. A time that the file of inputs has twice is a jump, and
  with `--event-mode-used` an event. With `--intermediate-update` this version registers variables and gives no
  callback, so there are rows for communication points only.
* **libcosim** knows FMI 2 only. It prints an error about the independent variable, which has no start; the standard
  forbids one. Its values begin with the first step. It ignores enumerations, as ecos does.
* **PathSim**: `CoSimulationFMU` shows at time t the end of the step that begins at t, so its outputs are one step early.
  `ModelExchangeFMU` takes any solver with FMI 3; with FMI 2 take an explicit one (such as `RKDP54`), because for an
  implicit one it asks the FMU for derivatives by derivatives instead of by states.
"""


@dataclasses.dataclass
class Line:
    versions: set = dataclasses.field(default_factory=set)
    models: set = dataclasses.field(default_factory=set)
    difference: float | None = None


def in_words(difference):
    """Returns the difference in words, which are equal on each machine, although last digits are not."""
    if difference is None:
        return "–"
    if difference == 0:
        return "none"
    return f"below {ROUND_OFF if difference < ROUND_OFF else INTEGRATED:g}".replace("e-0", "e-")


def in_order(item):
    """Orders lines by importer, ignoring the case of its name."""
    (name, version, what), _ = item
    return name.lower(), version, what


class Report:
    def __init__(self):
        self.lines = {}

    def add(self, importer, what, model, version, difference=None):
        """Notes what an importer, given as name and version, did. If several models did the same, they share one
        line."""
        line = self.lines.setdefault((*importer, what), Line())
        line.versions.add(version)
        line.models.add(model)
        if difference is not None:
            line.difference = max(difference, line.difference or 0.0)

    def text(self):
        head = HEAD.format(models=", ".join(f"`{model}`" for model in MODELS))
        return head + "".join(self.row(*key, line) for key, line in sorted(self.lines.items(), key=in_order)) + TAIL

    @staticmethod
    def row(name, version, what, line):
        if line.models != set(MODELS):
            what += ": " + ", ".join(f"`{model}`" for model in MODELS if model in line.models)
        return f"| {name} | {version} | {', '.join(sorted(line.versions))} | {what} | {in_words(line.difference)} |\n"
