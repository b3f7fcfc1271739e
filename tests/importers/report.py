"""The page on importers: who ran what, in which version, and how far results lie from those of our own client."""

import dataclasses

from runs import MODELS, ROUND_OFF

HEAD = """# Importers that FMUs are tested with

Written by the tests of `tests/importers/`: `./run_tests --importers`. Each line was run as it says, on all these models
if it names none: {models}.

"Difference" is the largest one to what the project's own client finds for the same run of 1 s in steps of 0.01 s, over
all outputs, each measured by 1 plus its largest value, forces and torques by the largest of them. What is below 1e-12
comes from the last digits of times and inputs, which importers compute in ways of their own. Inputs and steps are in
`tests/importers/runs.py`.

| importer | version | FMI | what was done | difference |
|---|---|---|---|---|
"""
TAIL = """
What to know of them:

* fmi-sim refuses FMI 3 variables that have a `unit`, `nominal` or `reinit`, which the standard allows. For it, these are
  taken out of a copy.
* libcosim prints an error about the independent variable, which has no start; the standard forbids one. Its values
  begin with the first step.
* FMPy's `simulate_fmu` gives input derivatives to FMUs with nine inputs only; fmi4j gives them to any.
* fmi4j, libcosim and VDMCheck know FMI 2 only.
"""


@dataclasses.dataclass
class Line:
    versions: set = dataclasses.field(default_factory=set)
    models: set = dataclasses.field(default_factory=set)
    difference: float | None = None


def in_words(difference):
    """The same on each machine, as last digits are not."""
    if difference is None:
        return "–"
    return "none" if difference == 0 else f"below {ROUND_OFF:g}"


def in_order(item):
    """By importer, whatever the case of its name."""
    (name, version, what), _ = item
    return name.lower(), version, what


class Report:
    def __init__(self):
        self.lines = {}

    def add(self, importer, what, model, version, difference=None):
        """Notes what an importer, given as name and version, did. Same things of several models make one line."""
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
