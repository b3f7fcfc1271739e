"""Computes reference.csv of the load on the ramp by its equations in axes that turn with the ramp:

    x'' = omega^2 x - g sin(slope) + F/m,   N/m = g cos(slope) + 2 omega x',   slope = omega t

Friction F holds the load (x' = 0) up to mu_0 N; then it is mu N, up the ramp.
"""

import pathlib
import sys

from mpmath import cos, degrees, mpf, nstr, radians, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

m, g, mu, mu_0, omega = mpf(50), mpf("9.81"), mpf("0.45"), mpf("0.6"), radians(mpf(8))


def normal(t, y):
    return m * (g * cos(omega * t) + 2 * omega * y[1])


def without_friction(t, y):
    return omega**2 * y[0] - g * sin(omega * t)


def begins_to_slide(t, y):
    return sliding, y


sliding = Phase(lambda t, y: [y[1], without_friction(t, y) + mu * normal(t, y) / m], [])
resting = Phase(lambda t, y: [mpf(0), mpf(0)],
                [(lambda t, y: mu_0 * normal(t, y) + m * without_friction(t, y), begins_to_slide)])

times = even_times(5, 50)
solution, events, difference = integrate_phases_checked(resting, times, [mpf("2.5"), mpf(0)], mpf("0.1"))
rows = []
for t, (phase, y) in zip(times, solution):
    slides = phase is sliding
    assert y[1] <= 0 and y[0] > 0
    rows.append({
        "time": t, "x": y[0], "y": mpf(0), "der(x)": y[1], "der(y)": mpf(0), "der(x,2)": phase.derivative(t, y)[1],
        "bed.state": mpf(1 if slides else 2), "bed.normal.force": normal(t, y),
        "bed.friction.force": mu * normal(t, y) if slides else -m * without_friction(t, y),
        "slope_angle": degrees(omega * t),
    })

((begin, _),) = events
print("slides from", nstr(begin, 12), "s on, at", nstr(degrees(omega * begin), 8), "degrees")
write_reference(__file__, [
    "A load on a ramp that is raised: equations in turning axes, integrated by extrapolation in 40 digits; computed",
    "by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    f"It slides from {nstr(begin, 12)} s on.",
    "bound = 1e-8",
], rows)
