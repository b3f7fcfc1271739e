"""ecos and libcosim, engines of co-simulation, each driven by its Python interface in a process of its own."""

import pathlib
import re
import subprocess

import pytest

from runs import ROUND_OFF, all_models, both_versions, difference, installed, outputs, read_table

ECOS = "ecos", "0.7.2"
LIBCOSIM = "libcosim", "0.0.6 of libcosimpy"
PACKAGES = {ECOS: "ecospy", LIBCOSIM: "libcosimpy"}


def drive(driver, fmu, run, folder):
    """All outputs at all communication points, and what was printed: both engines go on after errors."""
    names, result = folder / "outputs.txt", folder / "result.csv"
    names.write_text("\n".join(outputs(fmu)), encoding="utf-8")
    command = [installed("python") / "bin" / "python", pathlib.Path(__file__).with_name(driver), fmu.path,
               run.write(folder / "inputs.csv"), names, result]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    text = done.stdout + done.stderr
    assert done.returncode == 0, text
    return read_table(result, outputs(fmu)), text


@pytest.mark.parametrize("client", PACKAGES)
def test_is_the_version_that_the_table_names(client):
    command = [installed("python") / "bin" / "python", "-c",
               f"import importlib.metadata; print(importlib.metadata.version('{PACKAGES[client]}'))"]
    assert subprocess.run(command, capture_output=True, text=True).stdout.split() == client[1].split()[:1]


@both_versions
@all_models
def test_ecos_simulates(fmu, model, version, smooth, tmp_path, report):
    run, expected = smooth(model, version)
    rows, text = drive("drive_ecos.py", fmu, run, tmp_path)
    assert not re.search(r"\[(warning|error|critical)\]", text), text
    found = difference(fmu, expected, rows)
    assert found < ROUND_OFF
    report.add(ECOS, "simulated", model, version, found)


def complaints_but_of_time(fmu, text):
    """What libcosim says of errors. Its XML reader wants a start of the independent variable, which must have none."""
    with open(pathlib.Path(fmu.folder) / "modelDescription.xml", encoding="utf-8") as file:
        time = next(number for number, line in enumerate(file, 1) if 'causality="independent"' in line)
    known = rf".*\[Line:({time}|{time + 1})\] Detected during parsing:\n.*Start attribute is required .*\n"
    text = re.sub(known, "", text)
    return [line for line in text.splitlines() if re.search(r"\[(warning|error|fatal)\s*\]", line)]


@pytest.mark.parametrize("version", ["2.0"])
@all_models
def test_libcosim_simulates(fmu, model, version, smooth, tmp_path, report):
    """It shows no values before its first step."""
    run, expected = smooth(model, version)
    rows, text = drive("drive_libcosim.py", fmu, run, tmp_path)
    assert complaints_but_of_time(fmu, text) == []
    found = difference(fmu, expected[1:], rows[1:])
    assert found < ROUND_OFF
    report.add(LIBCOSIM, "simulated", model, version, found)
