"""Computes reference.csv of the flexible joint from its inverse dynamics, in 40 digits.

The arm's path tells how far the joint is wound up, and the motor's angle so found tells its torque:

    c (psi - phi) = J_l phi'' + m g a cos phi
    tau = J_m psi'' + c (psi - phi)
"""

import pathlib
import sys

from mpmath import cos, diff, mpf, nstr, pi, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

J_l, J_m, m, a, g, c = mpf("1.2"), mpf("0.3"), mpf(4), mpf("0.35"), mpf("9.81"), mpf(150)
phi_1, omega = mpf("1.2"), mpf("1.5")


def path(t, order):
    """Returns the derivative of the arm's angle, of this order."""
    wave = -phi_1 / 2 * omega**order * cos(omega * t + order * pi / 2)
    return wave + phi_1 / 2 if order == 0 else wave


def motion(t):
    p = [path(t, order) for order in range(5)]
    weight = m * g * a
    turn, turn_rate = cos(p[0]), -sin(p[0]) * p[1]
    turn_acceleration = -cos(p[0]) * p[1] ** 2 - sin(p[0]) * p[2]
    psi = p[0] + (J_l * p[2] + weight * turn) / c
    psi_rate = p[1] + (J_l * p[3] + weight * turn_rate) / c
    psi_acceleration = p[2] + (J_l * p[4] + weight * turn_acceleration) / c
    return {"phi": p[0], "der(phi)": p[1], "der(phi,2)": p[2], "psi": psi, "der(psi)": psi_rate,
            "der(psi,2)": psi_acceleration, "joint_torque": c * (psi - p[0]),
            "constraint.path.multiplier": J_m * psi_acceleration + c * (psi - p[0])}


rows, error = [], mpf(0)
for t in even_times(10, 200):
    row = {"time": t, **motion(t)}
    rows.append(row)
    for name in ("phi", "psi"):  # the derivatives by numerical differentiation
        for order, rate in ((1, f"der({name})"), (2, f"der({name},2)")):
            error = max(error, abs(diff(lambda at, name=name: motion(at)[name], t, order) - row[rate]))

print("the inverse dynamics fulfil the equations of motion to", nstr(error, 2))
write_reference(__file__, [
    "An arm on a flexible joint that follows a path: inverse dynamics, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown (derivatives checked to {nstr(error, 1)}).",
    "bound = 1e-7",
], rows)
