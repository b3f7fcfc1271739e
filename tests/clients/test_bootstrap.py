"""Tests what scripts/bootstrap.sh shows during the first build, with a build of three steps in place of our own."""

import os
import pty
import re
import shutil
import subprocess

import pytest

from fmu import ROOT

SAYS = "mechfmu: building the exporter, once; this takes a minute or two\n"


@pytest.fixture
def project(tmp_path):
    """Makes a folder with the scripts and an environment that is ready; CMake writes a build of three steps."""
    folder, programs = tmp_path / "project", tmp_path / "programs"
    for name in (folder / "scripts", folder / ".venv" / "bin", programs):
        name.mkdir(parents=True)
    for name in ("bootstrap.sh", "debian.sh", "requirements.txt"):
        shutil.copy(ROOT / "scripts" / name, folder / "scripts")
    (folder / ".venv" / "bin" / "python").symlink_to(ROOT / ".venv" / "bin" / "python")
    (folder / ".venv" / ".installed").write_text(f"{folder}\n{(ROOT / 'scripts' / 'requirements.txt').read_text()}")
    (folder / "rules").write_text("rule make\n  command = touch $out\n"
                                  "build one: make\nbuild two: make one\nbuild mechfmu: make two\n")
    (programs / "cmake").write_text('#!/bin/sh\necho "$@" >>asked\nmkdir -p build && cp rules build/build.ninja\n')
    (programs / "cmake").chmod(0o755)
    return folder


def environment(project):
    return os.environ | {"PATH": f"{project.parent / 'programs'}:{os.environ['PATH']}"}


def bootstrap(project, *options):
    """Returns exit code, standard output and error output of a build that nobody watches."""
    run = subprocess.run([project / "scripts" / "bootstrap.sh", *options, "mechfmu"], env=environment(project),
                         text=True, capture_output=True, timeout=60)
    return run.returncode, run.stdout, run.stderr


def watched(project):
    """Returns exit code and the output on a terminal."""
    ours, terminal = pty.openpty()
    process = subprocess.Popen([project / "scripts" / "bootstrap.sh", "mechfmu"], env=environment(project),
                               stdout=terminal, stderr=terminal)
    os.close(terminal)
    shown = b""
    try:
        while part := os.read(ours, 4096):
            shown += part
    except OSError:  # Nobody writes there any more.
        pass
    os.close(ours)
    return process.wait(), shown.decode().replace("\r\n", "\n")


def test_on_a_terminal_one_line_tells_how_far_the_build_is(project):
    code, shown = watched(project)
    assert code == 0
    assert shown == SAYS + "".join(f"\rmechfmu: [{step}/3]" for step in (1, 2, 3)) + "\r\033[K"
    assert (project / "build" / ".exporter-made").exists()


def test_without_a_terminal_nothing_is_told_of_it(project):
    assert bootstrap(project) == (0, "", SAYS)


@pytest.mark.parametrize("run", [watched, bootstrap], ids=["terminal", "file"])
def test_a_build_that_fails_says_what_the_compiler_said(project, run):
    rules = project / "rules"
    fails = "rule fail\n  command = echo [unused/2] told; exit 1\nbuild two: fail one"
    rules.write_text(rules.read_text().replace("build two: make one", fails))
    code, *texts = run(project)
    assert code == 1
    shown = "".join(texts)
    assert re.search(r"^\[unused/2\] told$", shown, re.MULTILINE)
    assert shown.endswith("mechfmu: the build failed\n")
    assert not (project / "build" / ".exporter-made").exists()


@pytest.mark.parametrize(("runs", "together"), [([[]], [True]), ([["--tests"]], [False]),
                                                ([[], ["--tests"]], [True, True]), ([["--tests"], []], [False])],
                         ids=["user", "developer", "user who tests", "developer who exports"])
def test_files_are_compiled_together_if_the_first_build_has_no_tests(project, runs, together):
    (project / ".venv" / ".installed-test").write_text((ROOT / "scripts" / "requirements-test.txt").read_text())
    shutil.copy(ROOT / "scripts" / "requirements-test.txt", project / "scripts")
    for options in runs:
        assert bootstrap(project, *options)[0] == 0
    asked = (project / "asked").read_text().splitlines()
    assert ["-DMECHFMU_TOGETHER=ON" in line for line in asked] == together
