"""Exported FMUs, unpacked and with the results of our own client, for importers; and the table of what they did."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "clients"))

import runs  # noqa: E402
from fmu import ROOT, Fmu, fmu_path  # noqa: E402
from report import Report  # noqa: E402


@pytest.fixture(scope="session")
def fmus(tmp_path_factory):
    """Unpacks FMUs, each once: fmus(model, version)."""
    unpacked = {}

    def unpack(model, version):
        if (model, version) not in unpacked:
            folder = tmp_path_factory.mktemp(f"{model}_{version}")
            unpacked[model, version] = Fmu(fmu_path(model, version), folder)
        return unpacked[model, version]

    return unpack


@pytest.fixture
def fmu(fmus, model, version):
    return fmus(model, version)


@pytest.fixture(scope="session")
def smooth(fmus):
    """The smooth run of a model and what our own client gets, each once: smooth(model, version)."""
    known = {}

    def find(model, version):
        if (model, version) not in known:
            run = runs.smooth_run(model)
            known[model, version] = run, runs.reference(fmus(model, version), run)
        return known[model, version]

    return find


@pytest.fixture(scope="session")
def report():
    """Collects what importers did. The table is written when all are done."""
    table = Report()
    yield table
    file = ROOT / "build" / "importers.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(table.text(), encoding="utf-8")
