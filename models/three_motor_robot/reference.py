"""Computes reference.csv of the robot with three motors from its equations in the pose of the platform.

Inverse kinematics gives each arm for a pose (x, y, phi), two links between two points; d'Alembert's principle gives
three equations of motion, and Newton's and Euler's laws for the seven bodies taken apart the reactions, 21 equations
for 18 unknowns. The start, all motors at home, is symmetric: the platform is in the middle, its angle is one equation's
root.
"""

import pathlib
import sys

from mpmath import expj, findroot, mpf, pi

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from planar_reference import (
    Mechanism,
    at_rest,
    coordinate,
    difference,
    pin,
    reactions,
    times_constant,
    total,
    turned,
    two_links,
)
from reference_tools import even_times, write_reference

base, upper, forearm, radius = mpf("0.5"), mpf("0.3"), mpf("0.3"), mpf("0.1")
m_upper, m_forearm, m_platform = mpf("0.4"), mpf("0.25"), mpf("0.6")
home, stiffness, damping = mpf("2.3"), mpf(6), mpf("0.35")
commands = [mpf("0.5"), mpf("-0.2"), mpf("0.3")]
turns = [2 * pi * k / 3 for k in range(3)]


def motions(q, v, a):
    middle, platform = tuple(x[0] + 1j * x[1] for x in (q, v, a)), (q[2], v[2], a[2])
    moved = {"middle": middle, "platform": platform}
    for i, turn in enumerate(turns, 1):
        A, C = at_rest(base * expj(turn)), total(middle, turned(platform, radius * expj(turn)))
        inward = -expj(-turn)  # turns the line from shoulder to middle into the x axis
        angle, lower = two_links(times_constant(inward, A), times_constant(inward, C), upper, forearm, -1)
        angle, lower = total(angle, at_rest(turn + pi)), total(lower, at_rest(turn + pi))
        moved[f"upper_{i}"], moved[f"forearm_{i}"] = angle, lower
        moved[f"A{i}"], moved[f"B{i}"], moved[f"C{i}"] = A, total(A, turned(angle, upper)), C
        moved[f"upper_{i} centre"] = total(A, turned(angle, upper / 2))
        moved[f"forearm_{i} centre"] = total(moved[f"B{i}"], turned(lower, forearm / 2))
    return moved


def torque(moved, i):
    angle = moved[f"upper_{i}"]
    return stiffness * (home + turns[i - 1] + commands[i - 1] - angle[0]) - damping * angle[1]


bodies = {"platform": (m_platform, m_platform * radius**2 / 2, "middle", "platform")}
for i in (1, 2, 3):
    bodies[f"upper_{i}"] = m_upper, m_upper * upper**2 / 12, f"upper_{i} centre", f"upper_{i}"
    bodies[f"forearm_{i}"] = m_forearm, m_forearm * forearm**2 / 12, f"forearm_{i} centre", f"forearm_{i}"
robot = Mechanism(bodies, motions, lambda t, moved: [(f"upper_{i}", torque(moved, i)) for i in (1, 2, 3)],
                  gravity=mpf(0))

elbow = base + upper * expj(home)
phi = findroot(lambda angle: abs(radius * expj(angle) - elbow) ** 2 - forearm**2, mpf(0))
start = [mpf(0), mpf(0), phi.real]
assembled = motions(start, [0] * 3, [0] * 3)
assert all(abs(assembled[f"upper_{i}"][0] - home - turns[i - 1]) < mpf("1e-30") for i in (1, 2, 3))
run, error = robot.run(even_times(2, 25), start, [mpf(0)] * 3, accuracy=mpf("1e-12"))
rows = []
for t, moved in run:
    platform, middle = moved["platform"], moved["middle"][0]
    joints, loads = {}, []
    for i in (1, 2, 3):
        joints[f"A{i}"] = pin(None, f"upper_{i}", moved[f"A{i}"][0])
        joints[f"B{i}"] = pin(f"upper_{i}", f"forearm_{i}", moved[f"B{i}"][0], moved[f"upper_{i}"][0])
        joints[f"C{i}"] = pin(f"forearm_{i}", "platform", moved[f"C{i}"][0], moved[f"forearm_{i}"][0])
        loads.append((f"upper_{i}", None, torque(moved, i)))
    forces = reactions(robot, moved, joints, loads)
    row = {"time": t}
    for i in (1, 2, 3):
        row.update(coordinate(f"A{i}.angle", moved[f"upper_{i}"]))
        row.update(coordinate(f"B{i}.angle", difference(moved[f"forearm_{i}"], moved[f"upper_{i}"])))
        row.update(coordinate(f"C{i}.angle", difference(platform, moved[f"forearm_{i}"])))
    row.update(forces)
    row.update({"middle.x": middle.real, "middle.y": middle.imag, "platform_angle": platform[0],
                "energy.kinetic": robot.energy(moved)[0]})
    rows.append(row)

write_reference(__file__, [
    "Planar robot with three motors that go to constant commands; equations in the pose of the platform, integrated by",
    "extrapolation in 40 digits, reactions from Newton and Euler for the bodies taken apart; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {float(error):.0e}).",
    "input command_1 = 0.5",
    "input command_2 = -0.2",
    "input command_3 = 0.3",
    "bound = 1e-6",
], rows)
