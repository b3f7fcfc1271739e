"""Computes reference.csv of the crane from its inverse dynamics, in 40 digits.

The rope pulls the payload along itself, so that the payload's acceleration with gravity tells its direction, and the
path tells the rest (a flat system):

    tan theta = -x''/(z'' + g),  l = -z/cos theta,  s = x - l sin theta
    F = m_t s'' + m_p x''                                                   all forces along the rail
    W = m_w l'' + m_p (x'' sin theta - (z'' + g) cos theta)                 the winch's force on the rope

Derivatives of s and l follow by Taylor series of the path.
"""

import pathlib
import sys

from mpmath import atan2, cos, mpf, nstr, sin, taylor

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

m_t, m_w, m_p, g, T = mpf(10), mpf(10), mpf(100), mpf("9.81"), mpf(6)
x_1, z_0, z_1 = mpf(5), mpf(-4), mpf(3)
COEFFICIENTS = {5: 126, 6: -420, 7: 540, 8: -315, 9: 70}


def kappa(t, order):
    """Returns the derivative of the path's progress, of this order."""
    total = mpf(0)
    for power, coefficient in COEFFICIENTS.items():
        factor = mpf(coefficient)
        for i in range(order):
            factor *= power - i
        if power >= order:
            total += factor * (t / T) ** (power - order) / T**order
    return total


def flat(t):
    """Returns theta, l, s and their first two derivatives, from derivatives of the path up to the fourth."""
    k = [kappa(t, order) for order in range(5)]
    x, z = [x_1 * one for one in k], [z_1 * one for one in k]
    z[0] += z_0
    u, w = [x[2], x[3], x[4]], [z[2] + g, z[3], z[4]]  # tan theta = -u/w
    theta = atan2(-u[0], w[0])
    size = u[0] ** 2 + w[0] ** 2
    cross = u[0] * w[1] - u[1] * w[0]
    rate = cross / size
    acceleration = (u[0] * w[2] - u[2] * w[0]) / size - cross * 2 * (u[0] * u[1] + w[0] * w[1]) / size**2
    c, sine = cos(theta), sin(theta)
    # l cos theta = -z, differentiated twice
    length = -z[0] / c
    length_rate = (-z[1] + length * sine * rate) / c
    length_acceleration = (-z[2] + 2 * length_rate * sine * rate + length * (c * rate**2 + sine * acceleration)) / c
    s = x[0] - length * sine
    s_rate = x[1] - length_rate * sine - length * c * rate
    s_acceleration = (x[2] - length_acceleration * sine - 2 * length_rate * c * rate
                      + length * sine * rate**2 - length * c * acceleration)
    force = m_t * s_acceleration + m_p * x[2]
    winch = m_w * length_acceleration + m_p * (x[2] * sine - (z[2] + g) * c)
    return {"s": s, "der(s)": s_rate, "der(s,2)": s_acceleration, "l": length, "der(l)": length_rate,
            "der(l,2)": length_acceleration, "theta": theta, "der(theta)": rate, "der(theta,2)": acceleration,
            "constraint.path_x.multiplier": force, "constraint.path_z.multiplier": winch,
            "payload_x": x[0], "payload_z": z[0]}


rows, error = [], mpf(0)
for t in even_times(6, 120):
    row = {"time": t, **flat(t)}
    rows.append(row)
    for name in ("s", "l", "theta"):  # the derivatives by numerical differentiation
        if 0 < t < T:
            series = taylor(lambda at, name=name: flat(at)[name], t, 2)
            error = max(error, abs(series[1] - row[f"der({name})"]), abs(2 * series[2] - row[f"der({name},2)"]))
    along_theta = row["l"] * row["der(theta,2)"] + 2 * row["der(l)"] * row["der(theta)"] \
        + row["der(s,2)"] * cos(row["theta"]) + g * sin(row["theta"])  # nothing acts on theta
    error = max(error, abs(along_theta))

print("the inverse dynamics fulfil the equations of motion to", nstr(error, 2))
write_reference(__file__, [
    "A crane whose payload follows a path: inverse dynamics, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown (equations of motion satisfied to {nstr(error, 1)}).",
    "bound = 1e-7",
], rows)
