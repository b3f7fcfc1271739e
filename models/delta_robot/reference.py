"""Computes reference.csv of the delta robot from Newton's and Euler's laws in maximal coordinates.

Three arms and the platform with six coordinates each, 21 constraints, integrated with two tolerances
(reference_bodies.py). Nothing says that the platform cannot turn: that it does not is a check, as is the balance of
energy. Needs numpy and scipy.
"""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_bodies import GROUND, Bodies, angle, difference
from reference_tools import write_reference

base_radius, arm_length, rod_length, platform_radius, half_width = 0.2, 0.25, 0.6, 0.06, 0.04
stiffness, damping, start_angle = 8, 0.1, np.radians(20)
torques = [-1.5, -0.5, 0.5]
robot = Bodies([0, 0, -9.81])
# level and on the middle line at the start, below the elbows
reach = base_radius + arm_length * np.cos(start_angle) - platform_radius
depth = arm_length * np.sin(start_angle) + np.sqrt(rod_length**2 - reach**2)
platform = robot.body(1.0, [1e-3] * 3, [0, 0, 0], [0, 0, -depth])
arms = []
for a in np.radians([0, 120, 240]):
    out, along = np.array([np.cos(a), np.sin(a), 0]), np.array([-np.sin(a), np.cos(a), 0])
    turn = np.array([np.cos(a / 2), 0, 0, np.sin(a / 2)])
    lower = np.array([np.cos(start_angle / 2), 0, np.sin(start_angle / 2), 0])
    quaternion = np.array([turn[0] * lower[0], -turn[3] * lower[2], turn[0] * lower[2], turn[3] * lower[0]])
    arm = robot.body(0.6, [5e-4, 0.003, 0.003], [arm_length / 2, 0, 0], base_radius * out, quaternion)
    robot.coincide(GROUND, base_radius * out, arm, [0, 0, 0])
    robot.perpendicular(GROUND, out, arm, [0, 1, 0])
    robot.perpendicular(GROUND, [0, 0, 1], arm, [0, 1, 0])
    rods = [robot.distance(arm, [arm_length, side * half_width, 0],
                           platform, platform_radius * out + side * half_width * along, rod_length) for side in (1, -1)]
    arms.append((arm, along, np.column_stack((out, along, [0, 0, 1])), rods))


def shaft(s, arm):
    """Returns angle and rate of a motor."""
    body, along, frame, _ = arm
    return angle(frame, s.R[body], [0, 1, 0]), s.omega[body] @ along


def forces(s, push):
    for arm, torque in zip(arms, torques):
        position, rate = shaft(s, arm)
        push(arm[0], None, (torque - stiffness * (position - start_angle) - damping * rate) * arm[1])


times = [i * 0.05 for i in range(61)]
coarse, _ = robot.solve(times, forces, 1e-10)
states, balance = robot.solve(times, forces, 1e-12)
accuracy = difference(coarse, states)
rows, turning = [], 0
for t, s in zip(times, states):
    accelerations, multipliers, _ = robot.accelerations(s, forces)
    turning = max(turning, np.max(np.abs(s.R[platform] - np.eye(3))))
    row = {"time": t}
    row.update({f"pose.{axis}": value for axis, value in zip("xyz", s.x[platform])})
    row.update({f"der(pose.{axis})": value for axis, value in zip("xyz", s.v[platform])})
    row.update({"pose.orientation.w": 1, "pose.orientation.x": 0, "pose.orientation.y": 0, "pose.orientation.z": 0})
    power = 0
    for i, (arm, torque) in enumerate(zip(arms, torques), 1):
        row[f"shaft_{i}.angle"], row[f"der(shaft_{i}.angle)"] = shaft(s, arm)
        power += torque * row[f"der(shaft_{i}.angle)"]
    for i, arm in enumerate(arms, 1):
        for name, rod in zip(("left", "right"), arm[3]):
            row[f"{name}_rod_{i}.tension"] = -rod_length * multipliers[robot.constraints[rod][1]][0]
    row.update({f"tool.{axis}": value for axis, value in zip("xyz", s.x[platform])})
    row["power"] = power
    rows.append(row)

print(f"two tolerances agree to {accuracy:.1e}, balance of energy {balance:.1e} J, platform turned by {turning:.1e}")
assert accuracy < 1e-8 and balance < 1e-8 and turning < 1e-9
write_reference(__file__, [
    "Delta robot with unequal motor torques: maximal coordinates, DOP853, computed by reference.py.",
    f"Accuracy: two tolerances agree to {accuracy:.1e}, balance of energy {balance:.1e} J.",
    "bound = 1e-6",
    *[f"input torque_{i} = {torque}" for i, torque in enumerate(torques, 1)],
], rows)
