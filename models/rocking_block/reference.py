"""Computes reference.csv of the rocking block from the moments about the corner that it stands on.

The block turns about a corner with the centre at r from it, in axes that move with the table, where gravity is (-s, -g)
if the table is accelerated by s:

    (4/3) m (b^2 + h^2) a'' = m (s r_y - g r_x),    r = (b cos a - h sin a, b sin a + h cos a) on the left corner

and with -b on the right one. It begins when s h > g b. At its fall the moment of momentum about the corner that it
falls on stays, while the other corner lifts: a' becomes (1 - 3/2 b^2/(b^2 + h^2)) a'.
"""

import pathlib
import sys

from mpmath import cos, degrees, mpf, nstr, pi, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

b, h, m, g, mu = mpf("0.1"), mpf("0.25"), mpf(40), mpf("9.81"), mpf("0.6")
duration, jerk = mpf("0.25"), mpf("8.8")
inertia = mpf(4) / 3 * m * (b**2 + h**2)
ratio = 1 - mpf(3) / 2 * b**2 / (b**2 + h**2)


def table(t):
    """Returns the table's place and its acceleration."""
    w = 2 * pi / duration
    phase = w * t if t < duration else 2 * pi
    return jerk / w**2 * (phase - sin(phase)), jerk * sin(phase)


def lever(side, a):
    """Returns the way from the corner to the centre; the side is 1 on the left corner, else -1."""
    return side * b * cos(a) - h * sin(a), side * b * sin(a) + h * cos(a)


def turn(side):
    def derivative(t, y):
        x, z = lever(side, y[0])
        return [y[1], m * (table(t)[1] * z - g * x) / inertia]

    return derivative


def lands(t, y):
    side = 1 if y[1] > 0 else -1  # it turns on to this side
    if abs(y[1]) < mpf("1e-14"):
        return standing, [mpf(0), mpf(0)]
    return rocking[side], [mpf(0), ratio * y[1]]


def lifts(side):
    return lambda t, y: (rocking[side], y)


def forces(side, t, y):
    """Returns the forces of the table on the block while it rocks, along the table and across."""
    rate, slope = y[1], turn(side)(t, y)[1]
    x, z = lever(side, y[0])
    return m * (table(t)[1] - z * slope - x * rate**2), m * (g + x * slope - z * rate**2)


rocking = {side: Phase(turn(side), [(lambda t, y, side=side: side * y[0], lands)]) for side in (1, -1)}
standing = Phase(lambda t, y: [mpf(0), mpf(0)],
                 [(lambda t, y, side=side: g * b - side * table(t)[1] * h, lifts(side)) for side in (1, -1)])

# The jerk's end is a row, so that no step of the integration goes across.
times = even_times(3, 60)
solution, events, difference = integrate_phases_checked(standing, times, [mpf(0), mpf(0)], mpf("0.02"))
rows = []
for t, (phase, y) in zip(times, solution):
    side = next((side for side in rocking if phase is rocking[side]), 0)
    a, rate = y
    slope = phase.derivative(t, y)[1]
    if side:
        x, z = lever(side, a)
        along, across = forces(side, t, y)
        left, right = (across, mpf(0)) if side == 1 else (mpf(0), across)
        place = [x - side * b, z]
        acceleration = [-z * slope - x * rate**2, x * slope - z * rate**2]
    else:
        along, across = m * table(t)[1], m * g
        left, right = (across + side * along * h / b for side in (1, -1))
        left, right = left / 2, right / 2
        place, acceleration = [mpf(0), h], [mpf(0), mpf(0)]
    assert abs(along) < mu * across and across > 0
    rows.append({
        "time": t, "slide.position": table(t)[0], "pose.angle": degrees(a), "der(pose.angle)": degrees(rate),
        "der(pose.angle,2)": degrees(slope), "pose.x": 1000 * place[0], "pose.y": 1000 * place[1],
        "der(pose.x,2)": 1000 * acceleration[0], "der(pose.y,2)": 1000 * acceleration[1],
        "foot[1].normal.force": left, "foot[2].normal.force": right, "grip": along,
    })

print("a' becomes", nstr(ratio, 8), "a'; largest angle", nstr(max(abs(row["pose.angle"]) for row in rows), 5))
print(len(events), "events:", ", ".join(nstr(t, 10) for t, _ in events[:8]), "… the last at", nstr(events[-1][0], 12))
write_reference(__file__, [
    "A block that rocks on its corners: moments about the corner that it stands on, integrated by extrapolation in 40",
    "digits from impact to impact; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-7",
], rows)
