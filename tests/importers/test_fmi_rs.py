"""Runs fmi-rs, the library of fmusim: a program in Rust calls its loops of co-simulation, which fmusim also runs."""

import pathlib
import subprocess
import tomllib

import numpy as np
import pytest

from runs import (
    JUMP,
    MODELS_WITH_INPUTS,
    ROUND_OFF,
    STEP,
    Run,
    all_models,
    both_versions,
    difference,
    installed,
    jumping_run,
    outputs,
    read_table,
    reference,
)

LOCK = tomllib.loads((pathlib.Path(__file__).parent / "rust" / "Cargo.lock").read_text(encoding="utf-8"))
FMI_RS = "fmi-rs (fmusim)", next(package["version"] for package in LOCK["package"] if package["name"] == "fmi-rs")
# These are its options, with their texts in the table. The library registers intermediate variables, but in this
# version it gives no callback.
OPTIONS = {"--events": "simulated in event mode",
           "--early": "simulated, early return allowed",
           "--intermediate": "simulated with intermediate variables, which it registers only"}


def command(fmu, run, folder, *options):
    names, inputs = folder / "outputs.txt", folder / "inputs.csv"
    names.write_text("\n".join(outputs(fmu)), encoding="utf-8")
    words = [installed("fmi-rs"), fmu.path, run.write(inputs), names, folder / "result.csv", *options]
    return [str(word) for word in words]


def simulate(fmu, run, folder, *options):
    """Returns rows of all outputs at the communication points; of several rows at one time, the one after the event."""
    done = subprocess.run(command(fmu, run, folder, *options), capture_output=True, text=True)
    # When a run ends, the log tells that a coordinate moved little beside the tolerance; it must tell nothing else.
    complaints = [line for line in done.stderr.splitlines() if "In this run some coordinates moved" not in line]
    assert done.returncode == 0 and not complaints, done.stderr
    rows = read_table(folder / "result.csv", ["time", *outputs(fmu)])
    regular = np.abs(rows[:, 0] / STEP - np.round(rows[:, 0] / STEP)) < 1e-6
    last = np.append(np.diff(rows[:, 0]) > STEP / 1000, True)
    return rows[regular & last, 1:]


@both_versions
@all_models
def test_simulates(fmu, model, version, smooth, tmp_path, report):
    run, expected = smooth(model, version)
    found = difference(fmu, expected, simulate(fmu, run, tmp_path))
    assert found < ROUND_OFF
    report.add(FMI_RS, "simulated", model, version, found)


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("version", ["3.0"])
@all_models
def test_simulates_with_what_is_new_in_fmi_3(fmu, model, version, option, smooth, tmp_path, report):
    run, expected = smooth(model, version)
    found = difference(fmu, expected, simulate(fmu, run, tmp_path, option))
    assert found < ROUND_OFF
    report.add(FMI_RS, OPTIONS[option], model, version, found)


@pytest.mark.parametrize("version", ["3.0"])
@pytest.mark.parametrize("model", MODELS_WITH_INPUTS)
def test_inputs_jump_in_event_mode(fmu, model, version, tmp_path, report):
    """If its file of inputs has a time twice, this is an event."""
    run = jumping_run(model)
    at = run.times.index(JUMP)
    twice = Run(model, [*run.times[:at], JUMP, *run.times[at:]],
                {name: [*values[:at], values[at - 1], *values[at:]] for name, values in run.inputs.items()})
    rows = simulate(fmu, twice, tmp_path, "--events", "--early", "--intermediate")
    found = difference(fmu, np.delete(reference(fmu, run), at, axis=0), rows)
    assert found < ROUND_OFF
    report.add(FMI_RS, "simulated with jumps of inputs as events", model, version, found)


@both_versions
@all_models
def test_a_file_of_a_state_goes_on(fmu, model, version, smooth, tmp_path, report):
    """Runs one half and writes its state to a file; an instance that begins with the file runs the other half."""
    run, expected = smooth(model, version)
    middle = len(run.times) // 2
    halves = [Run(model, run.times[part], {name: values[part] for name, values in run.inputs.items()})
              for part in (slice(middle + 1), slice(middle, None))]
    folders = [tmp_path / "begin", tmp_path / "end"]
    for folder in folders:
        folder.mkdir()
    begin = simulate(fmu, halves[0], folders[0], "--to", tmp_path / "state")
    end = simulate(fmu, halves[1], folders[1], "--from", tmp_path / "state")
    assert difference(fmu, begin[-1:], end[:1]) == 0
    found = difference(fmu, expected, np.concatenate([begin, end[1:]]))
    assert found < ROUND_OFF
    report.add(FMI_RS, "simulated in two halves by a file of the state", model, version, found)


@both_versions
@pytest.mark.parametrize("model", ["four_bar"])
def test_tells_why_a_state_cannot_be_read(fmu, model, version, smooth, tmp_path):
    (tmp_path / "state").write_bytes(b"no state")
    run, _ = smooth(model, version)
    done = subprocess.run(command(fmu, run, tmp_path, "--from", tmp_path / "state"), capture_output=True, text=True)
    assert done.returncode != 0 and "[ERROR]" in done.stderr
