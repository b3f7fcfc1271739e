"""The sources have one style: C++ as .clang-format says, Python and shell scripts without what their linters find."""

import pathlib
import re
import subprocess
import sys

import pytest

from fmu import ROOT

TOOLS = pathlib.Path(sys.executable).parent  # of requirements-test.txt, in the versions that it names
FOLDERS = sorted(path for path in ROOT.iterdir()
                 if path.is_dir() and path.name not in {"build", "fmus"} and not path.name.startswith("."))
CPP = sorted(path for folder in FOLDERS for path in folder.rglob("*") if path.suffix in (".c", ".cpp", ".h", ".hpp"))
SHELL = [ROOT / ".ci" / "run", *sorted(path for path in ROOT.glob("*_*") if path.is_file()),
         *sorted((ROOT / "scripts").glob("*.sh"))]


def found(tool, *arguments):
    """What a tool says of the sources; it runs in their folder, so that it finds its configuration there."""
    run = subprocess.run([TOOLS / tool, *arguments], cwd=ROOT, text=True, capture_output=True)
    return run.returncode, run.stdout + run.stderr


def differ_from_clang_format(files):
    """Those of the files that clang-format would change."""
    _, text = found("clang-format", "--dry-run", "-Werror", *files)
    said = {pathlib.Path(name) for name in re.findall(r"^(.+?):\d+:\d+: error: ", text, re.MULTILINE)}
    assert said or not text, text
    return sorted(said)


def test_cpp_is_formatted():
    """`.venv/bin/clang-format -i FILE` mends a file."""
    assert len(CPP) > 200
    assert [str(path.relative_to(ROOT)) for path in differ_from_clang_format(CPP)] == []


def test_a_file_with_another_format_is_named(tmp_path):
    (tmp_path / ".clang-format").write_text((ROOT / ".clang-format").read_text())
    texts = {"right.hpp": "int right();\n", "wrong.hpp": "int  wrong ( ) ;\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert differ_from_clang_format([tmp_path / name for name in texts]) == [tmp_path / "wrong.hpp"]


def test_python_is_clean():
    """The rules are in pyproject.toml; `.venv/bin/ruff check --fix` mends most of what it finds."""
    assert found("ruff", "check", "--quiet", "--output-format", "concise", ".") == (0, "")


def test_the_types_of_python_agree():
    """Of all functions in scripts/, which exports run. Tests have no types of their own."""
    assert found("mypy", "--no-error-summary", "scripts", "benchmarks") == (0, "")


def test_clang_tidy_finds_nothing():
    """In fmu_src, with the checks of .clang-tidy. What has not changed since is not looked at again."""
    for command in (["cmake", "--preset", "tidy"], ["cmake", "--build", "--preset", "tidy", "--", "-k", "0"]):
        run = subprocess.run(command, cwd=ROOT, text=True, capture_output=True)
        told = re.findall(r"^.*(?:error|warning): .*$", run.stdout + run.stderr, re.MULTILINE | re.IGNORECASE)
        assert (run.returncode, told) == (0, [])


@pytest.mark.parametrize("script", SHELL, ids=lambda path: path.name)
def test_shell_scripts_are_clean(script):
    """ShellCheck finds what the shell would stumble over at run time."""
    assert script.read_text().startswith(("#!/usr/bin/env bash\n", "# shellcheck shell=bash\n"))
    assert subprocess.run(["bash", "-n", script], capture_output=True, text=True).stderr == ""
    assert found("shellcheck", "--external-sources", str(script)) == (0, "")
