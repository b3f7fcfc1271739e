"""Computes reference.csv of the double wishbone suspension from Newton's and Euler's laws in maximal coordinates.

Four bodies with six coordinates each, 22 constraints, integrated with two tolerances (reference_bodies.py). The road is
raised by 10 mm at the start. The balance of energy is checked. Needs numpy and scipy.
"""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_bodies import GROUND, Bodies, angle, difference
from reference_tools import write_reference

stiffness, damping, rest_length, tyre_stiffness, tyre_radius, road_height = 60e3, 4e3, 0.525, 200e3, 0.34, 0.01
lower_front, lower_rear = np.array([0.15, 0.35, 0.20]), np.array([-0.15, 0.35, 0.21])
upper_front, upper_rear = np.array([0.10, 0.42, 0.50]), np.array([-0.10, 0.42, 0.48])
lower_ball, upper_ball, steer, rack = [0, 0.70, 0.19], [-0.02, 0.66, 0.52], [-0.13, 0.68, 0.24], [-0.13, 0.36, 0.25]
dome, seat, W, road = [0, 0.50, 0.62], [0, 0.58, 0.20], np.array([0, 0.75, 0.32]), np.array([0, 0.75, 0])

car = Bodies([0, 0, -9.81])
chassis = car.body(350, [20, 20, 20], [0, 0.2, 0.5])
lower = car.body(4, [0.05] * 3, [0, 0.52, 0.20])
upper = car.body(4, [0.05] * 3, [0, 0.54, 0.50])
knuckle = car.body(25, [0.6, 1.0, 0.6], [0, 0.73, 0.32])
car.prismatic(GROUND, [0, 0, 0], chassis, [0, 0, 0], [0, 0, 1])
car.revolute(chassis, lower_rear, lower, lower_rear, lower_front - lower_rear)
car.revolute(chassis, upper_rear, upper, upper_rear, upper_front - upper_rear)
lower_joint = car.coincide(lower, lower_ball, knuckle, lower_ball)
upper_joint = car.coincide(upper, upper_ball, knuckle, upper_ball)
rod_length = np.linalg.norm(np.subtract(steer, rack))
rod = car.distance(chassis, rack, knuckle, steer, rod_length)


def tyre(s):
    """Returns length from the road's point to the wheel's centre, and the force on the wheel."""
    line = s.point(knuckle, car.local(knuckle, W))[1] - road
    length = np.linalg.norm(line)
    return length, -tyre_stiffness * min(0, length - road_height - tyre_radius) * line / length


def forces(s, push):
    _, at, velocity = s.point(chassis, car.local(chassis, dome))
    _, other, other_velocity = s.point(lower, car.local(lower, seat))
    line = other - at
    length = np.linalg.norm(line)
    pull = stiffness * (length - rest_length) + damping * (line @ (other_velocity - velocity)) / length
    push(chassis, dome, pull * line / length)
    push(lower, seat, -pull * line / length)
    push(knuckle, W, tyre(s)[1])


times = [i * 0.03 for i in range(101)]
coarse, _ = car.solve(times, forces, 1e-10)
states, balance = car.solve(times, forces, 1e-12)
accuracy = difference(coarse, states)
rows, least_load = [], np.inf
for t, s in zip(times, states):
    acceleration, multipliers, _ = car.accelerations(s, forces)
    at_lower, _ = car.reaction(s, multipliers, lower_joint, 1, knuckle, lower_ball)
    at_upper, _ = car.reaction(s, multipliers, upper_joint, 1, knuckle, upper_ball)
    tension = multipliers[car.constraints[rod][1]][0] * -rod_length
    length, push_of_tyre = tyre(s)
    least_load = min(least_load, np.linalg.norm(push_of_tyre))
    centre = s.point(knuckle, car.local(knuckle, W))[1]
    travel = centre - s.point(chassis, car.local(chassis, W))[1]
    row = {"time": t, "ride.position": s.x[chassis][2] - car.centre[chassis][2], "der(ride.position)": s.v[chassis][2],
           "der(ride.position,2)": acceleration[6 * chassis + 2]}
    for name, body, axis in (("lower_bush", lower, lower_front - lower_rear),
                             ("upper_bush", upper, upper_front - upper_rear)):
        row[f"{name}.angle"] = angle(s.R[chassis], s.R[body], axis)
        row[f"der({name}.angle)"] = s.omega[body] @ axis / np.linalg.norm(axis)
    row.update({f"wheel_travel.{axis}": value for axis, value in zip("xyz", travel)})
    row.update({f"wheel.{axis}": value for axis, value in zip("xyz", centre)})
    row.update({f"lower_ball.reaction.force.{axis}": value for axis, value in zip("xyz", s.R[lower].T @ at_lower)})
    row.update({f"upper_ball.reaction.force.{axis}": value for axis, value in zip("xyz", s.R[upper].T @ at_upper)})
    row.update({"steering_rod.tension": tension, "lower_ball_load": np.linalg.norm(at_lower),
                "upper_ball_load": np.linalg.norm(at_upper), "wheel_load": np.linalg.norm(push_of_tyre),
                "tyre.length": length})
    rows.append(row)

print(f"two tolerances agree to {accuracy:.1e}, energy balance {balance:.1e} J, least wheel load {least_load:.1f} N")
assert accuracy < 1e-8 and balance < 1e-7 and least_load > 0
write_reference(__file__, [
    "Quarter car on a double wishbone suspension, the road raised by 10 mm at the start: maximal coordinates, DOP853,",
    "computed by reference.py.",
    f"Accuracy: two tolerances agree to {accuracy:.1e}, balance of energy {balance:.1e} J.",
    "bound = 1e-6",
    "input road_height = 10",
], rows)
