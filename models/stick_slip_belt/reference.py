"""Computes reference.csv of the block on the belt from its closed form.

It sticks until the spring pulls with mu_0 m g. Then it swings about x_c = mu m g/k with the frequency w^2 = k/m,

    x = x_c + D cos(w s) + v/w sin(w s),   D = (mu_0 - mu) m g/k,

until its speed is the belt's again: x' = v at w s = 2 pi - 2 atan(w D/v), where x = x_c - D. After a way of 2 D on the
belt all repeats.
"""

import pathlib
import sys

from mpmath import atan, cos, floor, mpf, nstr, pi, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

m, k, v, mu, mu_0, g = mpf(1), mpf(40), mpf("0.2"), mpf("0.25"), mpf("0.4"), mpf("9.81")
w = sqrt(k / m)
center, D = mu * m * g / k, (mu_0 - mu) * m * g / k
first_slip = (center + D) / v
slipping = (2 * pi - 2 * atan(w * D / v)) / w
period = slipping + 2 * D / v

rows = []
for t in even_times(6, 60):
    since = t - first_slip
    s = since - period * floor(since / period) if since >= 0 else period + since
    slips = since >= 0 and s < slipping
    if slips:
        x = center + D * cos(w * s) + v / w * sin(w * s)
        rate = v * cos(w * s) - w * D * sin(w * s)
    else:
        x, rate = center - D + v * (s - slipping) if since >= 0 else v * t, v
    friction = mu * m * g if slips else k * x
    assert min(abs(s - slipping), s, period - s) > mpf("1e-4")
    rows.append({
        "time": t, "x": x, "y": mpf(0), "der(x)": rate, "der(y)": mpf(0), "der(x,2)": (friction - k * x) / m,
        "belt.slip": rate - v, "belt.state": mpf(1 if slips else 2), "belt.normal.force": m * g,
        "belt.friction.force": friction,
    })

print("slips first at", nstr(first_slip, 12), "for", nstr(slipping, 12), "s; the period is", nstr(period, 12), "s")
write_reference(__file__, [
    "A block on a belt and on a spring: closed form, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown. It slips first at {nstr(first_slip, 12)} s; the period is {nstr(period, 12)} s.",
    "bound = 1e-8",
], rows)
