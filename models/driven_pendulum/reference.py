"""Computes reference.csv of the driven pendulum from its one-angle equation.

With the angle q of the rod from upright, x = x_p + l sin q and y = y_p + l cos q, the moments about the moving pivot
give

    m l q'' = m ((g + y_p'') sin q - x_p'' cos q) - c (x' cos q - y' sin q)

and Newton's law along the rod gives its push, lambda = m (x'' sin q + (y'' + g) cos q) + c (x' sin q + y' cos q).
"""

import pathlib
import sys

from mpmath import asin, cos, mpf, nstr, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, integrate_checked, write_reference

m, l, g, c = mpf("0.3"), mpf("0.5"), mpf("9.81"), mpf("0.05")
shake, shake_rate, sway, sway_rate = mpf("0.05"), mpf(100), mpf("0.1"), mpf(3)
x_start, x_rate = mpf("0.05"), mpf(0)


def pivot(t):
    """Returns position, velocity and acceleration of the pivot, x and y."""
    p, q = sway_rate * t, shake_rate * t
    return (sway * sin(p), sway * sway_rate * cos(p), -sway * sway_rate**2 * sin(p),
            shake * sin(q), shake * shake_rate * cos(q), -shake * shake_rate**2 * sin(q))


def swing(t, state):
    angle, rate = state
    _, px_rate, px_acceleration, _, py_rate, py_acceleration = pivot(t)
    s, k = sin(angle), cos(angle)
    drag = c * ((px_rate + l * rate * k) * k - (py_rate - l * rate * s) * s)
    return [rate, (m * ((g + py_acceleration) * s - px_acceleration * k) - drag) / (m * l)]


start_angle = asin(x_start / l)  # the pivot starts at the origin; the rod points up
start_rate = (x_rate - pivot(mpf(0))[1]) / (l * cos(start_angle))
times = even_times(3, 100)
solution, difference = integrate_checked(swing, times, [start_angle, start_rate])
rows, balance_error = [], 0
for t, (angle, rate) in zip(times, solution):
    px, px_rate, px_acceleration, py, py_rate, py_acceleration = pivot(t)
    s, k = sin(angle), cos(angle)
    acceleration = swing(t, [angle, rate])[1]
    x_velocity, y_velocity = px_rate + l * rate * k, py_rate - l * rate * s
    x_acceleration = px_acceleration + l * (acceleration * k - rate**2 * s)
    y_acceleration = py_acceleration - l * (acceleration * s + rate**2 * k)
    push = m * (x_acceleration * s + (y_acceleration + g) * k) + c * (x_velocity * s + y_velocity * k)
    balance_error = max(balance_error, abs(m * x_acceleration + c * x_velocity - push * s),
                        abs(m * (y_acceleration + g) + c * y_velocity - push * k))
    rows.append({
        "time": t, "x": px + l * s, "y": py + l * k, "der(x)": x_velocity, "der(y)": y_velocity,
        "der(x,2)": x_acceleration, "der(y,2)": y_acceleration, "constraint.rod.multiplier": push,
        "angle": angle, "tension": -push, "drive_power": push * (s * px_rate + k * py_rate),
    })

print("two step sizes agree to", nstr(difference, 2))
print("Newton's law in x and y holds to", nstr(balance_error, 2))
write_reference(__file__, [
    "A pendulum on a shaken and swayed pivot; computed by reference.py from its one-angle equation,",
    "by extrapolation in 40 digits.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "The bound: an error of the angle is multiplied in the accelerations by shake*shake_rate^2/length = 1000/s2.",
    "bound = 1e-5",
], rows)
