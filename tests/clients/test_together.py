"""Tests that files of a room can be compiled together, as in the build that ./build_fmu makes first. Names in unnamed
namespaces then stand beside each other, and no file's `using` may change what another one means."""

import concurrent.futures
import json
import shlex
import subprocess

import pytest

from fmu import ROOT


def commands(folder):
    """Configures such a build and returns the command for each file that includes a part of a room."""
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DMECHFMU_TOGETHER=ON",
                    "-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"],
                   check=True, capture_output=True)
    entries = json.loads((folder / "compile_commands.json").read_text())
    return {entry["file"]: shlex.split(entry["command"]) for entry in entries if "/Unity/" in entry["file"]}


def test_files_of_a_room_can_be_compiled_together(tmp_path):
    if "MECHFMU_TOGETHER:BOOL=ON" in (ROOT / "build" / "CMakeCache.txt").read_text():
        pytest.skip("this build was compiled so")
    found = commands(tmp_path / "build")
    assert len(found) > 12

    def compile_only(command):
        object_file = command.index("-o")
        return subprocess.run([*command[:object_file], *command[object_file + 2:], "-fsyntax-only", "-Werror"],
                              cwd=tmp_path / "build", text=True, capture_output=True).stderr

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert "".join(pool.map(compile_only, found.values())) == ""
