"""Runs each test with `model` and `version` over all exported FMUs."""

from fmu import MECHANISMS, VERSIONS


def pytest_generate_tests(metafunc):
    if "model" in metafunc.fixturenames:
        metafunc.parametrize("model", MECHANISMS, scope="session")
    if "version" in metafunc.fixturenames:
        metafunc.parametrize("version", VERSIONS, scope="session")
