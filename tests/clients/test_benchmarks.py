"""Tests that the programs of benchmarks/ compile, one of each kind. They share headers with the core but no tests."""

import shlex
import subprocess

import pytest

from fmu import ROOT

BUILD = ROOT / "build"


def ninja(*arguments):
    return subprocess.run(["ninja", "-C", BUILD, *arguments], text=True, capture_output=True)


@pytest.mark.parametrize("program, mechanism", [
    ("host", None), ("generate_sources", None), ("overhead_four_bar_equations", "four_bar_equations"),
    ("evaluation_four_bar_equations", "four_bar_equations"), ("evaluation_of_slider_crank", "slider_crank"),
    ("methods_slider_crank", "slider_crank")])
def test_a_benchmark_compiles(program, mechanism):
    """Only checks the syntax, since optimising would take long."""
    if mechanism:
        made = ninja(f"sources_{mechanism}")
        assert made.returncode == 0, made.stdout
    commands = ninja("-t", "commands", program).stdout.splitlines()
    compiled = [command for command in commands
                if f"/{program}.dir/" in command and f"-c {ROOT}/benchmarks/" in command]
    assert len(compiled) == 1
    words = shlex.split(compiled[0])
    words = [word for i, word in enumerate(words)
             if word not in ("-o", "-MD", "-MF", "-MT") and words[i - 1] not in ("-o", "-MF", "-MT")]
    run = subprocess.run([*words, "-fsyntax-only"], cwd=BUILD, text=True, capture_output=True)
    assert run.returncode == 0, run.stderr
