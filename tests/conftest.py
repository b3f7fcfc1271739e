"""Gives tests in Python the exported FMUs, unpacked: `fmu` is the one that a test's `model` and `version` name."""

import pathlib
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "clients"))

from fmu import Fmu, fmu_path


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
