"""Computes reference.csv of the gripper. The hand is at s(t). Both fingers press with F, so that friction lifts the
load with up to 2 mu_0 F at rest, and with 2 mu F while it slips down:

    m (g + s'') <= 2 mu_0 F: y = s      else m y'' = 2 mu F - m g until y' = s'

The corners of a side share evenly, since nothing turns the load.
"""

import pathlib
import sys

from mpmath import cos, mpf, nstr, pi, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

m, mu, mu_0, jerk, duration = mpf(2), mpf("0.5"), mpf("0.6"), mpf(12), mpf("0.45")
F, width, hand, finger, g = mpf(30), mpf("0.08"), mpf(5), mpf("0.4"), mpf("9.81")


def lift(t):
    """Returns the hand's place, speed and acceleration."""
    w = 2 * pi / duration
    phase = w * t if t < duration else 2 * pi
    return jerk / w**2 * (phase - sin(phase)), jerk / w * (1 - cos(phase)), jerk * sin(phase)


def needed(t):
    return m * (g + lift(t)[2])


def grips(t, y):
    assert 0 < needed(t) < 2 * mu_0 * F
    return held, y


held = Phase(lambda t, y: list(lift(t)[1:]),
             [(lambda t, y: 2 * mu_0 * F - needed(t), lambda t, y: (slipping, y))], "2")
slipping = Phase(lambda t, y: [y[1], 2 * mu * F / m - g], [(lambda t, y: lift(t)[1] - y[1], grips)], "1")

times = even_times("0.6", 60)
solution, events, difference = integrate_phases_checked(held, times, [mpf(0), mpf(0)], mpf("0.01"))
rows = []
for t, (phase, (y, rate)) in zip(times, solution):
    force = needed(t) if phase is held else 2 * mu * F
    row = {"time": t, "lift.position": 1000 * lift(t)[0], "pose.y": 1000 * y, "pose.x": mpf(0), "pose.angle": mpf(0),
           "der(pose.y)": 1000 * rate, "der(pose.y,2)": 1000 * (force / m - g), "slipped": 1000 * (lift(t)[0] - y),
           "pressure": F, "hold": force, "coupling.screw.multiplier": -F,
           "lift.position.drive": (hand + 2 * finger) * (g + lift(t)[2]) + force}
    for side, i, corners in (("left", -1, (1, 3)), ("right", 1, (2, 4))):
        for corner in range(1, 5):
            touches = mpf(corner in corners)
            row |= {f"{side}_pad[{corner}].state": touches * mpf(phase.name),
                    f"{side}_pad[{corner}].normal.force": touches * F / 2,
                    f"{side}_pad[{corner}].friction.force": touches * i * force / 4}
    rows.append(row)

(begin, _), (end, _) = events
print("slips from", nstr(begin, 12), "to", nstr(end, 12), "s by", nstr(rows[-1]["slipped"], 12), "mm")
write_reference(__file__, [
    "A gripper that lifts a load: hand, friction and weight, integrated by extrapolation in 40 digits; computed by",
    "reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    f"It slips from {nstr(begin, 12)} to {nstr(end, 12)} s.",
    "bound = 1e-7",
    "input grip = 30",
], rows)
