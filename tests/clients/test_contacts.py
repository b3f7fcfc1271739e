"""Tests contacts, limits and couplings that come and go in exported FMUs: what they show, what happens at events, saved
states, derivatives, and that nothing else has them."""

import math
import subprocess

import fmpy.validation
import pytest
from fmpy.fmi1 import FMICallException

from fmu import ROOT, VERSIONS, Failure, Fmu
from test_derivatives import directional
from test_features import EXPORTER

BALL = """
[mechanism]
name = "Ball"
[parameters]
m = { value = 2, unit = "kg" }
g = { value = 9.81, unit = "m/s2" }
e = { value = 0.5, tunable = true }
[inputs]
push = { unit = "N" }
[coordinates]
x = { unit = "m", start = 0, rate_start = 0.5 }
y = { unit = "m", start = 1 }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
potential_energy = "m*g*y"
[dynamics.forces]
x = "push"
[contacts.floor]
gap = "y"
slip = "der(x)"
friction = 0.1
static = 0.2
restitution = "e"
"""

SHAFTS = """
[mechanism]
name = "Shafts"
dimension = "planar"
[inputs]
pressure = { start = 0 }
locked = { start = 0 }
[bodies.motor]
mass = 1
inertia = 2
[bodies.shaft]
mass = 1
inertia = 3
[bodies.wheel]
mass = 1
inertia = 1
[joints.A]
type = "revolute"
parent = "ground"
child = "motor"
angle = { rate_start = 10 }
[joints.B]
type = "revolute"
parent = "ground"
child = "shaft"
[joints.C]
type = "revolute"
parent = "ground"
child = "wheel"
angle = { unit = "deg", limits = ["none", 90], restitution = 0.5 }
[couplings.clutch]
type = "clutch"
first = "A.angle"
second = "B.angle"
capacity = "6*pressure"
[couplings.freewheel]
type = "one_way"
first = "B.angle"
second = "C.angle"
[couplings.park]
type = "lock"
coordinate = "A.angle"
when = "locked > 0.5"
"""


def exported(tmp_path_factory, name, text):
    folder = tmp_path_factory.mktemp(name)
    (folder / f"{name}.toml").write_text(text)
    subprocess.run([EXPORTER, folder / f"{name}.toml", "--output", folder], check=True, capture_output=True)
    return {version: folder / version / f"{name}.fmu" for version in VERSIONS}


@pytest.fixture(scope="module")
def balls(tmp_path_factory):
    return exported(tmp_path_factory, "Ball", BALL)


@pytest.fixture(scope="module")
def shafts(tmp_path_factory):
    return exported(tmp_path_factory, "Shafts", SHAFTS)


def test_contacts_have_their_variables(balls, version, tmp_path):
    assert fmpy.validation.validate_fmu(str(balls[version])) == []
    ball = Fmu(balls[version], tmp_path)
    assert ball.description.modelExchange is not None and ball.description.coSimulation is not None
    outputs = set(ball.names(causality="output"))
    assert {"floor.gap", "floor.slip", "floor.normal.force", "floor.friction.force"} <= outputs
    for name in ("floor.state", "floor.normal.impulse", "floor.friction.impulse", "solver.events"):
        assert ball.variables[name].causality == "local"
    for name in ("floor.state", "floor.normal.impulse", "floor.friction.impulse"):
        assert ball.variables[name].variability == "discrete"


def test_a_ball_lands_slides_and_stands(balls, version, tmp_path):
    fall, speed = math.sqrt(2 / 9.81), math.sqrt(2 * 9.81)
    with Fmu(balls[version], tmp_path).instance() as instance:
        instance.start()
        instance.step(0.5)
        # The impact takes 0.1 times the normal impulse out of the slip, which is more than the slip has: it ends there.
        assert instance.get("floor.normal.impulse") == pytest.approx(1.5 * 2 * speed, rel=1e-8)
        assert instance.get("floor.friction.impulse") == pytest.approx(-2 * 0.5 if 0.3 * speed > 0.5 else 0, rel=1e-8)
        assert instance.get("floor.state", "solver.events") == [0, 1]
        instance.step(2)
        assert instance.get("floor.state") == 2
        assert instance.get("y", "der(y)", "floor.gap") == [0, 0, 0]
        assert instance.get("floor.normal.force") == pytest.approx(2 * 9.81, rel=1e-12)
        x = instance.get("x")
        assert x == pytest.approx(0.5 * fall, rel=1e-8)
        # A push below the coefficient of rest holds, a larger one slides against the smaller one.
        instance.set(push=3.9)
        instance.step(1)
        assert instance.get("x", "floor.state", "floor.friction.force") == [x, 2, -3.9]
        instance.set(push=4)
        instance.step(1)
        assert instance.get("floor.state") == 1
        assert instance.get("x") - x == pytest.approx((4 - 0.1 * 2 * 9.81) / 2 / 2, rel=1e-8)


def test_couplings_come_and_go(shafts, version, tmp_path):
    with Fmu(shafts[version], tmp_path).instance() as instance:
        instance.start()
        instance.step(1)
        assert instance.get("der(A.angle)", "der(B.angle)", "coupling.clutch.state") == [10, 0, 1]
        instance.set(pressure=1)
        instance.step(1)
        # The clutch drives the shaft, and the freewheel takes the wheel along: 6 N.m on 3 + 1 kg.m2.
        assert instance.get("der(A.angle)") == pytest.approx(7, rel=1e-9)
        assert instance.get("der(B.angle)") == pytest.approx(1.5, rel=1e-9)
        assert instance.get("der(C.angle)") == pytest.approx(math.degrees(1.5), rel=1e-9)
        assert instance.get("coupling.clutch.multiplier", "coupling.freewheel.multiplier") == pytest.approx([-6, 1.5])
        assert instance.get("C.angle") == pytest.approx(math.degrees(0.75), rel=1e-9)
        # The wheel meets its limit at 1.5 t²/2 = π/2 and throws itself and the shaft back with half of the speed.
        instance.step(0.5)
        speed = 1.5 * math.sqrt(math.pi / 1.5)
        assert instance.get("C.angle.limit.impulse") == pytest.approx(-1.5 * 4 * speed, rel=1e-8)
        assert instance.get("C.angle.limit.state", "solver.events") == [0, 2]  # The freewheel has closed before.
        instance.set(locked=1)
        instance.step(0.25)
        assert instance.get("der(A.angle)", "coupling.park.state") == [0, 2]
        assert instance.get("coupling.park.impulse") == pytest.approx(-2 * (10 - 3 * 1.5), rel=1e-8)
        instance.set(locked=0, pressure=0)
        instance.step(0.25)
        assert instance.get("coupling.park.state") == 0


def test_states_go_back_across_events(shafts, version, tmp_path):
    names = ["A.angle", "B.angle", "C.angle", "coupling.clutch.state", "C.angle.limit.impulse", "solver.events",
             "solver.evaluations", "coupling.freewheel.multiplier"]
    with Fmu(shafts[version], tmp_path).instance(pressure=1) as instance:
        instance.start()
        states, values = [], []
        for _ in range(40):
            states.append((instance.save(), instance.time))
            values.append(instance.get(*names))
            instance.step(0.11)
        assert values[-1][names.index("solver.events")] > 2
        for (state, time), value, next_value in list(zip(states, values, values[1:]))[::-1]:
            instance.restore(state, time)
            assert instance.get(*names) == value
            instance.step(0.11)
            assert instance.get(*names) == next_value
        for state, _ in states:
            instance.discard(state)


def test_derivatives_hold_the_modes(balls, version, tmp_path):
    ball = Fmu(balls[version], tmp_path)
    with ball.instance(push=4) as instance:
        instance.start()
        instance.step(2.5)
        assert instance.get("floor.state") == 1
        outputs = [ball.references[name] for name in ("der(der(x))", "floor.normal.force", "floor.friction.force")
                   if name in ball.references]
        slopes = list(directional(instance.slave, outputs, [ball.references["push"]], [1.0]))
        assert slopes[-2:] == pytest.approx([0, 0], abs=1e-12)
        for name in ("floor.state", "floor.normal.impulse"):
            try:
                slope = directional(instance.slave, [ball.references[name]], [ball.references["push"]], [1.0])
                assert list(slope) == [0]
            except FMICallException:
                assert "has no derivatives" in instance.messages[-1]


def test_a_start_that_penetrates_names_the_contact(balls, version, tmp_path):
    what = r"the gap of the contact 'floor' is -0\.25 m: it has to be 0 or more"
    with Fmu(balls[version], tmp_path).instance(y_start=-0.25) as instance, pytest.raises(Failure, match=what):
        instance.start()


def test_redundant_joints_feel_what_the_equations_do(tmp_path):
    """A four-bar of bodies in space, whose loop is redundant, and its two loop equations meet the same stop."""
    end = 1.2
    found = {}
    for model, angle in (("four_bar_in_space", "O.angle"), ("four_bar_equations", "theta1")):
        text = (ROOT / "models" / model / "mechanism.toml").read_text(encoding="utf-8")
        path = tmp_path / f"{model}.toml"
        path.write_text(f'{text}\n[contacts.stop]\ngap = "{angle} + 0.3"\nrestitution = 1\n', encoding="utf-8")
        subprocess.run([EXPORTER, path, "--fmi", "3", "--arrays", "--output", tmp_path], check=True)
        name = "".join(word.capitalize() for word in model.split("_"))
        found[model] = Fmu(tmp_path / "3.0" / f"{name}.fmu", tmp_path / model)
    with found["four_bar_in_space"].instance() as bodies, found["four_bar_equations"].instance() as equations:
        for one in (bodies, equations):
            one.start()
            one.step(end)
        stop = bodies.get("stop.normal.impulse")
        assert stop == pytest.approx(equations.get("stop.normal.impulse"), rel=1e-7) and stop > 20
        references = found["four_bar_in_space"].references
        vector = {name: list(bodies.slave.getFloat64([references[name]], nValues=3))
                  for name in ("A.impulse.force", "A.impulse.torque")}
        assert vector["A.impulse.force"] == pytest.approx(
            [*equations.get("constraint.closure_x.impulse", "constraint.closure_y.impulse"), 0], rel=1e-7, abs=1e-9)
        assert vector["A.impulse.torque"] == pytest.approx([0, 0, 0], abs=1e-9)


def test_other_fmus_have_no_contacts(fmus, version):
    four_bar = fmus("four_bar", version)
    assert not [name for name in four_bar.variables if name.endswith((".state", ".impulse")) or name == "solver.events"]
