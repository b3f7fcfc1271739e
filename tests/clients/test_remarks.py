"""Tests remarks about a mechanism: reactions that redundant constraints share, in the log, if asked for, and on its
page; and another assembly that the start values might mean."""

import math
import os
import re
import subprocess
import zipfile

import fmpy
import pytest

from fmu import ROOT, fmu_path

EXPORTER = os.environ.get("MECHFMU_EXPORTER", ROOT / "build" / "mechfmu")

SHARED = "Redundant constraints share J0.reaction.force.x, .y, .z, J0.reaction.torque.x, .z, J1.reaction.force.x"


def messages(model, version, on):
    """Returns the FMU's messages while it is initialised."""
    said = []
    path = str(fmu_path(model, version))
    if version == "2.0":
        def logger(environment, name, status, category, text):
            said.append((status, category.decode(), text.decode()))
    else:
        def logger(environment, status, category, text):
            said.append((status, category.decode(), text.decode()))
    fmpy.simulate_fmu(path, stop_time=0.01, debug_logging=on, logger=logger)
    return said


def test_shared_reactions_are_a_warning_for_those_who_ask(version):
    warning = [entry for entry in messages("bricard", version, True) if SHARED in entry[2]]
    assert [(status, category) for status, category, _ in warning] == [(1, "logStatusWarning")]
    assert not messages("bricard", version, False)
    assert not messages("four_bar", version, True)


def test_shared_reactions_are_on_the_page(version):
    with zipfile.ZipFile(fmu_path("bricard", version)) as archive:
        assert SHARED in archive.read("documentation/index.html").decode()


OUT_OF_PLANE = {f"{joint}.reaction.{component}"
                for joint in "OABC" for component in ("force.z", "torque.x", "torque.y")}


def test_each_variable_tells_whether_it_is_shared():
    description = fmpy.read_model_description(str(fmu_path("four_bar_in_space", "2.0")))
    told = {v.name: v.description or "" for v in description.modelVariables}
    wrenches = {name for name in told if ".reaction." in name}
    for name in wrenches:
        vector, letter = name.rsplit(".", 1)
        shared = sorted(other[-1] for other in OUT_OF_PLANE if other.rsplit(".", 1)[0] == vector)
        are = " is" if len(shared) == 1 else " are"
        assert told[name].endswith(f", of which {' and '.join(shared)}{are} shared by redundant constraints: "
                                   "of least norm")
    assert not any("redundant" in text for name, text in told.items() if name not in wrenches)


# In this long parallelogram, closed the other way round, the links are hardly farther away from guesses of zero.
PARALLELOGRAM = """
[mechanism]
name = "Parallelogram"
dimension = "planar"

[ground.points]
D = [10, 0]

[bodies.crank]
mass = 1
inertia = 0.1
points.B = [1, 0]

[bodies.coupler]
mass = 2
inertia = 0.5
points.C = [10, 0]

[bodies.rocker]
mass = 1
inertia = 0.1
points.C = [1, 0]

[joints.A]
type = "revolute"
parent = "ground"
child = "crank"
angle = { unit = "deg", start = CRANK, fixed = true }

[joints.B]
type = "revolute"
parent = "crank.B"
child = "coupler"
angle = { unit = "deg"COUPLER }

[joints.C]
type = "revolute"
parent = "coupler.C"
child = "rocker.C"
angle = { unit = "deg" }

[joints.D]
type = "revolute"
parent = "ground.D"
child = "rocker"
angle = { unit = "deg"ROCKER }
"""
OTHER = re.compile(r"  Another assembly is about as near to the start values: with (.+) in place of (.+)"
                   r"\. Write as (its start which one is|their starts which ones are) meant\.\n")


def told(file, option):
    run = subprocess.run([EXPORTER, file, option], capture_output=True, text=True, check=True)
    return run.stdout


def rocker(file):
    """Returns the rocker's angle as it is found, in deg."""
    line = next(line for line in told(file, "--explain").splitlines() if line.split()[:2] == ["D.angle", "deg"])
    return float(line.split()[4])


@pytest.mark.parametrize("crank", [20, 60, 100, -150])
def test_another_assembly_is_told_with_the_starts_that_lead_to_it(tmp_path, crank):
    file = tmp_path / "parallelogram.toml"

    def write(**starts):
        text = PARALLELOGRAM.replace("CRANK", str(crank))
        for joint in "BD":
            start = f", start = {starts[joint]}" if joint in starts else ""
            text = text.replace("COUPLER" if joint == "B" else "ROCKER", start)
        file.write_text(text)

    write()
    said = OTHER.search(told(file, "--check"))
    joints = re.findall(r"'(.).angle' = ", said[1])
    other_starts, found_starts = (dict(zip(joints, re.findall(r"(\S+) deg", said[i]), strict=True)) for i in (1, 2))
    other, found = float(other_starts["D"]), float(found_starts["D"])
    assert said[0].strip() in told(file, "--explain")
    assert rocker(file) == pytest.approx(found, abs=0.1)
    # One of them follows the crank. The triangle that the diagonal cuts off gives the rocker's joint of the other.
    diagonal = math.hypot(10 - math.cos(math.radians(crank)), math.sin(math.radians(crank)))
    to_crank = math.atan2(math.sin(math.radians(crank)), math.cos(math.radians(crank)) - 10)
    between = math.acos((diagonal**2 + 1 - 100) / (2 * diagonal))
    crossed = {(math.degrees(to_crank + sign * between) + 180) % 360 - 180 for sign in (1, -1)}
    assert {round(other, 1), round(found, 1)} == {round(angle, 1) for angle in crossed}
    assert any(abs(angle - crank) < 1e-9 for angle in crossed)
    # If the file says which one is meant, the start takes it, and there is no remark.
    for starts in (found_starts, other_starts):
        write(**starts)
        assert rocker(file) == pytest.approx(float(starts["D"]), abs=0.1)
        assert "Another assembly" not in told(file, "--check")


def test_models_say_which_assembly_they_mean(model):
    assert "Another assembly" not in told(model, "--check")
