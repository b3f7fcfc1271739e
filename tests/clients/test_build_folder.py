"""Tests that only processes that write into the shared folder build/ wait for others that do, and say for whom."""

import pathlib
import subprocess
import time

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = "guided_pendulum"


@pytest.fixture
def somebody_builds():
    """Holds the lock of the build folder, as a build does."""
    holder = subprocess.Popen(["flock", "--no-fork", str(ROOT), "sleep", "600"])
    while subprocess.run(["flock", "--nonblock", str(ROOT), "true"]).returncode == 0:
        time.sleep(0.05)
    yield
    holder.terminate()
    holder.wait()


@pytest.mark.parametrize("option", ["--check", "--explain", "--list"])
def test_who_writes_nothing_there_does_not_wait(somebody_builds, option):
    arguments = [option] if option == "--list" else [MODEL, option]
    run = subprocess.run([ROOT / "build_fmu", *arguments], text=True, capture_output=True, timeout=60)
    assert (run.returncode, run.stderr) == (0, "")


def test_nor_does_an_export(somebody_builds, tmp_path):
    run = subprocess.run([ROOT / "build_fmu", MODEL, "--output", tmp_path], text=True, capture_output=True, timeout=300)
    assert (run.returncode, run.stderr) == (0, "")


def test_who_waits_says_for_whom(tmp_path):
    lock = f". {ROOT}/scripts/debian.sh; lock {tmp_path} 'builds in this folder'"
    first = subprocess.Popen(["bash", "-c", f"bash -c \"{lock}; echo locked; sleep 3\"; true", "the first"], text=True,
                             stdout=subprocess.PIPE)
    assert first.stdout.readline() == "locked\n"
    second = subprocess.run(["bash", "-c", f"{lock}; echo locked"], text=True, capture_output=True, timeout=60)
    assert second.stdout == "locked\n"
    assert second.stderr.startswith("mechfmu: waiting for bash -c ")
    assert second.stderr.endswith(f"the first (process {first.pid}), which builds in this folder\n")
    first.communicate()
