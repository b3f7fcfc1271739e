"""Runs importers in Java: fmi4j, which simulates, and VDMCheck, which checks a description against the standard as
formal rules. Both know FMI 2 only."""

import pathlib
import subprocess

import pytest

from fmu import fmu_path
from runs import (
    MODELS_WITH_INPUTS,
    ROUND_OFF,
    all_models,
    altered,
    difference,
    installed,
    outputs,
    read_table,
    reference,
    slopes,
)

FMI4J = "fmi4j", "0.38.0"
VDMCHECK = "VDMCheck", "1.1.3"
pytestmark = pytest.mark.parametrize("version", ["2.0"])


def java(*arguments):
    return subprocess.run(["java", *(str(word) for word in arguments)], capture_output=True, text=True)


def simulate(fmu, run, folder, *options):
    names, result = folder / "outputs.txt", folder / "result.csv"
    names.write_text("\n".join(outputs(fmu)), encoding="utf-8")
    driver = pathlib.Path(__file__).with_name("java") / "DriveFmi4j.java"
    done = java("-cp", f"{installed('fmi4j')}/*", driver, fmu.path, run.write(folder / "inputs.csv"), names, result,
                *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ERROR" not in done.stdout + done.stderr, done.stdout + done.stderr
    return read_table(result, outputs(fmu))


@all_models
def test_fmi4j_simulates(fmu, model, version, smooth, tmp_path, report):
    run, expected = smooth(model, version)
    found = difference(fmu, expected, simulate(fmu, run, tmp_path))
    assert found < ROUND_OFF
    report.add(FMI4J, "simulated", model, version, found)


@pytest.mark.parametrize("model", MODELS_WITH_INPUTS)
def test_fmi4j_gives_input_derivatives(fmu, model, version, smooth, tmp_path, report):
    """Inputs go on with a slope within each step, which gives other results than inputs that are held."""
    run, held = smooth(model, version)
    expected = reference(fmu, run, slopes(run))
    found = difference(fmu, expected, simulate(fmu, run, tmp_path, "with slopes"))
    assert found < ROUND_OFF
    assert difference(fmu, expected, held) > 1e-6
    report.add(FMI4J, "simulated with input derivatives", model, version, found)


def check(path):
    done = java("-cp", installed("vdmcheck") / "vdmcheck2.jar", "VDMCheckPlus", path)
    return done.stdout + done.stderr


@all_models
def test_vdmcheck_finds_nothing(model, version, report):
    assert check(fmu_path(model, version)).split("\n") == ["No errors found.", ""]
    report.add(VDMCHECK, "checked", model, version)


@pytest.mark.parametrize("model", ["four_bar"])
def test_vdmcheck_finds_a_fault(model, version, tmp_path):
    """The input has an `initial`, which no other checker here finds."""
    faulty = altered(fmu_path(model, version), tmp_path / "faulty.fmu",
                     lambda text: text.replace(b'causality="input"', b'causality="input" initial="exact"'))
    text = check(faulty)
    assert "motor_torque" in text and text.endswith("Errors found.\n")
