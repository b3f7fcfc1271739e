"""Runs fmutool of the FMU Manipulation Toolbox. Its checks always end well, so the tests read its output."""

import re
import subprocess

from fmu import fmu_path
from runs import all_models, altered, both_versions, installed

FMUTOOL = "fmutool", "2.0"


def check(path):
    command = [installed("python") / "bin" / "fmutool", "-input", path, "-check"]
    done = subprocess.run(command, capture_output=True, text=True)
    text = done.stdout + done.stderr
    assert f"FMU Manipulation Toolbox version {FMUTOOL[1]}\n" in text
    return text


@both_versions
@all_models
def test_finds_nothing(model, version, report):
    text = check(fmu_path(model, version))
    assert f"This FMU seems to be compliant with FMI-{version}." in text
    assert f"No semantic error against the FMI-{version[0]} standard." in text
    assert not re.search("^(ERROR|WARNING|CRITICAL)", text, re.MULTILINE), text
    report.add(FMUTOOL, "checked", model, version)


@both_versions
def test_finds_a_fault(version, tmp_path):
    """The variable has a causality that does not exist."""
    faulty = altered(fmu_path("four_bar", version), tmp_path / "faulty.fmu",
                     lambda text: text.replace(b'causality="input"', b'causality="entrance"'))
    assert "seems to be compliant" not in check(faulty)
