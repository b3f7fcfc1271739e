"""Tests states of a file in exported FMUs, in co-simulation and model exchange, against closed forms."""

import math

import fmpy
import fmpy.validation
import numpy as np
import pytest

from fmu import Fmu
from test_contacts import exported

MOTOR = """
[mechanism]
name = "Motor"
dimension = "planar"
[parameters]
R = { value = 0.5, unit = "Ohm" }
L = { value = 0.25, unit = "H" }
k = { value = 1.5, unit = "V.s" }
[inputs]
voltage = { unit = "V", start = 12 }
[states.current]
unit = "mA"
start = "steady"
guess = 100
rate = "(voltage - R*current - k*der(A.angle))/L"
[bodies.rotor]
mass = 1
inertia = 0.4
[joints.A]
type = "revolute"
parent = "ground"
child = "rotor"
angle = { rate_start = 6, rate_fixed = true }
[forces.motor]
type = "joint_force"
coordinate = "A.angle"
value = "k*current"
"""

SAW = """
[mechanism]
name = "Saw"
[parameters]
T = { value = 1, unit = "s" }
[inputs]
button = {}
[coordinates]
x = { unit = "m" }
[states]
s = { rate = "2/T", reset = { when = "s > 1", value = "s/4" } }
falls = { rate = "0/T", reset = { when = "s >= 1", value = "falls + 1" } }
since = { rate = "1/T", reset = { when = "button > 0.5", value = 0 } }
[dynamics]
kinetic_energy = "2*der(x)^2/2"
[dynamics.forces]
x = "3*s"
"""


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    return {"Motor": exported(tmp_path_factory, "Motor", MOTOR), "Saw": exported(tmp_path_factory, "Saw", SAW)}


def motor(t):
    """Returns the current in mA and the speed of the motor."""
    R, L, k, J, u = 0.5, 0.25, 1.5, 0.4, 12
    A = np.array([[-R / L, -k / L], [k / J, 0]])
    rest = np.linalg.solve(A, [-u / L, 0])
    values, vectors = np.linalg.eig(A)
    part = np.linalg.solve(vectors, np.array([(u - k * 6) / R, 6]) - rest)
    current, speed = (vectors @ (np.exp(values * t) * part)).real + rest
    return 1000 * current, speed


@pytest.mark.parametrize("kind", ("CoSimulation", "ModelExchange"))
def test_a_motor_runs_up(paths, version, kind):
    path = paths["Motor"][version]
    assert fmpy.validation.validate_fmu(str(path)) == []
    rows = fmpy.simulate_fmu(str(path), fmi_type=kind, stop_time=1, output_interval=0.05, relative_tolerance=1e-10,
                             output=["current", "der(A.angle)", "der(current)"])
    for row in rows:
        current, speed = motor(row["time"])
        assert row["current"] == pytest.approx(current, rel=1e-6)
        assert row["der(A.angle)"] == pytest.approx(speed, rel=1e-6)
        assert row["der(current)"] == pytest.approx((12000 - 0.5 * current - 1500 * speed) / 0.25, rel=1e-5, abs=1e-3)


def test_derivatives_by_states_and_starts(paths, version, tmp_path):
    fmu = Fmu(paths["Motor"][version], tmp_path)
    reference = fmu.references
    with fmu.instance() as instance:
        def slopes(of, by):
            return instance.slave.getDirectionalDerivative([reference[name] for name in of], [reference[by]], [1.0])

        instance.enter()
        assert slopes(["current", "der(current)"], "voltage") == pytest.approx([2000, 0], abs=1e-9)
        assert slopes(["current", "motor.torque"], "A.angle_rate_start") == pytest.approx([-3000, -4.5])
        instance.exit()
        instance.step(0.1)
        assert slopes(["der(current)", "der(A.angle,2)"], "current") == pytest.approx([-2, 1.5e-3 / 0.4])
        assert slopes(["der(current)", "current"], "voltage") == pytest.approx([4000, 0])


def test_a_saw_falls(paths, version):
    for kind in ("CoSimulation", "ModelExchange"):
        rows = fmpy.simulate_fmu(str(paths["Saw"][version]), fmi_type=kind, stop_time=2, output_interval=0.01,
                                 relative_tolerance=1e-9, record_events=False, output=["s", "falls", "x"])
        for row in rows:
            since = row["time"] - 0.5
            if abs((since / 0.375 + 0.5) % 1 - 0.5) < 0.01:
                continue  # A row at a fall may show either side.
            falls = max(0, math.floor(since / 0.375) + 1)
            assert row["falls"] == falls
            assert row["s"] == pytest.approx(2 * row["time"] if falls == 0 else 0.25 + 2 * (since % 0.375), abs=1e-6)


def test_a_button_resets(paths, version, tmp_path):
    fmu = Fmu(paths["Saw"][version], tmp_path)
    with fmu.instance() as instance:
        instance.start()
        instance.step_to(0.7)
        assert instance.get("since") == pytest.approx(0.7)
        instance.set(button=1)
        instance.step_to(1)
        assert instance.get("since") == pytest.approx(0.3)
        instance.step_to(1.1)
        assert instance.get("since") == pytest.approx(0.4)
