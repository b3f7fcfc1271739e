"""Computes reference.csv of the cradle: pendulums, and impacts of two balls at a time.

    (l^2 + 2 r^2/5) a_i'' = -g l sin a_i

Neighbours touch where the distance d of their centres is 2 r. An impulse P along the line between the centres acts on
the angles as the slopes of d do, and turns the speed d' into -e d'.
"""

import pathlib
import sys

from mpmath import cos, degrees, mpf, nstr, radians, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

count, r, space, l, m = 5, mpf("0.02"), mpf("0.0002"), mpf("0.15"), mpf("0.25")
e, drawn, g = mpf("0.96"), radians(mpf(-35)), mpf("9.81")
inertia = m * (l**2 + 2 * r**2 / 5)


def swing(t, y):
    return list(y[count:]) + [-m * g * l / inertia * sin(a) for a in y[:count]]


def distance(i, y):
    """Returns the distance of the centres of the balls i and i + 1, and its slopes by their angles."""
    a, b = y[i], y[i + 1]
    x, z = 2 * r + space + l * (sin(b) - sin(a)), l * (cos(a) - cos(b))
    d = sqrt(x**2 + z**2)
    return d, (-x * l * cos(a) - z * l * sin(a)) / d, (x * l * cos(b) + z * l * sin(b)) / d


def meet(i):
    def impact(t, y):
        _, first, second = distance(i, y)
        speed = first * y[count + i] + second * y[count + i + 1]
        assert speed < 0
        P = -(1 + e) * speed / ((first**2 + second**2) / inertia)
        y = list(y)
        y[count + i] += first * P / inertia
        y[count + i + 1] += second * P / inertia
        return swinging, y

    return impact


swinging = Phase(swing, [])
swinging.events += [(lambda t, y, i=i: distance(i, y)[0] - 2 * r, meet(i)) for i in range(count - 1)]

times = even_times(3, 60)
start = [drawn] + [mpf(0)] * (2 * count - 1)
solution, events, difference = integrate_phases_checked(swinging, times, start, mpf("0.01"))
rows = []
for t, (_, y) in zip(times, solution):
    slopes = swing(t, y)
    row = {"time": t}
    for i in range(count):
        row |= {f"string_{i + 1}.angle": degrees(y[i]), f"der(string_{i + 1}.angle)": degrees(y[count + i])}
    for i in range(count - 1):
        row |= {f"meet_{i + 1}.gap": 1000 * (distance(i, y)[0] - 2 * r)}
    rows.append(row | {"energy.kinetic": sum(inertia * w**2 / 2 for w in y[count:])})

print(len(events), "impacts, the first at", ", ".join(nstr(t, 10) for t, _ in events[:5]))
write_reference(__file__, [
    "Newton's cradle: pendulums, integrated by extrapolation in 40 digits from impact to impact; computed by"
    " reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-5",
], rows)
