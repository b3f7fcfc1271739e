"""Computes reference.csv of the Stewart platform from Newton's and Euler's laws in maximal coordinates.

Thirteen bodies with six coordinates each, 72 constraints, integrated with two tolerances (reference_bodies.py). The leg
forces differ, so the platform moves in all directions. The balance of energy is checked. Needs numpy and scipy.
"""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_bodies import GROUND, Bodies, difference, rod_inertia
from reference_tools import write_reference

base_radius, top_radius, height, mass_centre = 0.5, 0.3, 0.6, 0.1
stiffness, damping = 1500, 30
leg_J = 0.002 * np.eye(3)
leg_forces = [60, 90, 40, 75, 50, 110]
ground, platform = GROUND, 0
machine = Bodies([0, 0, -9.81])
machine.body(30, [1.0, 1.0, 1.6], [0, 0, height + mass_centre])
legs = []
for b, t in zip(np.radians([-15, 15, 105, 135, 225, 255]), np.radians([-50, 50, 70, 170, 190, 290])):
    foot = np.array([base_radius * np.cos(b), base_radius * np.sin(b), 0])
    ball = np.array([top_radius * np.cos(t), top_radius * np.sin(t), height])
    leg = ball - foot
    cylinder = machine.body(2, rod_inertia(2, leg / 2) + leg_J, foot + leg / 4)
    rod = machine.body(1, rod_inertia(1, leg / 2) + leg_J, foot + 3 * leg / 4)
    machine.coincide(ground, foot, cylinder, foot)
    machine.perpendicular(ground, [1, 0, 0], cylinder, [0, 1, 0])
    machine.prismatic(cylinder, foot, rod, foot, leg)
    joint = machine.coincide(platform, ball, rod, ball)
    legs.append((cylinder, rod, foot, ball, leg / np.linalg.norm(leg), joint))


def stroke(s, leg):
    """Returns actuator position and rate, and its direction."""
    cylinder, rod, foot, _, axis, _ = leg
    direction = s.R[cylinder] @ axis
    _, lower, lower_velocity = s.point(cylinder, machine.local(cylinder, foot))
    _, upper, upper_velocity = s.point(rod, machine.local(rod, foot))
    return direction @ (upper - lower), direction @ (upper_velocity - lower_velocity), direction


def forces(s, push):
    for leg, force in zip(legs, leg_forces):
        cylinder, rod, foot, *_ = leg
        position, rate, direction = stroke(s, leg)
        thrust = force - stiffness * position - damping * rate
        push(rod, foot, thrust * direction)
        # the reaction acts on the cylinder where the rod's point is
        inside = foot + s.R[cylinder].T @ (position * direction)
        push(cylinder, inside, -thrust * direction)


times = [i * 0.04 for i in range(51)]
coarse, _ = machine.solve(times, forces, 1e-9)
states, balance = machine.solve(times, forces, 1e-11)
accuracy = difference(coarse, states)
rows = []
for t, s in zip(times, states):
    _, multipliers, _ = machine.accelerations(s, forces)
    centre = s.point(platform, machine.local(platform, [0, 0, height]))[1]
    sign = np.sign(s.q[platform][0])
    row = {"time": t}
    row.update({f"pose.{axis}": value for axis, value in zip("xyz", centre - [0, 0, height])})
    row.update({f"pose.orientation.{name}": sign * value for name, value in zip("wxyz", s.q[platform])})
    row.update({f"pose.angular_velocity.{axis}": value
                for axis, value in zip("xyz", s.R[platform].T @ s.omega[platform])})
    for i, leg in enumerate(legs, 1):
        row[f"actuator_{i}.position"], row[f"der(actuator_{i}.position)"], _ = stroke(s, leg)
    for i, (_, rod, _, ball, _, joint) in enumerate(legs, 1):
        on_rod, _ = machine.reaction(s, multipliers, joint, 1, rod, ball)
        row.update({f"ball_{i}.reaction.force.{axis}": value for axis, value in zip("xyz", s.R[platform].T @ on_rod)})
    row.update({f"load.{axis}": value for axis, value in zip("xyz", centre)})
    rows.append(row)

print(f"two tolerances agree to {accuracy:.1e}, balance of energy {balance:.1e} J")
assert accuracy < 1e-8 and balance < 1e-7
write_reference(__file__, [
    "Stewart platform with unequal leg forces: maximal coordinates, DOP853, computed by reference.py.",
    f"Accuracy: two tolerances agree to {accuracy:.1e}, balance of energy {balance:.1e} J.",
    "bound = 1e-6",
    *[f"input force_{i} = {force}" for i, force in enumerate(leg_forces, 1)],
], rows)
