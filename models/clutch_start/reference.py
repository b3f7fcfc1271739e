"""Computes reference.csv of the start from its closed form, with a torque of 90 N.m of the engine.

While the clutch slips, its torque c t brakes the engine, and from t_0 = resistance/c on it moves the vehicle:

    J_1 w_1' = T - c t,   J_2 w_2' = c t - resistance

Both are quadratic in t, so that w_1 = w_2 is a quadratic equation. From then on both turn with
(J_1 + J_2) w' = T - resistance.
"""

import pathlib
import sys

from mpmath import mpf, nstr, pi, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

J_1, J_2, idle = mpf("0.15"), mpf("1.8"), mpf(1800) * 2 * pi / 60
resistance, c, T = mpf(25), mpf(70), mpf(90)
moves = resistance / c


def engine(t):
    return idle * t + (T * t**2 / 2 - c * t**3 / 6) / J_1, idle + (T * t - c * t**2 / 2) / J_1, (T - c * t) / J_1


def vehicle(t):
    s = max(t - moves, mpf(0))
    return c * s**3 / 6 / J_2, c * s**2 / 2 / J_2, c * s / J_2


# idle + (T t - c t^2/2)/J_1 = c (t - moves)^2/(2 J_2), as a t^2 + b t + d = 0
a, b = c / 2 / J_1 + c / 2 / J_2, -T / J_1 - c * moves / J_2
d = c * moves**2 / 2 / J_2 - idle
locks = (-b + sqrt(b**2 - 4 * a * d)) / (2 * a)
together = (T - resistance) / (J_1 + J_2)
assert abs(T - J_1 * together) < mpf("1.1") * c * locks, "the clutch would not hold"

rows = []
for t in even_times(3, 60):
    assert min(abs(t - moves), abs(t - locks)) > mpf("1e-4")
    s = t - locks
    states = [engine(min(t, locks)), vehicle(min(t, locks))]
    if s > 0:
        states = [(angle + rate * s + together * s**2 / 2, rate + together * s, together) for angle, rate, _ in states]
    row = {"time": t}
    for name, (angle, rate, acceleration) in zip(("crankshaft.angle", "driveshaft.angle"), states):
        row |= {name: angle, f"der({name})": rate, f"der({name},2)": acceleration}
    rows.append(row | {
        "coupling.clutch.multiplier": -c * t if s < 0 else -(T - J_1 * together),
        "coupling.clutch.state": mpf(1 if s < 0 else 2), "coupling.tyres.state": mpf(2 if t < moves else 1),
        "coupling.tyres.multiplier": -min(c * t, resistance),
        "heat": c * t * (states[0][1] - states[1][1]) / 1000 if s < 0 else mpf(0),
    })

print("moves at", nstr(moves, 12), "and locks at", nstr(locks, 12))
write_reference(__file__, [
    "A vehicle that starts: closed form, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown. The vehicle moves at {nstr(moves, 12)} s, the clutch locks at {nstr(locks, 12)} s.",
    "bound = 1e-8",
    "input throttle = 90",
], rows)
