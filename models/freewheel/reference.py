"""Computes reference.csv of the bicycle from the moments at the wheel:

    J_p p' = M(t) - legs p,   J_w w' = -wind w                  while the wheel runs on (w > p)
    (J_p + J_w) w' = M(t) - (legs + wind) w                     while the pedals drive it

They part when the freewheel would have to hold the pedals back, M - legs w - J_p w' < 0.
"""

import pathlib
import sys

from mpmath import mpf, nstr, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

J_p, J_w, push, cadence, legs, wind = mpf("0.5"), mpf(9), mpf(40), mpf("1.5"), mpf(2), mpf(1)


def rider(t):
    return push * (1 + sin(cadence * t))


def together(t, y):
    rate = (rider(t) - (legs + wind) * y[3]) / (J_p + J_w)
    return [y[1], rate, y[3], rate]


def apart(t, y):
    return [y[1], (rider(t) - legs * y[1]) / J_p, y[3], -wind * y[3] / J_w]


def carried(t, y):
    return rider(t) - legs * y[3] - J_p * together(t, y)[3]


def caught_up(t, y):
    assert carried(t, y) > 0
    return driving, [y[0], y[3], y[2], y[3]]


driving = Phase(together, [(carried, lambda t, y: (coasting, y))])
coasting = Phase(apart, [(lambda t, y: y[3] - y[1], caught_up)])

times = even_times(12, 60)
start = [mpf(0), mpf(10), mpf(0), mpf(10)]
solution, events, difference = integrate_phases_checked(driving, times, start, mpf("0.1"))
rows = []
for t, (phase, y) in zip(times, solution):
    slopes = phase.derivative(t, y)
    rows.append({
        "time": t, "crank.angle": y[0], "der(crank.angle)": y[1], "der(crank.angle,2)": slopes[1], "hub.angle": y[2],
        "der(hub.angle)": y[3], "der(hub.angle,2)": slopes[3], "coupling.freewheel.state": mpf(2 * (phase is driving)),
        "coupling.freewheel.multiplier": carried(t, y) if phase is driving else mpf(0),
    })

print("events at", ", ".join(nstr(t, 10) for t, _ in events))
write_reference(__file__, [
    "A bicycle's freewheel: moments at the wheel, integrated by extrapolation in 40 digits; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-7",
], rows)
