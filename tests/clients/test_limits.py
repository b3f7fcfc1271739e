"""Tests that min and max of parameters and inputs hold when an importer sets them, in the variables' units."""

import math
import subprocess

import pytest

from fmu import ROOT, Failure, Fmu

MECHANISM = """
[mechanism]
name = "Limits"
dimension = "planar"
gravity = [0, -9.81]

[parameters]
length = { value = 800, unit = "mm", min = 100, max = 1000, tunable = true }
area = { value = "length^2", unit = "m2", max = 0.81 }
angle = { value = "pi/3", unit = "deg", max = 60 }

[inputs]
push = { unit = "kN", start = 0, min = -2, max = 2 }

[bodies.rod]
mass = 1
center_of_mass = ["length", 0]

[joints.A]
type = "revolute"
parent = "ground"
child = "rod"
angle = { start = "angle", fixed = true }

[forces.push]
type = "force"
at = "rod"
value = ["push", 0]
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("limits")
    text = MECHANISM.replace("[forces.push]", "[forces.pushing]")
    (folder / "mechanism.toml").write_text(text, encoding="utf-8")
    subprocess.run([ROOT / "build_fmu", folder, "--no-sources", "--output", folder], check=True)
    return folder


@pytest.fixture
def limits(folder, version, tmp_path):
    return Fmu(folder / version / "Limits.fmu", tmp_path)


@pytest.mark.parametrize("name, at, beyond, said", [
    ("length", 1000, 1000.5, "length cannot be 1000.5 mm: that is above its max, 1000 mm"),
    ("length", 100, 0.8, "length cannot be 0.8 mm: that is below its min, 100 mm"),
    ("push", -2, -2.25, "push cannot be -2.25 kN: that is below its min, -2 kN"),
    ("angle", 60, math.nextafter(60, 61), "angle cannot be 60.000000000000007 deg: that is above its max, 60 deg")])
def test_a_value_beyond_a_bound_is_refused_in_its_unit(limits, name, at, beyond, said):
    with limits.instance(**{name: at}) as instance:
        with pytest.raises(Failure) as failure:
            instance.set_all({name: beyond})
        assert said in str(failure.value)


def test_starts_lie_within_bounds_that_formulas_meet_but_for_rounding(limits):
    """60 deg as pi/3 is slightly more than 60 deg, and importers set the start again."""
    start = float(limits.variables["angle"].start)
    assert start <= float(limits.variables["angle"].max) == 60
    with limits.instance(angle=start) as instance:
        instance.start()


def test_a_calculated_parameter_is_checked_when_what_it_depends_on_is_taken_over(limits):
    with limits.instance() as instance:
        instance.start()
        instance.set_all({"length": 900})  # is 0.81 m2 up to rounding
        instance.step(0.01)
        before = instance.get("A.angle", "length", "area")
        instance.set_all({"length": 950})
        with pytest.raises(Failure, match=r"area cannot be 0\.9025 m2: that is above its max, 0\.81 m2"):
            instance.step(0.01)
        assert instance.get("A.angle", "area") == [before[0], before[2]]
