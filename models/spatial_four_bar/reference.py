"""Computes reference.csv of the spatial four-bar mechanism from its minimal equation in the rod's angle.

Neither q1 nor q2 can serve as the minimal coordinate: each has a turning point. But with the paper's lengths the end
of bar 2 is always sqrt(5) from the pivot and 1 from (0, 2, 0), so it moves on the circle (cos phi, 2, sin phi), and

    2 cos q2 = sin phi,     cos q1 cos phi + 2 sin q1 = 1

give q1 and q2 everywhere. The minimal equation is I phi'' + I'/2 phi'^2 = -V' with I = (dq/dphi)' M (dq/dphi). The
multiplier is the least-squares solution of the two equations (3.3) of the paper, corrected; their residual is a
check of the whole.
"""

import pathlib
import sys

from mpmath import acos, atan2, cos, mpf, nstr, pi, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, integrate_checked, least_squares, write_reference

m1, m2, g = mpf(1), mpf(1), mpf("9.81")
q1_start, q1_rate = mpf("0.2"), mpf("2.5")


def path(phi):
    """Returns q1 and q2 with their first and second derivatives with respect to phi."""
    q2 = acos(sin(phi) / 2)
    dq2 = -cos(phi) / (2 * sin(q2))
    ddq2 = (sin(phi) / 2 - cos(q2) * dq2**2) / sin(q2)
    q1 = atan2(2, cos(phi)) - acos(1 / sqrt(cos(phi) ** 2 + 4))
    slope = 2 * cos(q1) - sin(q1) * cos(phi)
    dq1 = cos(q1) * sin(phi) / slope
    d_slope = -(2 * sin(q1) + cos(q1) * cos(phi)) * dq1 + sin(q1) * sin(phi)
    ddq1 = (cos(q1) * cos(phi) - sin(q1) * sin(phi) * dq1 - d_slope * dq1) / slope
    return (q1, q2), (dq1, dq2), (ddq1, ddq2)


def mass_matrix(q2):
    return [[4 * m1 / 3 + m2 * (1 + 4 * sin(q2) ** 2 / 3), m2 * cos(q2)], [m2 * cos(q2), 4 * m2 / 3]]


def derivative(t, y):
    phi, rate = y
    (_, q2), (dq1, dq2), (ddq1, ddq2) = path(phi)
    M = mass_matrix(q2)
    dM11, dM12 = 8 * m2 / 3 * sin(q2) * cos(q2) * dq2, -m2 * sin(q2) * dq2
    inertia = M[0][0] * dq1**2 + 2 * M[0][1] * dq1 * dq2 + M[1][1] * dq2**2
    slope = (dM11 * dq1**2 + 2 * dM12 * dq1 * dq2
             + 2 * (M[0][0] * dq1 * ddq1 + M[0][1] * (dq1 * ddq2 + ddq1 * dq2) + M[1][1] * dq2 * ddq2))
    return [rate, -(m2 * g * sin(q2) * dq2 + slope * rate**2 / 2) / inertia]


times = even_times(10, 100)
phi_start = acos((1 - 2 * sin(q1_start)) / cos(q1_start))  # between 0 and pi: q2 below pi/2
solution, difference = integrate_checked(derivative, times, [phi_start, q1_rate / path(phi_start)[1][0]])
rows, balance_error, energies = [], 0, []
for t, y in zip(times, solution):
    phi, rate = y
    acceleration = derivative(t, y)[1]
    (q1, q2), d, dd = path(phi)
    v1, v2 = (first * rate for first in d)
    a1, a2 = (first * acceleration + second * rate**2 for first, second in zip(d, dd))
    M = mass_matrix(q2)
    h = [m2 * sin(q2) * (v2**2 - 8 * v1 * v2 * cos(q2) / 3),
         -m2 * g * sin(q2) + 4 * m2 * v1**2 * cos(q2) * sin(q2) / 3]
    gradient = [8 * sin(q1) * sin(q2) - 4 * cos(q1), -8 * cos(q1) * cos(q2)]
    (multiplier,), residual = least_squares([[value] for value in gradient],
                                            [M[0][0] * a1 + M[0][1] * a2 - h[0], M[1][0] * a1 + M[1][1] * a2 - h[1]])
    balance_error = max(balance_error, residual)
    energies.append((M[0][0] * v1**2 + M[1][1] * v2**2) / 2 + M[0][1] * v1 * v2 - m2 * g * cos(q2))
    rows.append({
        "time": t, "q1": q1, "q2": q2, "der(q1)": v1, "der(q2)": v2, "der(q1,2)": a1, "der(q2,2)": a2,
        "constraint.rod.multiplier": multiplier, "rod_tension": -2 * multiplier,
        "end_x": cos(q1) - 2 * sin(q1) * sin(q2), "end_y": sin(q1) + 2 * cos(q1) * sin(q2), "end_z": 2 * cos(q2),
        "energy.total": energies[0],
    })

print("two step sizes agree to", nstr(difference, 2))
print("energy drift", nstr(max(abs(e - energies[0]) for e in energies), 2))
print("largest residual of (3.3)", nstr(balance_error, 2))
print("turns of the rod", nstr((solution[-1][0] - phi_start) / (2 * pi), 4))
write_reference(__file__, [
    "Spatial four-bar mechanism, Phong 2002, section 3.1, with the paper's lengths and unit masses;",
    "minimal equation in the angle of the rod, integrated by extrapolation in 40 digits,",
    "multiplier from the corrected (3.3); computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
], rows)
