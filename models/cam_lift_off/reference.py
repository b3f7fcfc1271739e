"""Computes reference.csv of the cam and its follower. The cam's highest point has the height R + e sin a, with the
angle a = -pi/2 + s t + r t^2/2 of the camshaft. As long as the face touches it there, with the force N, the
follower has

    m y'' = N - m g - preload - k (y - y_0),   y_0 = R - e

and the motor's torque is J a'' + N (e cos a + mu y), as friction acts to the right on the cam's top. While N > 0 the
follower has the height of the cam; then it swings freely on its spring, and comes back with an impact. Their speed is
then restitution times the one before, and zero if that is less than 1e-14 m/s.
"""

import pathlib
import sys

from mpmath import cos, degrees, mpf, nstr, pi, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

R, e, m, k, preload = mpf("0.02"), mpf("0.006"), mpf("0.3"), mpf(5000), mpf(40)
s, r, mu, steel, J, g = mpf(60), mpf(220), mpf("0.08"), mpf("0.2"), mpf("2e-4"), mpf("9.81")


def cam(t):
    """Returns the angle, and height, speed and acceleration of the highest point."""
    a, rate = -pi / 2 + s * t + r * t**2 / 2, s + r * t
    return a, R + e * sin(a), e * cos(a) * rate, e * (cos(a) * r - sin(a) * rate**2)


def held(y):
    """Returns the force of spring and weight on the follower, downward."""
    return m * g + preload + k * (y - (R - e))


def normal(t):
    _, height, _, acceleration = cam(t)
    return m * acceleration + held(height)


def lands(t, y):
    _, height, speed, _ = cam(t)
    rebound = steel * (speed - y[1])
    assert rebound > 0
    if rebound > mpf("1e-14"):
        return floating, [height, speed + rebound]
    assert normal(t) > 0, "the follower would not stay"
    return touching, [height, speed]


# The heights are those of the cam while it touches, so that these rates only carry them along.
touching = Phase(lambda t, y: [cam(t)[2], cam(t)[3]], [(lambda t, y: normal(t), lambda t, y: (floating, y))])
floating = Phase(lambda t, y: [y[1], -held(y[0]) / m], [(lambda t, y: y[0] - cam(t)[1], lands)])

times = even_times(1, 100)
solution, events, difference = integrate_phases_checked(touching, times, [R - e, mpf(0)], mpf("0.002"))
rows = []
for t, (phase, (y, speed)) in zip(times, solution):
    a = cam(t)[0]
    touches = phase is touching
    N = normal(t) if touches else mpf(0)
    rows.append({
        "time": t, "shaft.angle": degrees(a), "guide.position": 1000 * y, "der(guide.position)": 1000 * speed,
        "der(guide.position,2)": 1000 * (N - held(y)) / m, "touch.gap": 1000 * (y - cam(t)[1]),
        "touch.state": mpf(touches), "touch.normal.force": N,
        "constraint.motor.multiplier": J * r + N * (e * cos(a) + mu * y), "guide.reaction.force.x": mu * N,
        "guide.reaction.torque": -N * e * cos(a), "der(shaft.angle)": degrees(s + r * t),
    })

earlier = [touching] + [phase for _, phase in events]
flights = [t for (t, phase), before in zip(events, earlier) if phase is floating and before is touching]
print(len(events), "events; the follower floats from", ", ".join(nstr(t, 10) for t in flights), "s on")
write_reference(__file__, [
    "A follower that floats above its cam: laws of Newton, integrated by extrapolation in 40 digits from event to",
    "event; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-7",
], rows)
