"""Gives every test the exported FMUs: `model` and `version` run over all of them, `fmu` is the one they name."""

import pytest

from fmu import MECHANISMS, VERSIONS, Fmu, fmu_path


def pytest_generate_tests(metafunc):
    if "model" in metafunc.fixturenames:
        metafunc.parametrize("model", MECHANISMS, scope="session")
    if "version" in metafunc.fixturenames:
        metafunc.parametrize("version", VERSIONS, scope="session")


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
