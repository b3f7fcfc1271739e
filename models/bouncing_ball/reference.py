"""Computes reference.csv of the bouncing ball from its closed form.

A flight is a parabola. A bounce at the speed v turns it into e v. Its impulse p = (1 + e) m v has beside it a friction
impulse of mu p, or as much as ends the slip s = x' + r phi', whichever is less: an impulse of one changes the slip by
1/m + r^2/J. The flights last 2 e v/g, and their sum is finite: the ball rests at

    T = v_1/g (1 + e)/(1 - e),   with v_1^2 = 2 g y_0.

From then on it slides with mu m g until s = 0, and rolls.
"""

import pathlib
import sys

from mpmath import mpf, nstr, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

m, r, g, e, mu = mpf("0.6"), mpf("0.12"), mpf("9.81"), mpf("0.6"), mpf("0.1")
J = 2 * m * r**2 / 3
y_start, x_rate, phi_rate = mpf(1), mpf("1.5"), mpf(30)
compliance = 1 / m + r**2 / J


class Flight:
    """Begins at t with a height and speeds, after the impulses that it is given."""

    def __init__(self, t, x, y, phi, x_rate, y_rate, phi_rate, impulse, friction):
        self.t, self.x, self.y, self.phi, self.impulse, self.friction = t, x, y, phi, impulse, friction
        self.x_rate, self.y_rate, self.phi_rate = x_rate, y_rate, phi_rate
        self.lands = t + (y_rate + sqrt(y_rate**2 + 2 * g * y)) / g

    def at(self, t):
        s = t - self.t
        return (self.x + self.x_rate * s, self.y + self.y_rate * s - g * s**2 / 2, self.phi + self.phi_rate * s,
                self.x_rate, self.y_rate - g * s, self.phi_rate)

    def next(self):
        x, _, phi, x_rate, y_rate, phi_rate = self.at(self.lands)
        p = -(1 + e) * m * y_rate
        slip = x_rate + r * phi_rate
        f = -min(mu * p, slip / compliance) if slip > 0 else mpf(0)
        return Flight(self.lands, x, mpf(0), phi, x_rate + f / m, -e * y_rate, phi_rate + f * r / J,
                      self.impulse + p, self.friction + f)


rest = sqrt(2 * y_start / g) * (1 + e) / (1 - e)
flights = [Flight(mpf(0), mpf(0), y_start, mpf(0), x_rate, mpf(0), phi_rate, mpf(0), mpf(0))]
while rest - flights[-1].t > mpf("1e-30"):
    flights.append(flights[-1].next())
last = flights[-1]
slip = last.x_rate + r * last.phi_rate
rolls = rest + slip / (compliance * mu * m * g)
assert slip > 0, "the bounces would end the slip"


def on_the_floor(t):
    """Returns what the rows need after the bounces: it slides until it rolls."""
    s, later = min(t, rolls) - rest, max(t - rolls, 0)
    a, alpha = -mu * g, -mu * m * g * r / J
    x_rate, phi_rate = last.x_rate + a * s, last.phi_rate + alpha * s
    return (last.x + last.x_rate * s + a * s**2 / 2 + x_rate * later, mpf(0),
            last.phi + last.phi_rate * s + alpha * s**2 / 2 + phi_rate * later, x_rate, mpf(0), phi_rate)


rows = []
for t in even_times(3, 60):
    flight = max((f for f in flights if f.t <= t), key=lambda f: f.t)
    floor = t > rest
    x, y, phi, x_rate, y_rate, phi_rate = on_the_floor(t) if floor else flight.at(t)
    state = 0 if not floor else 1 if t < rolls else 2
    rows.append({
        "time": t, "x": x, "y": y, "phi": phi, "der(x)": x_rate, "der(y)": y_rate, "der(phi)": phi_rate,
        "floor.gap": y, "floor.slip": x_rate + r * phi_rate, "floor.state": mpf(state),
        "floor.normal.force": m * g if floor else mpf(0), "floor.friction.force": -mu * m * g * (state == 1),
    })

print("rests after", len(flights) - 1, "bounces at", nstr(rest, 12), "and rolls at", nstr(rolls, 12))
write_reference(__file__, [
    "A ball thrown with backspin: closed form, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown. It rests at {nstr(rest, 12)} s and rolls from {nstr(rolls, 12)} s on.",
    "bound = 1e-9",
], rows)
