"""Computes reference.csv of the point at constant speed from its closed-form solution.

The constraint's reaction acts along the velocity, so that across it gravity alone turns the path: with the angle phi of
the path above the horizontal,

    c phi' = -g cos phi,  phi(0) = 0:      sin phi = -tanh(g t/c),  cos phi = 1/cosh(g t/c)
    x = c^2/g * 2 atan(tanh(g t/(2 c)))    y = -c^2/g log cosh(g t/c)

The reaction 2 lambda v holds the weight's part along the path: 2 lambda c = m g sin phi.
"""

import pathlib
import sys

from mpmath import atan, cosh, diff, log, mpf, nstr, tanh

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

m, c, g = mpf(2), mpf(3), mpf("9.81")


def x(t):
    return 2 * c**2 / g * atan(tanh(g * t / (2 * c)))


def y(t):
    return -(c**2) / g * log(cosh(g * t / c))


rows, error = [], 0
for t in even_times(2, 100):
    sine, cosine = -tanh(g * t / c), 1 / cosh(g * t / c)
    multiplier = m * g * sine / (2 * c)
    row = {
        "time": t, "x": x(t), "y": y(t), "der(x)": c * cosine, "der(y)": c * sine,
        "der(x,2)": g * sine * cosine, "der(y,2)": -g * cosine**2,
        "constraint.speed.multiplier": multiplier,
        "x.reaction": 2 * multiplier * c * cosine, "y.reaction": 2 * multiplier * c * sine,
    }
    rows.append(row)
    # the equations of motion, with rates by differentiating x(t) and y(t) numerically
    error = max(error, abs(diff(x, t) - row["der(x)"]), abs(diff(y, t) - row["der(y)"]),
                abs(m * diff(x, t, 2) - row["x.reaction"]), abs(m * diff(y, t, 2) + m * g - row["y.reaction"]))

print("the closed form satisfies the equations of motion to", nstr(error, 2))
write_reference(__file__, [
    "A mass point at constant speed: closed-form solution, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown (equations of motion satisfied to {nstr(error, 1)}).",
    "bound = 1e-7",
], rows)
