"""Gives results of our own client to importers, and collects the table of what they did."""

import pytest

import runs
from fmu import ROOT
from report import Report


@pytest.fixture(scope="session")
def smooth(fmus):
    """Returns the smooth run of a model and the results of our own client, each once: smooth(model, version)."""
    known = {}

    def find(model, version):
        if (model, version) not in known:
            run = runs.smooth_run(model)
            known[model, version] = run, runs.reference(fmus(model, version), run)
        return known[model, version]

    return find


@pytest.fixture(scope="session")
def report():
    """Collects what importers did, and writes the table when all are done."""
    table = Report()
    yield table
    file = ROOT / "build" / "importers.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(table.text(), encoding="utf-8")
