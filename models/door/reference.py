"""Computes reference.csv of the door from the moments about its hinge:

    m w^2/3 a'' = -f L'(a) + push (w - 0.07 m),   f = -force (column/(column - extended + L))^1.4 - oil L'(a) a'

where f is the pull of the gas spring and L its length. Stop and frame turn a' into -e a'; when that has become less
than 1e-12 1/s, the door rests against its frame, as its closer holds it there.
"""

import pathlib
import sys

from mpmath import cos, degrees, matrix, mpf, nstr, radians, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

width, mass, opening, e = mpf("0.9"), mpf(20), radians(mpf(95)), mpf("0.4")
reach, force, extended, column, oil = mpf("0.3"), mpf(60), mpf("0.45"), mpf("0.5"), mpf(60)
wall, handle, push = matrix([mpf("-0.12"), mpf("0.1")]), width - mpf("0.07"), mpf(1)


def gas_spring(a, rate):
    """Returns its length, the slope of that by the angle, its pull, and its direction from the wall to the door."""
    way = reach * matrix([cos(a), sin(a)]) - wall
    length = sqrt(way[0] ** 2 + way[1] ** 2)
    slope = reach * (-sin(a) * way[0] + cos(a) * way[1]) / length
    pull = -force * (column / (column - extended + length)) ** mpf("1.4") - oil * slope * rate
    return length, slope, pull, way / length


def moment(a, rate):
    _, slope, pull, _ = gas_spring(a, rate)
    return -pull * slope + push * handle


def swing(t, y):
    return [y[1], moment(y[0], y[1]) / (mass * width**2 / 3)]


def at_the_stop(t, y):
    return swinging, [opening, -e * y[1]]


def at_the_frame(t, y):
    if -e * y[1] > mpf("1e-12"):
        return swinging, [mpf(0), -e * y[1]]
    assert moment(mpf(0), mpf(0)) < 0, "the closer would not hold the door"
    return resting, [mpf(0), mpf(0)]


swinging = Phase(swing, [(lambda t, y: opening - y[0], at_the_stop), (lambda t, y: y[0], at_the_frame)])
resting = Phase(lambda t, y: [mpf(0), mpf(0)], [])

times = even_times(6, 48)
solution, events, difference = integrate_phases_checked(swinging, times, [radians(5), radians(150)], mpf("0.02"))
rows = []
for t, (phase, (a, rate)) in zip(times, solution):
    length, _, pull, direction = gas_spring(a, rate)
    acceleration = phase.derivative(t, [a, rate])[1]
    along, across = matrix([cos(a), sin(a)]), matrix([-sin(a), cos(a)])
    hinge = mass * width / 2 * (acceleration * across - rate**2 * along) + pull * direction - push * across
    rows.append({
        "time": t, "hinge.angle": degrees(a), "der(hinge.angle)": degrees(rate),
        "der(hinge.angle,2)": degrees(acceleration), "closer.length": length, "closer.force": pull,
        "hinge_force": sqrt(hinge[0] ** 2 + hinge[1] ** 2), "hinge.angle.limit.state": -mpf(phase is resting),
        "hinge.angle.limit.effort": -moment(a, rate) if phase is resting else mpf(0),
    })

print("impacts at", ", ".join(nstr(t, 10) for t, _ in events[:6]), "… rest at", nstr(events[-1][0], 12))
print("two step sizes agree to", nstr(difference, 2))
write_reference(__file__, [
    "A door with a gas spring between its stop and its frame; moments about the hinge, integrated by extrapolation in",
    "40 digits from impact to impact; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
    "input push = 1",
], rows)
