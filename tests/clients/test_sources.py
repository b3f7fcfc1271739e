"""Tests that sources/ is enough: an importer compiles the FMU from it, and the result is that of the packed library."""

import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import fmpy
import fmpy.validation
import numpy as np
import pytest

from fmu import MECHANISMS, ROOT, fmu_path

REBUILT = ("four_bar", "slider_crank")
# FMPy calls CMake by its name only; the build's own one is found first. Ninja is installed as generator, make may not
# be.
ENVIRONMENT = os.environ | {"PATH": f"/usr/bin{os.pathsep}{os.environ['PATH']}", "CMAKE_GENERATOR": "Ninja"}


def without_binaries(source, target):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if not name.startswith("binaries/"):
                new.writestr(name, old.read(name))


def outputs(path):
    description = fmpy.read_model_description(str(path))
    names = [v.name for v in description.modelVariables if v.causality == "output"]
    rows = fmpy.simulate_fmu(str(path), stop_time=1, output_interval=0.01, output=names)
    return np.array(rows.tolist())


@pytest.mark.parametrize("name", REBUILT)
def test_an_importer_can_compile_it(name, version, tmp_path):
    packed = fmu_path(name, version)
    rebuilt = tmp_path / packed.name
    without_binaries(packed, rebuilt)
    # The other one compiles with assertions, and in a fraction of the time.
    configuration = "Release" if (name, version) == ("four_bar", "3.0") else "Debug"
    command = [sys.executable, "-m", "fmpy", "compile", rebuilt, "--configuration", configuration]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(rebuilt) as archive:
        assert [name for name in archive.namelist() if name.startswith("binaries/") and name.endswith(".so")]
    assert fmpy.validation.validate_fmu(str(rebuilt)) == []
    expected, found = outputs(packed), outputs(rebuilt)
    assert expected.shape == found.shape
    assert (np.abs(expected - found) / (1 + np.abs(expected).max(axis=0))).max() < 1e-9


@pytest.mark.parametrize("name", REBUILT)
def test_nothing_but_the_headers_of_fmi_comes_from_elsewhere(name, version, tmp_path):
    """The sources need no include directory but FMI's, with the headers of that FMI version alone."""
    with zipfile.ZipFile(fmu_path(name, version)) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "fmi").mkdir()
    for header in (pathlib.Path(fmpy.__file__).parent / "c-code").glob(f"fmi{version[0]}*.h"):
        shutil.copy(header, tmp_path / "fmi")
    command = ["g++", "-std=c++20", "-M", "-MG", "-I", tmp_path / "fmi",
               tmp_path / "sources" / (MECHANISMS[name]["mechanism"]["name"] + ".cpp")]
    rule = subprocess.run(command, check=True, capture_output=True, text=True).stdout.replace("\\\n", " ")
    missing = [word for word in rule.split(":", 1)[1].split() if not os.path.exists(word)]
    assert missing == []
    assert not [word for word in rule.split() if "eigen3" in word or str(ROOT / "fmu_src") in word]


def test_licenses_are_with_what_they_are_for(model, version):
    with zipfile.ZipFile(fmu_path(model, version)) as archive:
        license_text = archive.read("documentation/licenses/license.txt").decode()
        assert "MIT License" in license_text and "Eigen" in license_text
        assert "Mozilla Public License Version 2.0" in archive.read("documentation/licenses/MPL-2.0.txt").decode()
        assert archive.read("sources/license.txt").decode() == license_text
        assert archive.read("sources/eigen/MPL-2.0.txt") == archive.read("documentation/licenses/MPL-2.0.txt")
        assert not [name for name in archive.namelist() if name.endswith(".h") and "/fmi" in name]
