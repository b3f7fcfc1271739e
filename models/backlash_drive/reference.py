"""Computes reference.csv of the drive with play from Newton's and Euler's laws of motor and load:

    J_m a'' = T cos(swing t) + r F,   J_l b'' = -grease b' - F     with F = 0 while the teeth are free

Teeth touch where b - r a = play/2 or -play/2. An impulse P on a, with the lever r, and -P on b turns the speed
b' - r a' into -e (b' - r a'). When that has become less than 1e-13 rad/s, the teeth rest on each other:
J_l b'' + J_m a''/r has no F. They part when F would have to pull.
"""

import pathlib
import sys

from mpmath import cos, degrees, mpf, nstr, radians

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

J_m, J_l, r, play, e = mpf("2e-4"), mpf("0.03"), mpf("0.1"), radians(mpf(2)), mpf("0.3")
grease, swing, torque = mpf("0.2"), mpf(6), mpf("0.2")


def drive(t):
    return torque * cos(swing * t)


def free(t, y):
    return [y[1], drive(t) / J_m, y[3], -grease * y[3] / J_l]


def touching(t, y):
    rate = (drive(t) / r - grease * y[3]) / (J_l + J_m / r**2)
    return [y[3] / r, rate / r, y[3], rate]


def on_load(t, y):
    """Returns the torque of touching teeth on the load."""
    return J_l * touching(t, y)[3] + grease * y[3]


def meet(side):
    def impact(t, y):
        speed = y[3] - r * y[1]
        P = (1 + e) * speed / (r**2 / J_m + 1 / J_l)
        y = [y[0], y[1] + r * P / J_m, y[2], y[3] - P / J_l]
        if abs(speed) > mpf("1e-13"):
            return flying, y
        assert side * on_load(t, y) < 0, "the teeth would part"
        return meshed[side], y

    return impact


def part(t, y):
    return flying, y


flying = Phase(free, [(lambda t, y: play / 2 - (y[2] - r * y[0]), meet(1)),
                      (lambda t, y: play / 2 + (y[2] - r * y[0]), meet(-1))])
meshed = {side: Phase(touching, [(lambda t, y, side=side: -side * on_load(t, y), part)]) for side in (1, -1)}

times = even_times(3, 60)
solution, events, difference = integrate_phases_checked(flying, times, [mpf(0)] * 4, mpf("0.01"))
rows = []
for t, (phase, y) in zip(times, solution):
    slopes = phase.derivative(t, y)
    state = next((side for side in meshed if phase is meshed[side]), 0)
    rows.append({
        "time": t, "motor.angle": degrees(y[0]), "der(motor.angle)": degrees(y[1]),
        "der(motor.angle,2)": degrees(slopes[1]), "output.angle": degrees(y[2]), "der(output.angle)": degrees(y[3]),
        "der(output.angle,2)": degrees(slopes[3]), "lag": degrees(r * y[0] - y[2]),
        "coupling.gears.state": mpf(state), "coupling.gears.multiplier": on_load(t, y) if state else mpf(0),
    })

partings = [t for t, phase in events if phase is flying and t > 0]
print(len(events), "events, the first at", nstr(events[0][0], 10))
write_reference(__file__, [
    "Gears with play: motor and load, integrated by extrapolation in 40 digits from impact to impact; computed by",
    "reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
    "input torque = 0.2",
], rows)
