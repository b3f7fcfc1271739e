"""Computes reference.csv of the hydraulic balance from its minimal equation, whose unknowns are found by other means.

The compression of the buffer is the root of a cubic, by Cardano's formula. One flow w determines the pressures: that
out of the left cylinder into the supply, which is that out of the supply into the right one. A flow through an opening,

    w = c d (d^2 + l^2)^(-1/4),  z = (w/c)^4:   d^4 = z (d^2 + l^2)

tells its drop d in closed form, so that both pressures follow from w, and the balance of the left cylinder,

    pumped = flow through the valve, of the difference of these pressures, + w

rises with w alone: bisection, then the secant method, in 40 digits.
"""

import pathlib
import sys

from mpmath import cbrt, cos, mpf, nstr, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, integrate_checked, write_reference

J, m, L, r, g, push = mpf("4.8"), mpf(12), mpf("0.6"), mpf("0.3"), mpf("9.81"), mpf(150)
A, rho, l, supply = mpf("5e-4"), mpf(870), mpf("0.2e5"), mpf("40e5")
k_b, k_r, s0 = mpf(30000), mpf(12000), mpf("0.02")
c_valve, c_left, c_right = (mpf(area) * mpf("1e-6") * sqrt(2 / rho) for area in (3, 1, 2))
inertia = J + m * L**2


def flow(c, d):
    return c * d / (d * d + l * l) ** mpf("0.25")


def drop(c, w):
    """The d with flow(c, d) = w."""
    z = (w / c) ** 4
    d = sqrt((z + sqrt(z * z + 4 * z * l * l)) / 2)
    return d if w >= 0 else -d


def pressures(pumped):
    if pumped == 0:
        return supply, supply

    def open_at(w):
        return pumped - flow(c_valve, drop(c_left, w) + drop(c_right, w)) - w

    low, high = sorted([mpf(0), pumped])
    for _ in range(6):
        middle = (low + high) / 2
        low, high = (middle, high) if open_at(middle) > 0 else (low, middle)
    a, b = low, high
    fa, fb = open_at(a), open_at(b)
    for _ in range(60):
        if fa == fb:
            break
        a, fa, b = b, fb, b - fb * (b - a) / (fb - fa)
        fb = open_at(b)
        if abs(b - a) <= mpf("1e-38") * abs(b):
            break
    assert abs(b - a) < mpf("1e-30") * abs(b)
    return supply + drop(c_left, b), supply - drop(c_right, b)


def dent(x):
    """k_b (x - s) = k_r s (1 + (s/s0)^2): s^3 + p s + q = 0 with p > 0 has one root."""
    p, q = s0**2 * (k_r + k_b) / k_r, -(s0**2) * k_b * x / k_r
    root = sqrt(q * q / 4 + p**3 / 27)
    u = cbrt(abs(q) / 2 + root)
    return (u - p / (3 * u)) * (1 if x >= 0 else -1)


def beam(t, y):
    phi, rate = y
    left, right = pressures(A * r * cos(phi) * rate)
    buffer = k_b * (L * sin(phi) - dent(L * sin(phi)))
    moment = ((push + m * g - buffer) * L + (right - left) * A * r) * cos(phi)
    return [rate, moment / inertia]


times = even_times(mpf(1), 100)
solution, difference = integrate_checked(beam, times, [mpf(0), mpf("1.5")], mpf("1e-13"))
rows = []
for t, (phi, rate) in zip(times, solution):
    left, right = pressures(A * r * cos(phi) * rate)
    s = dent(L * sin(phi))
    rows.append({"time": t, "phi": phi, "der(phi)": rate, "der(phi,2)": beam(t, [phi, rate])[1],
                 "p_left": left / mpf("1e5"), "p_right": right / mpf("1e5"), "dent": 1000 * s,
                 "buffer": k_b * (L * sin(phi) - s),
                 "through_valve": 60000 * flow(c_valve, left - right), "energy.kinetic": inertia * rate**2 / 2})

print("two step sizes agree to", nstr(difference, 2))
write_reference(__file__, [
    "Hydraulic balance; minimal equation in the beam's angle, the pressures from one flow by bisection and secants, "
    "the",
    "buffer's compression by Cardano's formula, integrated by extrapolation in 40 digits; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
], rows)
