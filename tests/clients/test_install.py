"""Tests `cmake --install`: the program works in its new folder, also when that is moved, without the project."""

import os
import re
import subprocess
import zipfile

import pytest

from fmu import ROOT

MODEL, NAME = "guided_pendulum", "GuidedPendulum"
MARK = "This installation was changed by hand."


@pytest.fixture(scope="module")
def installation(tmp_path_factory):
    """Installs into one folder and moves it to another. Files that are changed there show whether they are used."""
    base = tmp_path_factory.mktemp("installed")
    subprocess.run(["cmake", "--install", ROOT / "build", "--prefix", base / "first"], check=True, capture_output=True)
    folder = (base / "first").rename(base / "second")
    shared = folder / "share" / "mechfmu"
    model = shared / "models" / MODEL / "mechanism.toml"
    model.write_text(re.sub(r'^description = ".*"$', f'description = "{MARK}"', model.read_text(), flags=re.MULTILINE))
    with open(shared / "fmu_parts" / "licenses" / "license.txt", "a", encoding="utf-8") as file:
        file.write(MARK)
    return folder


def run(installation, place, *arguments):
    return subprocess.run([installation / "bin" / "mechfmu", *arguments], cwd=place, text=True, capture_output=True,
                          env=os.environ | {"HOME": str(place), "XDG_CACHE_HOME": ""})


def test_it_knows_its_own_models(installation, tmp_path):
    listed = run(installation, tmp_path, "--list")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert MARK in listed.stdout
    assert len(listed.stdout.splitlines()) == len(list((ROOT / "models").glob("*/mechanism.toml")))


def test_it_exports_with_its_own_files(installation, tmp_path):
    exported = run(installation, tmp_path, MODEL, "--run", "--verbose")
    assert exported.returncode == 0, exported.stderr
    assert str(installation / "lib" / "mechfmu" / "libmechfmu_fmu.a") in exported.stdout + exported.stderr
    assert f"{ROOT}/" not in exported.stdout + exported.stderr
    for version in ("2.0", "3.0"):
        with zipfile.ZipFile(tmp_path / "fmus" / version / f"{NAME}.fmu") as archive:
            assert archive.read("documentation/licenses/license.txt").decode().endswith(MARK)
            assert MARK in archive.read("modelDescription.xml").decode()
    assert MARK in (tmp_path / "fmus" / f"{NAME}.html").read_text(encoding="utf-8")
