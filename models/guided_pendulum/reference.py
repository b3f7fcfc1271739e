"""Computes reference.csv of the guided pendulum from its two minimal equations.

With the height eliminated, x2 = rho sin x3, Lagrange's equations in x1 and x3 are

    m x1'' = push                                                                    solved in closed form
    (J + m rho^2 cos^2 x3) x3'' = m rho^2 sin x3 cos x3 x3'^2 - m g rho cos x3       integrated

and Newton's law for the mass centre gives the force of the guide, lambda = m (x2'' + g).
"""

import pathlib
import sys

from mpmath import cos, mpf, nstr, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, integrate_checked, write_reference

m, J, rho, gravity, push = mpf(2), mpf("0.2"), mpf("0.5"), mpf("9.81"), mpf("0.5")
x1_start, x1_rate, x3_start, x3_rate = mpf(0), mpf(1), mpf("0.4"), mpf(2)


def swing(t, y):
    angle, rate = y
    numerator = m * rho**2 * sin(angle) * cos(angle) * rate**2 - m * gravity * rho * cos(angle)
    return [rate, numerator / (J + m * rho**2 * cos(angle) ** 2)]


times = even_times(10, 100)
solution, difference = integrate_checked(swing, times, [x3_start, x3_rate])
rows, torque_error = [], 0
for t, (angle, rate) in zip(times, solution):
    acceleration = swing(t, [angle, rate])[1]
    height_acceleration = rho * (cos(angle) * acceleration - sin(angle) * rate**2)
    guide_force = m * (height_acceleration + gravity)
    torque_error = max(torque_error, abs(J * acceleration + rho * cos(angle) * guide_force))
    x1, x1_velocity = x1_start + x1_rate * t + push / m * t**2 / 2, x1_rate + push / m * t
    rows.append({
        "time": t, "x1": x1, "x2": rho * sin(angle), "x3": angle,
        "der(x1)": x1_velocity, "der(x2)": rho * cos(angle) * rate, "der(x3)": rate,
        "der(x1,2)": push / m, "der(x2,2)": height_acceleration, "der(x3,2)": acceleration,
        "constraint.guide.multiplier": guide_force, "guide_force": guide_force,
        "pivot_x": x1 - rho * cos(angle), "pivot_speed": x1_velocity + rho * sin(angle) * rate,
    })

print("two step sizes agree to", nstr(difference, 2))
print("largest error of the balance of moments about the mass centre", nstr(torque_error, 2))
write_reference(__file__, [
    "Guided pendulum, Blajer 1993, section 6, with a constant push; computed by reference.py:",
    "x1 in closed form, x3 from its minimal equation by extrapolation in 40 digits.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-4",
    "input gravity = 9.81",
    "input push = 0.5",
], rows)
