"""Tests that rooms know only those that they are built on: the build says so, and docs/architecture.md agrees."""

import re
import subprocess

import pytest

from fmu import ROOT

BUILD = ROOT / "build"


def rooms():
    """Returns for each room its folder and the rooms that it is built on, as CMake has them."""
    found = {}
    for path in (ROOT / "CMakeLists.txt", ROOT / "fmu_src/CMakeLists.txt"):
        text = path.read_text(encoding="utf-8")
        above = path.parent.relative_to(ROOT)
        for name, folder, on in re.findall(r"^add_room\((\w+) ([\w/]+)(?: UNDER \w+)?(?: ON ([\w ]+))?\)", text, re.M):
            found[name] = ((above / folder).as_posix(), on.split())
        for name, on in re.findall(r"^add_core_room\((\w+)((?: \w+)*)\)", text, re.M):
            found[name] = (f"fmu_src/{name}", on.split())
        headers = r"^target_link_libraries\(mechfmu_(\w+)_headers INTERFACE mechfmu_(\w+)_headers\)"
        for name, lower in re.findall(headers, text, re.M):
            found[name][1].append(lower)
    return found


def all_below(name, known):
    below = set()
    for lower in known[name][1]:
        below |= {lower} | all_below(lower, known)
    return below


def test_every_folder_of_sources_is_a_room():
    folders = {folder for folder, _ in rooms().values()}
    sources = [path.relative_to(ROOT) for path in ROOT.rglob("*.cpp")
               if path.relative_to(ROOT).parts[0] not in ("build", ".venv", "tests", "benchmarks", "models")]
    assert len(sources) > 150
    assert [str(path) for path in sources if not any(str(path).startswith(folder + "/") for folder in folders)] == []


def test_the_document_tells_what_rooms_are_built_on():
    table = re.search(r"\n\| room \|.*?\n\n", (ROOT / "docs/architecture.md").read_text(encoding="utf-8"), re.S)[0]
    told = {}
    for folder, on in re.findall(r"^\| `([\w/]+)/` \|.*\|([^|]*)\|$", table, re.M):
        told[folder] = set(re.findall(r"\w+", on.split(";")[0]))
    known = rooms()
    assert {folder: {lower for lower in on if lower in known} for folder, on in told.items()} == {
        folder: set(on) for folder, on in known.values()}


@pytest.mark.parametrize("name", sorted(rooms()))
def test_higher_rooms_cannot_be_included(name):
    known = rooms()
    visible = {name} | all_below(name, known)
    include = [part for room in visible for part in ("-I", str(next(BUILD.glob(f"**/rooms/{room}"))))]
    for folder in {folder for room, (folder, _) in known.items() if room not in visible}:
        header = next((ROOT / folder).rglob("*.hpp")).relative_to(ROOT).as_posix()
        for spelling in {header, header.removeprefix("fmu_src/")}:
            run = subprocess.run(["g++", "-x", "c++", "-M", *include, "-"], input=f'#include "{spelling}"\n',
                                 cwd=BUILD, capture_output=True, text=True)
            assert run.returncode != 0 and "No such file" in run.stderr, (name, spelling)


def types_of(text):
    """Returns the types that a file defines outside of functions and unnamed namespaces, with their namespaces."""
    text = re.sub(r"^namespace \{\n.*?^\}  // namespace\n", "", text, flags=re.S | re.M)
    found, above = set(), ""
    kinds = "enum class|enum|struct|class|union"
    for space, name in re.findall(rf"^(?:namespace ([\w:]+) \{{|(?:{kinds}) ([\w:]+)[^;()\n]*\{{)", text, re.M):
        above = space or above
        if name:
            found.add(f"{above}::{name}")
    return found


def test_two_rooms_have_no_types_of_one_name():
    """Programs link all rooms: the linker keeps one destructor of such types for both, and tells nobody."""
    where = {}
    for folder in {folder for folder, _ in rooms().values()}:
        for path in (ROOT / folder).rglob("*.?pp"):
            for name in types_of(path.read_text(encoding="utf-8")):
                where.setdefault(name, set()).add(path.relative_to(ROOT).as_posix())
    assert len(where) > 300
    assert {name: sorted(files) for name, files in where.items() if len(files) > 1} == {}
