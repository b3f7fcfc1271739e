"""Tests the shared library in every FMU: what it needs, and what it shows to the outside."""

import platform
import re
import subprocess
import zipfile

import pytest

from fmu import fmu_path


@pytest.fixture
def library(model, version, tmp_path):
    with zipfile.ZipFile(fmu_path(model, version)) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".so"))
        return archive.extract(name, tmp_path)


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def test_only_functions_of_fmi_can_be_seen(library):
    names = [line.split()[-1] for line in lines("nm", "-D", "--defined-only", library)]
    assert sum(name.startswith("fmi2") for name in names) == 44
    assert sum(name.startswith("fmi3") for name in names) == 75
    assert len(names) == 44 + 75


def test_libc_and_libm_are_enough(library):
    needed = {re.search(r"\[(.*)\]", line)[1] for line in lines("readelf", "-d", library) if "NEEDED" in line}
    assert needed <= {"libc.so.6", "libm.so.6"}


def test_an_old_glibc_is_enough(library):
    """Only memcpy needs 2.14; the first glibc of the platform has all other functions."""
    versions = re.findall(r"GLIBC_(\d+)\.(\d+)", "\n".join(lines("nm", "-D", library)))
    assert versions
    assert max((int(a), int(b)) for a, b in versions) <= {"x86_64": (2, 14), "aarch64": (2, 17)}[platform.machine()]
