"""Computes reference.csv of the block on the ramp, which slides in a parabola:

    N  = m g cos(slope) + P sin(slope)
    x' = x'_0 + A t,   x = x'_0 t + A t^2/2   with   m A = m g sin(slope) - P cos(slope) - mu N,   as long as x' > 0
"""

import pathlib
import sys

from mpmath import cos, mpf, radians, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

m, g, slope, mu, push = mpf(2), mpf("9.81"), radians(mpf(30)), mpf("0.2"), mpf(3)
x_rate = mpf("0.5")

normal_force = m * g * cos(slope) + push * sin(slope)
friction_force = -mu * normal_force
acceleration = g * sin(slope) + (friction_force - push * cos(slope)) / m
assert normal_force > 0, "the block would leave the ramp"

rows = []
for t in even_times(2, 20):
    velocity = x_rate + acceleration * t
    assert velocity > 0, "the block would come to rest"
    rows.append({
        "time": t, "x": x_rate * t + acceleration * t**2 / 2, "y": mpf(0), "der(x)": velocity, "der(y)": mpf(0),
        "der(x,2)": acceleration, "der(y,2)": mpf(0), "constraint.contact.multiplier": normal_force,
        "normal_force": normal_force, "friction_force": friction_force, "friction_power": friction_force * velocity,
    })

write_reference(__file__, [
    "A block that slides down a ramp with Coulomb friction: a parabola, computed by reference.py in 40 digits.",
    "Accuracy: all digits shown. Every integrator of order two or more is exact here, so the bound is round-off.",
    "bound = 1e-12",
    "input push = 3",
], rows)
