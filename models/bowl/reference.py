"""Computes reference.csv of the ball in the bowl y = c x^2 by Newton's and Euler's laws along the wall.

The ball touches where s solves s - r sin(b) = x, with tan(b) = 2 c s; then its centre moves on the curve at the
distance r inside the wall, whose radius of curvature is R = (1 + (2 c s)^2)^(3/2)/(2 c) - r. With the speed v along it,

    N = m (g cos b + v^2/R),   m v' = -m g sin b + F,   J w' = r F,   slip = v + r w

where the friction F is mu N against the slip; rolling, F = m g sin(b)/(1 + m r^2/J) as long as this is within mu N. An
impact with the speed -u across the wall has an impulse of (1 + e) m u, and friction of mu times that, or as much as
ends the slip. When less than 1e-13 m/s is left of u, the ball stays at the wall.
"""

import pathlib
import sys

from mpmath import atan, cos, mpf, nstr, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

r, m, g, mu, e = mpf("0.03"), mpf("0.2"), mpf("9.81"), mpf("0.15"), mpf("0.3")
c = mpf("0.4") / mpf("0.4") ** 2
J = 2 * m * r**2 / 5
compliance = 1 / m + r**2 / J


def foot(x, y):
    """Returns the place of the wall's nearest point, as its x, and the distance of the centre from it."""
    s = x
    for _ in range(100):  # The nearest point: the way to the centre is across the wall.
        value = s - x + (c * s**2 - y) * 2 * c * s
        slope = 1 + 6 * c**2 * s**2 - 2 * c * y
        move = value / slope
        s -= move
        if abs(move) < mpf("1e-38"):
            break
    root = sqrt(1 + (2 * c * s) ** 2)
    return s, ((y - c * s**2) - 2 * c * s * (x - s)) / root


def fly(t, y):
    return [y[2], y[3], mpf(0), -g, mpf(0), y[4]]


def lands(t, y):
    """y has x, y, their rates, the angular velocity and the angle."""
    s, _ = foot(y[0], y[1])
    b = atan(2 * c * s)
    v, u = y[2] * cos(b) + y[3] * sin(b), -(y[3] * cos(b) - y[2] * sin(b))
    assert u > 0
    impulse = (1 + e) * m * u
    slip = v + r * y[4]
    friction = -min(mu * impulse, abs(slip) / compliance) * (1 if slip > 0 else -1)
    v, u, w = v + friction / m, -e * u, y[4] + friction * r / J
    if -u < mpf("1e-13"):
        return moves_on(s, v, w, y[5])
    return flying, [y[0], y[1], v * cos(b) + u * sin(b), v * sin(b) - u * cos(b), w, y[5]]


def normal(y):
    b = atan(2 * c * y[0])
    return m * (g * cos(b) + y[1] ** 2 / ((1 + (2 * c * y[0]) ** 2) ** mpf("1.5") / (2 * c) - r))


def holding(y):
    """Returns the friction of a ball that rolls."""
    return m * g * sin(atan(2 * c * y[0])) / (m * compliance)


def along(friction):
    def derivative(t, y):
        """y has the foot's x, the centre's speed v, the angular velocity, and the angle."""
        steep = 1 + (2 * c * y[0]) ** 2
        curvature = 2 * c / steep ** mpf("1.5")
        F = friction(y)
        return [y[1] / (1 - r * curvature) / sqrt(steep), -g * sin(atan(2 * c * y[0])) + F / m, r * F / J, y[2]]

    return derivative


def slip(y):
    return y[1] + r * y[2]


def moves_on(s, v, w, angle):
    y = [s, v, w, angle]
    assert abs(slip(y)) > mpf("1e-6")
    side = 1 if slip(y) > 0 else -1
    return sliding[side], y


def grips(side):
    def then(t, y):
        if abs(holding(y)) < mu * normal(y):
            return rolling, [y[0], y[1], -y[1] / r, y[3]]
        other = -1 if holding(y) > 0 else 1
        return sliding[other], y

    return then


# The phases have the names of contact states.
flying = Phase(fly, [(lambda t, y: foot(y[0], y[1])[1] - r, lands)], "0")
sliding = {side: Phase(along(lambda y, side=side: -side * mu * normal(y)),
                       [(lambda t, y, side=side: side * slip(y), grips(side))], "1") for side in (1, -1)}
rolling = Phase(along(holding), [(lambda t, y, side=side: mu * normal(y) - side * holding(y),
                                  lambda t, y, side=side: (sliding[-side], y)) for side in (1, -1)], "2")

times = even_times(4, 80)
start = [mpf("-0.25"), mpf("0.3"), mpf(0), mpf(0), mpf(0), mpf(0)]

solution, events, difference = integrate_phases_checked(flying, times, start, mpf("0.02"))
rows = []
for t, (phase, y) in zip(times, solution):
    if phase is flying:
        s, distance = foot(y[0], y[1])
        b = atan(2 * c * s)
        place, rate, w, angle = y[:2], y[2:4], y[4], y[5]
        v = rate[0] * cos(b) + rate[1] * sin(b)
        force = friction = mpf(0)
    else:
        s, v, w, angle = y
        b, distance = atan(2 * c * s), r
        place, rate = [s - r * sin(b), c * s**2 + r * cos(b)], [v * cos(b), v * sin(b)]
        force = normal(y)
        friction = J / r * phase.derivative(t, y)[2]
    assert force >= 0 and abs(s) < mpf("0.4")
    rows.append({
        "time": t, "pose.x": place[0], "pose.y": place[1], "pose.angle": angle, "der(pose.x)": rate[0],
        "der(pose.y)": rate[1], "der(pose.angle)": w, "touch.state": mpf(phase.name),
        "touch.normal.force": force, "touch.friction.force": friction,
    })

print("events:", ", ".join(f"{nstr(t, 10)} {phase.name}" for t, phase in events))
write_reference(__file__, [
    "A ball in a bowl: laws along the wall, integrated by extrapolation in 40 digits from event to event; computed by",
    "reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-7",
], rows)
