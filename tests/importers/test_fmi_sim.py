"""Runs FMUs by the command line of fmi-sim, the simulator of the Rust implementation of FMI.

This version thinks that an FMI 3 variable with a `unit`, `nominal` or `reinit` of its own is wrong; the standard has
them there. It gets copies of those FMUs that only lack these attributes.
"""

import os
import re
import subprocess

import pytest

from runs import ROUND_OFF, STEP, all_models, altered, both_versions, difference, installed, outputs, read_table

FMI_SIM = "fmi-sim", "0.7.0"
# These are its options, with their texts in the table.
EVENTS = {"--event-mode-used": "simulated in event mode",
          "--early-return-allowed": "simulated, early return allowed"}
WITHOUT = {"2.0": "", "3.0": ", units and nominal values taken out"}


def without_units(source, target):
    return altered(source, target, lambda text: re.sub(
        rb"<Float64 [^>]*>", lambda tag: re.sub(rb' (?:unit|nominal|reinit)="[^"]*"', b"", tag[0]), text))


def simulate(fmu, run, folder, *options):
    path = without_units(fmu.path, folder / "model.fmu") if fmu.version == "3.0" else fmu.path
    result = folder / "result.csv"
    inputs = ["--input-file", run.write(folder / "inputs.csv")] if run.inputs else []
    command = [installed("fmi-sim"), "--model", path, "--output-file", result, *inputs, "co-simulation",
               "--output-interval", STEP, "-s", run.times[0], "-f", run.times[-1], *options]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env=os.environ | {"RUST_LOG": "warn"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "ERROR" not in done.stderr and "WARN" not in done.stderr, done.stderr
    return read_table(result, outputs(fmu))


def test_is_the_version_that_the_table_names():
    done = subprocess.run([installed("fmi-sim"), "--version"], capture_output=True, text=True)
    assert " ".join(FMI_SIM) in done.stdout + done.stderr


@both_versions
@all_models
def test_simulates(fmu, model, version, smooth, tmp_path, report):
    run, expected = smooth(model, version)
    found = difference(fmu, expected, simulate(fmu, run, tmp_path))
    assert found < ROUND_OFF
    report.add(FMI_SIM, "simulated" + WITHOUT[version], model, version, found)


@pytest.mark.parametrize("option", EVENTS)
@pytest.mark.parametrize("version", ["3.0"])
@all_models
def test_simulates_with_what_is_new_in_fmi_3(fmu, model, version, option, smooth, tmp_path, report):
    run, expected = smooth(model, version)
    found = difference(fmu, expected, simulate(fmu, run, tmp_path, option))
    assert found < ROUND_OFF
    report.add(FMI_SIM, EVENTS[option] + WITHOUT[version], model, version, found)


@both_versions
def test_tells_of_an_unknown_file(version, tmp_path):
    done = subprocess.run([installed("fmi-sim"), "--model", tmp_path / "none.fmu", "co-simulation"],
                          capture_output=True, text=True)
    assert done.returncode != 0
