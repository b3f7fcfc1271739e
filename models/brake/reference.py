"""Computes reference.csv of the brake from its closed form, with a pressure of 20 bar at the start.

With M the load's moment and I the moment of inertia of drum and load, a pad force that falls evenly gives

    I w' = M - C + c t,   C = 2 mu R A p,   c = 2 mu R A leak

until w = 0: a quadratic equation. The brake holds until its friction at rest, mu_0/mu (C - c t), is M. Then w' begins
with the smaller sliding friction.
"""

import pathlib
import sys

from mpmath import mpf, nstr, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

load, drum, r, R = mpf(200), mpf(12), mpf("0.2"), mpf("0.25")
area, mu, ratio = mpf(20) / 10000, mpf("0.35"), mpf("1.2")
leak, pressure, w_start, g = mpf("1.5e5"), mpf(20) * 100000, mpf(8), mpf("9.81")
M, I = load * g * r, drum + load * r**2
C, c = 2 * mu * R * area * pressure, 2 * mu * R * area * leak

deceleration = (C - M) / I
stops = (deceleration - sqrt(deceleration**2 - 2 * c / I * w_start)) / (c / I)
slips = (C - M / ratio) / c
way = w_start * stops - deceleration * stops**2 / 2 + c / I * stops**3 / 6
assert 0 < stops < slips < pressure / leak

rows = []
for t in even_times(8, 80):
    assert min(abs(t - stops), abs(t - slips)) > mpf("1e-4")
    if t < stops:
        angle = w_start * t - deceleration * t**2 / 2 + c / I * t**3 / 6
        rate, acceleration = w_start - deceleration * t + c / I * t**2 / 2, -deceleration + c / I * t
    elif t < slips:
        angle, rate, acceleration = way, mpf(0), mpf(0)
    else:
        s, begin = t - slips, (M - C + c * slips) / I
        angle = way + begin * s**2 / 2 + c / I * s**3 / 6
        rate, acceleration = begin * s + c / I * s**2 / 2, begin + c / I * s
    rows.append({
        "time": t, "axle.angle": angle, "der(axle.angle)": rate, "der(axle.angle,2)": acceleration,
        "fall.position": r * angle, "coupling.pads.multiplier": I * acceleration - M,
        "coupling.pads.state": mpf(2 if stops < t < slips else 1),
    })

print("stops at", nstr(stops, 12), "and slips at", nstr(slips, 12))
write_reference(__file__, [
    "A load that a leaking brake stops and holds: closed form, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown. The load stops at {nstr(stops, 12)} s and slips from {nstr(slips, 12)} s on.",
    "bound = 1e-8",
    "input pressure = 20",
], rows)
