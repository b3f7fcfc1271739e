"""Runs importers with an interface in Python, each in a process of its own: ecos and libcosim, engines of
co-simulation; CoFMUPy and PathSim, which use FMPy in ways of their own."""

import pathlib
import re
import subprocess

import pytest

from runs import (
    INTEGRATED,
    ROUND_OFF,
    all_models,
    both_versions,
    difference,
    installed,
    outputs,
    read_table,
    reference,
    slopes,
)

ECOS = "ecos", "0.7.2"
LIBCOSIM = "libcosim", "0.0.6 of libcosimpy"
COFMUPY = "CoFMUPy", "1.0.0"
PATHSIM = "PathSim", "0.1.1 of pathsim-fmi"
PACKAGES = {ECOS: "ecospy", LIBCOSIM: "libcosimpy", COFMUPY: "cofmupy", PATHSIM: "pathsim-fmi"}
LEFT_OUT = "(Variable named '{name}' is of unsupported type, skipping.|.* variable with name {name} will be ignored)"
ENVIRONMENTS = {COFMUPY: "cofmupy"}  # belong to those that are not with the others


def python(client):
    return installed(ENVIRONMENTS.get(client, "python")) / "bin" / "python"


def drive(client, driver, fmu, run, folder, *options):
    """Returns all outputs at all communication points, and what was printed: some engines go on after errors."""
    names, result = folder / "outputs.txt", folder / "result.csv"
    names.write_text("\n".join(outputs(fmu)), encoding="utf-8")
    command = [python(client), pathlib.Path(__file__).with_name(driver), fmu.path, run.write(folder / "inputs.csv"),
               names, result, *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    return read_table(result, outputs(fmu)), text


@pytest.mark.parametrize("client", PACKAGES)
def test_is_the_version_that_the_table_names(client):
    command = [python(client), "-c",
               f"import importlib.metadata; print(importlib.metadata.version('{PACKAGES[client]}'))"]
    assert subprocess.run(command, capture_output=True, text=True).stdout.split() == client[1].split()[:1]


def without_choices(fmu, text):
    """Returns the printed text without warnings that enumerations are ignored: ecos, in FMI 3, and libcosim have
    none."""
    for variable in fmu.description.modelVariables:
        if variable.type == "Enumeration":
            text = re.sub(rf".*\[warning\].* {LEFT_OUT.format(name=re.escape(variable.name))}\n", "", text)
    return text


@both_versions
@all_models
def test_ecos_simulates(fmu, model, version, smooth, tmp_path, report):
    run, expected = smooth(model, version)
    rows, text = drive(ECOS, "drive_ecos.py", fmu, run, tmp_path)
    assert not re.search(r"\[(warning|error|critical)\]", without_choices(fmu, text)), text
    found = difference(fmu, expected, rows)
    assert found < ROUND_OFF
    report.add(ECOS, "simulated", model, version, found)


def complaints_but_of_time(fmu, text):
    """Returns libcosim's messages about errors. Its XML reader wants a start of the independent variable, which must
    have none."""
    with open(pathlib.Path(fmu.folder) / "modelDescription.xml", encoding="utf-8") as file:
        time = next(number for number, line in enumerate(file, 1) if 'causality="independent"' in line)
    known = rf".*\[Line:({time}|{time + 1})\] Detected during parsing:\n.*Start attribute is required .*\n"
    text = re.sub(known, "", text)
    return [line for line in text.splitlines() if re.search(r"\[(warning|error|fatal)\s*\]", line)]


@pytest.mark.parametrize("version", ["2.0"])
@all_models
def test_libcosim_simulates(fmu, model, version, smooth, tmp_path, report):
    """libcosim shows no values before its first step."""
    run, expected = smooth(model, version)
    rows, text = drive(LIBCOSIM, "drive_libcosim.py", fmu, run, tmp_path)
    assert complaints_but_of_time(fmu, without_choices(fmu, text)) == []
    found = difference(fmu, expected[1:], rows[1:])
    assert found < ROUND_OFF
    report.add(LIBCOSIM, "simulated", model, version, found)


@both_versions
@all_models
def test_cofmupy_simulates(fmu, model, version, smooth, tmp_path, report):
    run, expected = smooth(model, version)
    rows, _ = drive(COFMUPY, "drive_cofmupy.py", fmu, run, tmp_path)
    found = difference(fmu, expected[1:], rows)
    assert found < ROUND_OFF
    report.add(COFMUPY, "simulated", model, version, found)


@both_versions
@all_models
def test_pathsim_simulates(fmu, model, version, smooth, tmp_path, report):
    run, expected = smooth(model, version)
    rows, text = drive(PATHSIM, "drive_pathsim.py", fmu, run, tmp_path)
    assert "[ERROR]" not in text and "[WARNING]" not in text, text
    found = difference(fmu, expected[1:], rows)
    assert found < ROUND_OFF
    report.add(PATHSIM, "simulated", model, version, found)


@both_versions
@all_models
def test_pathsim_integrates(fmu, fmus, model, version, smooth, tmp_path, report):
    """Inputs go on in a line within each step, as they do for our own client if FMI 2 gives it their slopes."""
    run, _ = smooth(model, version)
    expected = reference(fmus(model, "2.0"), run, slopes(run))
    rows, text = drive(PATHSIM, "drive_pathsim.py", fmu, run, tmp_path, "model exchange")
    assert "[ERROR]" not in text and "[WARNING]" not in text, text
    found = difference(fmu, expected, rows)
    assert found < INTEGRATED
    report.add(PATHSIM, "integrated by an explicit method (model exchange)", model, version, found)
