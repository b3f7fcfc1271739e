"""Tests contacts by surfaces of bodies in exported FMUs: rolling, sliding, standing and colliding against closed forms,
a disk against the joint that rolls, and states that go back."""

import math

import pytest

from fmu import Fmu
from test_contacts import exported

G = 9.81

RAMP = """
[mechanism]
name = "Ramp"
dimension = "spatial"
gravity = [0, 0, -9.81]
[parameters]
slope = { value = 20, unit = "deg" }
mu = 0.3
[ground.points]
ramp = { at = [0, 0, 0], rotation = { axis = [0, 1, 0], angle = "slope" } }
[bodies.thing]
mass = 2
inertia = INERTIA
[joints.where]
type = "free"
parent = "ground.ramp"
child = "thing"
z = { start = HEIGHT, fixed = true }
[contacts.c]
first = { body = "thing", SHAPE }
second = { body = "ground", plane = [0, 0, 1], at = "ramp" }
friction = "mu"
[solver]
tolerance = 1e-10
"""

COIN = """
[mechanism]
name = "Coin"
dimension = "spatial"
gravity = [0, 0, -9.81]
[parameters]
r = { value = 0.3, unit = "m" }
lean = { value = 40, unit = "deg" }
spin = { value = 3, unit = "rad/s" }
[bodies.disk]
mass = 1
inertia = [0.0225, 0.045, 0.0225]
[joints.rolls]
type = "JOINT"
parent = "ground"
child = "disk"
x = { start = 0, fixed = true }
y = { start = Y, fixed = true }
REST
orientation = { start = { axis = [1, 0, 0], angle = "-lean" }, fixed = true }
angular_velocity = { start = [0.2, "spin", 1], fixed = true, frame = "child" }
[outputs]
centre = { position = "disk.O", unit = "m" }
[solver]
method = "dop853"
tolerance = 1e-11
"""
ROLLS = COIN.replace("JOINT", "rolling").replace("Y,", "0,").replace(
    "REST", 'radius = "r"\naxis = [0, 1, 0]\nnormal = [0, 0, 1]')
# The centre is beside the point that touches, and moves as the joint lets it: v = omega x u r, with u from there.
TOUCHES = COIN.replace('"Coin"', '"EdgeOfCoin"').replace("JOINT", "free").replace("Y,", '"r*sin(lean)",').replace(
    "REST", """z = { start = "r*cos(lean)", fixed = true, rate_start = "0.2*r*sin(lean)", rate_fixed = true }
""").replace("x = { start = 0, fixed = true }",
             'x = { start = 0, fixed = true, rate_start = "spin*r", rate_fixed = true }').replace(
    'y = { start = "r*sin(lean)", fixed = true }',
    'y = { start = "r*sin(lean)", fixed = true, rate_start = "-0.2*r*cos(lean)", rate_fixed = true }') + """
[contacts.edge]
first = { body = "disk", disk = "r", axis = [0, 1, 0] }
second = { body = "ground", plane = [0, 0, 1] }
friction = 5
"""

BALLS = """
[mechanism]
name = "Balls"
dimension = "spatial"
gravity = [0, 0, 0]
[parameters]
e = 0.8
mu = 0.2
[bodies.cue]
mass = 0.2
inertia = [5e-5, 5e-5, 5e-5]
[bodies.red]
mass = 0.3
inertia = [8e-5, 8e-5, 8e-5]
[joints.a]
type = "free"
parent = "ground"
child = "cue"
x = { start = -0.5, fixed = true, rate_start = 2, rate_fixed = true }
y = { start = 0.02, fixed = true }
z = { start = 0.01, fixed = true }
angular_velocity = { start = [3, -5, 20], fixed = true, frame = "parent" }
[joints.b]
type = "free"
parent = "ground"
child = "red"
[contacts.hit]
first = { body = "cue", sphere = 0.03 }
second = { body = "red", sphere = 0.04 }
restitution = "e"
friction = "mu"
[solver]
tolerance = 1e-10
"""


def ramp(shape, height, inertia):
    return RAMP.replace("SHAPE", shape).replace("HEIGHT", height).replace("INERTIA", inertia)


@pytest.fixture(scope="module")
def spheres(tmp_path_factory):
    return exported(tmp_path_factory, "Ramp", ramp("sphere = 0.05", "0.05", "[0.002, 0.002, 0.002]"))


@pytest.fixture(scope="module")
def boxes(tmp_path_factory):
    return exported(tmp_path_factory, "Ramp", ramp("box = [0.4, 0.3, 0.2]", "0.1", "[0.02, 0.03, 0.04]"))


@pytest.fixture(scope="module")
def coins(tmp_path_factory):
    return (exported(tmp_path_factory, "Coin", ROLLS), exported(tmp_path_factory, "EdgeOfCoin", TOUCHES))


@pytest.fixture(scope="module")
def balls(tmp_path_factory):
    return exported(tmp_path_factory, "Balls", BALLS)


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def vector(instance, front):
    return instance.get(f"{front}.x", f"{front}.y", f"{front}.z")


def test_a_sphere_rolls_down(spheres, version, tmp_path):
    """It rolls with 5/7 g sin(slope) while tan(slope) <= 7/2 mu, and else slides with g (sin - mu cos)."""
    for slope in (20, 45, 50, 70):
        with Fmu(spheres[version], tmp_path).instance(slope=slope) as instance:
            instance.start()
            instance.step(1)
            s, c = math.sin(math.radians(slope)), math.cos(math.radians(slope))
            rolls = s / c <= 3.5 * 0.3
            assert instance.get("c.state") == (2 if rolls else 1)
            a = 5 / 7 * G * s if rolls else G * (s - 0.3 * c)
            assert instance.get("where.x") == pytest.approx(a / 2, rel=1e-8)
            friction = 2 * 2 / 7 * G * s if rolls else 0.3 * 2 * G * c
            assert instance.get("c.normal.force") == pytest.approx(2 * G * c, rel=1e-10)
            assert instance.get("c.friction.force.x") == pytest.approx(-friction, rel=1e-8)
            assert instance.get("where.angular_velocity.y") == pytest.approx(friction * 0.05 / 0.002, rel=1e-7)
            assert instance.get("c.gap") == pytest.approx(0, abs=1e-14)
            # The contact holds the ball, not the joint.
            assert vector(instance, "where.reaction.force") == pytest.approx([0, 0, 0], abs=1e-9)


def test_a_box_stands_slides_and_tips_on_its_corners(boxes, version, tmp_path):
    names = [f"c[{i}]" for i in range(1, 9)]
    for mu, slope in ((0.5, 20), (0.3, 30), (3, 60), (3, 70)):
        with Fmu(boxes[version], tmp_path).instance(slope=slope, mu=mu) as instance:
            instance.start()
            s, c = math.sin(math.radians(slope)), math.cos(math.radians(slope))
            normal = [instance.get(f"{name}.normal.force") for name in names]
            tips = s / c > 0.4 / 0.2 and mu > 2
            if not tips:
                assert sum(normal) == pytest.approx(2 * G * c, rel=1e-10)
                # Those four below carry, the others are in the air; moments about the mass centre balance.
                assert normal[4:] == [0, 0, 0, 0]
                friction = min(s, mu * c) * 2 * G
                downhill, uphill = normal[1] + normal[3], normal[0] + normal[2]
                assert (downhill - uphill) * 0.2 == pytest.approx(friction * 0.1, rel=1e-9)
            instance.step(0.1)
            if tips:
                assert instance.get("where.angular_velocity.y") > 0.1
                assert instance.get("c[1].gap") > 1e-3 and abs(instance.get("c[2].gap")) < 1e-12
            else:
                way = max(s - mu * c, 0) * G * 0.005
                assert instance.get("where.x") == pytest.approx(way, rel=1e-8, abs=1e-12)


def test_the_edge_of_a_disk_rolls_as_the_joint_does(coins, version, tmp_path):
    """A leaning disk with a little spin falls; while it sticks, its edge moves as that of a rolling joint."""
    joint, edge = (Fmu(paths[version], tmp_path) for paths in coins)
    with joint.instance() as one, edge.instance() as other:
        one.start()
        other.start()
        least = 90
        for _ in range(30):
            one.step(0.02)
            other.step(0.02)
            assert vector(other, "centre") == pytest.approx(vector(one, "centre"), abs=2e-8)
            assert other.get("edge.normal.force") == pytest.approx(one.get("rolls.reaction.force.z"), rel=1e-6)
            assert other.get("edge.friction.force.x") == pytest.approx(one.get("rolls.reaction.force.x"), abs=1e-6)
            assert other.get("edge.friction.force.y") == pytest.approx(one.get("rolls.reaction.force.y"), abs=1e-6)
            assert other.get("edge.state") == 2
            least = min(least, math.degrees(math.asin(vector(one, "centre")[2] / 0.3)))
        assert least < 30  # It lies lower and lower, as Euler's disk does, and rises again.


def test_two_balls_collide(balls, version, tmp_path):
    """The impact along the line of centres keeps the momentum and leaves e of the speed of approach. Friction takes mu
    times as much from the material's slip, or as much as ends it, and both balls get its moment."""
    x = math.sqrt(0.07**2 - 0.02**2 - 0.01**2)
    n = [-x / 0.07, 0.02 / 0.07, 0.01 / 0.07]  # from the red ball to the cue
    speed = 2 * n[0]
    slip = [a - speed * b for a, b in zip([2, 0, 0], n)]
    slip = [a - 0.03 * b for a, b in zip(slip, cross([3, -5, 20], n))]  # r = -0.03 n from the centre of the cue
    normal = -1.8 / (1 / 0.2 + 1 / 0.3) * speed
    ending = math.hypot(*slip) / (1 / 0.2 + 1 / 0.3 + 0.03**2 / 5e-5 + 0.04**2 / 8e-5)
    for mu in (0.02, 0.2):
        with Fmu(balls[version], tmp_path).instance(mu=mu) as instance:
            instance.start()
            instance.step(0.5)
            assert instance.get("hit.normal.impulse") == pytest.approx(normal, rel=1e-8)
            friction = math.hypot(*instance.get("hit.friction.impulse.x", "hit.friction.impulse.y"))
            assert friction == pytest.approx(min(mu * normal, ending), rel=1e-8)
            assert (mu * normal < ending) == (mu < 0.1)
            v, u = vector(instance, "cue.velocity"), vector(instance, "red.velocity")
            for k in range(3):
                assert 0.2 * v[k] + 0.3 * u[k] == pytest.approx([0.4, 0, 0][k], abs=1e-12)
            assert sum((a - b) * c for a, b, c in zip(v, u, n)) == pytest.approx(-0.8 * speed, rel=1e-9)
            # The impulse on the red ball: against the slip of what hits it, and its moment about the centre.
            across = [friction * a / math.hypot(*slip) for a in slip]
            assert u == pytest.approx([a - normal * b for a, b in zip([k / 0.3 for k in across],
                                                                      [k / 0.3 for k in n])], rel=1e-8)
            spin = [0.04 * a / 8e-5 for a in cross(n, across)]
            assert vector(instance, "red.angular_velocity") == pytest.approx(spin, rel=1e-8)


def test_states_go_back(balls, boxes, version, tmp_path):
    for paths, names in ((balls, ["cue.velocity.x", "hit.friction.impulse.x", "red.angular_velocity.z"]),
                         (boxes, ["where.x", "where.angular_velocity.y", "c[2].friction.force.x",
                                  "c[3].normal.force"])):
        parameters = {"slope": 75, "mu": 3} if "where.x" in names else {}
        with Fmu(paths[version], tmp_path).instance(**parameters) as instance:
            instance.start()
            states, values = [], []
            for _ in range(8):
                states.append((instance.save(), instance.time))
                values.append(instance.get(*names))
                instance.step(0.06)
            for (state, time), value, next_value in list(zip(states, values, values[1:]))[::-1]:
                instance.restore(state, time)
                assert instance.get(*names) == value
                instance.step(0.06)
                assert instance.get(*names) == next_value
            for state, _ in states:
                instance.discard(state)
