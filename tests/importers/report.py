"""The table of importers: who ran what, in which version, and how far results lie from those of our own client."""

import dataclasses
import math

HEAD = """# Importers that FMUs are tested with

Written by the tests of `tests/importers/`, `./run_tests --importers`. Each line was run as it says. "Difference" is
the largest one to what the project's own client finds for the same run: 1 s in steps of 0.01 s, all outputs, each
measured by 1 plus its largest value. Tests allow 1e-12.

| importer | version | FMI | what was done | models | difference |
|---|---|---|---|---|---|
"""


@dataclasses.dataclass
class Line:
    versions: set = dataclasses.field(default_factory=set)
    models: set = dataclasses.field(default_factory=set)
    difference: float | None = None


def in_words(difference):
    """As a power of ten that is the same on each machine: what is below 1e-13 may be any digit."""
    if difference is None:
        return "–"
    return "none" if difference == 0 else f"below 1e{max(-13, math.ceil(math.log10(difference)))}"


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
        return HEAD + "".join(
            f"| {name} | {version} | {', '.join(sorted(line.versions))} | {what} | {', '.join(sorted(line.models))} "
            f"| {in_words(line.difference)} |\n" for (name, version, what), line in sorted(self.lines.items()))
