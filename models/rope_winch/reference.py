"""Computes reference.csv of the winch and its load, with the rope's pull S and the floor's force N:

    J a'' = torque - drag a' - r S,   m x'' = -S x/d,   m y'' = -m g + S (h - y)/d + N,   d^2 = x^2 + (h - y)^2

The rope holds d <= L - r a, and the floor y >= 0; an impulse ends the speed with which one of them closes. The brake
ends a', and holds the drum with r S - torque.
"""

import pathlib
import sys

from mpmath import atan2, degrees, mpf, nstr, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_contacts import Contacts
from reference_tools import even_times, integrate_phases_checked, write_reference

m, h, aside, slack, r, J = mpf(20), mpf(3), mpf("0.4"), mpf("0.15"), mpf("0.08"), mpf("0.4")
drag, torque, stop, g = mpf("1.5"), mpf(24), mpf("2.53"), mpf("9.81")
length = sqrt(h**2 + aside**2) + slack


def rope(t, q, v):
    x, z = q[1], q[2] - h
    d = sqrt(x**2 + z**2)
    rate = (x * v[1] + z * v[2]) / d
    return length - r * q[0] - d, [-r, -x / d, -z / d], -r * v[0] - rate, -(v[1] ** 2 + v[2] ** 2 - rate**2) / d


def floor(t, q, v):
    return q[2], [0, 0, 1], v[2], mpf(0)


def held_rope(t, q, v):
    gap, slopes, speed, drift = rope(t, q, v)
    return gap, [0, *slopes[1:]], speed, drift


class Winch(Contacts):
    def phase(self, names):
        phase = super().phase(names)
        if len(phase.events) == 2:
            phase.events.append((lambda t, y: stop - t, brakes))
        return phase


def brakes(t, y):
    y = [*y[:3], mpf(0), *y[4:]]
    seen = held.touching(t, y)
    return held.phase(held.carrying(t, y, seen)), y


winch = Winch([J, m, m], lambda t, q, v: [torque - drag * v[0], mpf(0), -m * g], {"rope": rope, "floor": floor})
held = Contacts([J, m, m], lambda t, q, v: [mpf(0), mpf(0), -m * g], {"rope": held_rope, "floor": floor})
times = even_times(5, 50)
start = [mpf(0), aside, mpf(0), mpf(0), mpf(0), mpf(0)]
solution, events, difference = integrate_phases_checked(winch.phase(("floor",)), times, start, mpf("0.05"))
rows = []
for t, (phase, y) in zip(times, solution):
    forces, accelerations = (winch if t < stop else held).forces_of(t, phase, y)
    assert y[0] < length / r
    rows.append({
        "time": t, "winch.angle": y[0], "der(winch.angle)": y[3], "der(winch.angle,2)": accelerations[0],
        "pose.x": y[1], "pose.y": y[2], "der(pose.x)": y[4], "der(pose.y)": y[5], "pose.angle": mpf(0),
        "der(pose.x,2)": accelerations[1], "der(pose.y,2)": accelerations[2],
        "tackle.distance": sqrt(y[1] ** 2 + (h - y[2]) ** 2), "rope.gap": rope(t, y[:3], y[3:])[0],
        "coupling.brake.multiplier": mpf(0) if t < stop else r * forces["rope"] - torque, "pull": forces["rope"],
        "floor.normal.force": forces["floor"], "swing": degrees(atan2(y[1], h - y[2])),
    })

print("; ".join(f"{nstr(t, 10)} s: {' and '.join(phase.name) or 'nothing'}" for t, phase in events))
write_reference(__file__, [
    "A winch that lifts a load by a rope: laws of Newton and Euler, integrated by extrapolation in 40 digits from",
    "event to event; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
    "input torque = 24",
], rows)
