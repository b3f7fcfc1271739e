"""Tests what physics and geometry ask of the numbers that an importer sets."""

import os
import subprocess

import pytest

from fmu import ROOT, Failure, Fmu

EXPORTER = os.environ.get("MECHFMU_EXPORTER", ROOT / "build" / "mechfmu")
MECHANISM = """
[mechanism]
name = "Conditions"
dimension = "planar"

[parameters]
distance = { value = 300, unit = "mm" }
first = { value = 100, unit = "mm", tunable = true }
k = { value = 2, unit = "N.m", tunable = true }
d = { value = 0.1, unit = "N.m.s" }

[inputs]
stiffer = { start = 1 }

[ground.points]
Q = ["distance", 0]

[bodies.pinion]
mass = 1
inertia = 0.1

[bodies.wheel]
mass = 1
inertia = 0.1

[joints.A]
type = "revolute"
parent = "ground"
child = "pinion"
angle = { start = 0.3, fixed = true }

[joints.B]
type = "revolute"
parent = "ground.Q"
child = "wheel"

[couplings.teeth]
type = "mesh"
first = "A"
second = "B"
radius_first = "first"
radius_second = 0.2

[forces.spring]
type = "joint_spring_damper"
coordinate = "A.angle"
stiffness = "k*stiffer"
damping = "d"
"""


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conditions")
    (folder / "conditions.toml").write_text(MECHANISM)
    subprocess.run([EXPORTER, folder / "conditions.toml", "--output", folder], check=True)
    return folder


@pytest.fixture
def fmu(exported, version, tmp_path):
    return Fmu(exported / version / "Conditions.fmu", tmp_path)


def test_a_parameter_by_itself_has_its_limit_as_min(fmu):
    limits = {name: fmu.variables[name].min for name in ("distance", "first", "k", "d")}
    assert limits == {"distance": None, "first": None, "k": None, "d": "0"}


@pytest.mark.parametrize("values, message", [
    ({"distance": 310}, "The distance between the axes of 'A' and 'B' is 310 mm at t = 0 s, but the sum of the radii "
                        "of the mesh 'teeth' is 300 mm; correct a radius or a point"),
    ({"k": -1}, "'stiffness' of the force 'spring' is -1 N.m at t = 0 s, and must not be negative"),
    ({"stiffer": -1}, "'stiffness' of the force 'spring' is -2 N.m at t = 0 s, and must not be negative"),
])
def test_a_start_with_impossible_numbers_is_refused(fmu, values, message):
    with fmu.instance() as instance:
        instance.enter()
        instance.set(**values)
        with pytest.raises(Failure, match=message.replace(".", r"\.")):
            instance.exit()


def test_a_step_with_impossible_numbers_is_refused(fmu):
    for values, message in [({"first": 90}, "the sum of the radii of the mesh 'teeth' is 290 mm"),
                            ({"k": -1}, "'stiffness' of the force 'spring' is -1 N.m at t = 0.1 s"),
                            ({"stiffer": -1}, "'stiffness' of the force 'spring' is -2 N.m at t = 0.1 s")]:
        with fmu.instance() as instance:
            instance.start()
            instance.step_to(0.1)
            instance.set(**values)
            with pytest.raises(Failure, match=message):
                instance.step(0.1)


def test_what_fits_again_goes_on(fmu):
    with fmu.instance() as instance:
        instance.enter()
        instance.set(distance=310, first=110)
        instance.exit()
        instance.step_to(0.1)
