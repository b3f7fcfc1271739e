"""Computes reference.csv of the gearbox from its closed form, with 10 N.m of the motor and 8 N.m of resistance.

The wheels turn with -w/r_1 and -w/r_2, where w is the speed of the input shaft. With one of them locked to the output
shaft, J w' is constant, and so it is for each part while none is. At the lock of the second gear the two parts exchange
an impulse that leaves them one speed:

    w_out+ = (J_2 w_2 + J_v w_out)/(J_2 + J_v),   J_2 = r_2^2 (J_m + J_w/r_1^2 + J_w/r_2^2)
"""

import pathlib
import sys

from mpmath import mpf, nstr

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

J_m, J_w, J_v = mpf("0.02"), mpf("0.005"), mpf("0.8")
ratios = r_1, r_2 = mpf("3.6"), mpf("2.1")
release, engage, torque, resistance = mpf("0.8"), mpf(1), mpf(10), mpf(8)
input_side = J_m + J_w / r_1**2 + J_w / r_2**2


class Drive:
    """Turns from t on, with a gear that is locked or without one."""

    def __init__(self, t, angle, rate, out, out_rate, ratio=None):
        self.t, self.angle, self.rate, self.out, self.out_rate, self.ratio = t, angle, rate, out, out_rate, ratio
        if ratio:
            self.acceleration = (torque - resistance / ratio) / (input_side + J_v / ratio**2)
            self.out_acceleration = -self.acceleration / ratio
        else:
            self.acceleration, self.out_acceleration = torque / input_side, resistance / J_v

    def at(self, t):
        s = t - self.t
        return (self.angle + self.rate * s + self.acceleration * s**2 / 2, self.rate + self.acceleration * s,
                self.out + self.out_rate * s + self.out_acceleration * s**2 / 2,
                self.out_rate + self.out_acceleration * s)

    def on_output(self):
        """Returns the torque of the locked dog clutch on the output shaft."""
        return J_v * self.out_acceleration - resistance if self.ratio else mpf(0)


first = Drive(mpf(0), mpf(0), mpf(20), mpf(0), mpf(-20) / r_1, r_1)
neutral = Drive(release, *first.at(release))
angle, rate, out, out_rate = neutral.at(engage)
wheel = r_2**2 * input_side
together = (wheel * -rate / r_2 + J_v * out_rate) / (wheel + J_v)
impulse = J_v * (together - out_rate)
second = Drive(engage, angle, -r_2 * together, out, together, r_2)

rows = []
for t in even_times(2, 40):
    if t in (release, engage):
        continue  # Values jump there.
    drive = first if t < release else neutral if t < engage else second
    angle, rate, out, out_rate = drive.at(t)
    rows.append({
        "time": t, "input.angle": angle, "der(input.angle)": rate, "der(input.angle,2)": drive.acceleration,
        "output.angle": out, "der(output.angle)": out_rate, "der(output.angle,2)": drive.out_acceleration,
        "der(first.angle)": -rate / r_1, "der(second.angle)": -rate / r_2,
        "coupling.dog_1.multiplier": -drive.on_output() if drive is first else mpf(0),
        "coupling.dog_2.multiplier": -drive.on_output() if drive is second else mpf(0),
        "coupling.dog_1.state": mpf(2 * (drive is first)), "coupling.dog_2.state": mpf(2 * (drive is second)),
        "coupling.dog_2.impulse": -impulse if drive is second else mpf(0),
    })

print("the second gear is locked with the impulse", nstr(impulse, 12))
write_reference(__file__, [
    "A gearbox that is shifted: closed form, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown. The second gear is locked with {nstr(impulse, 12)} N.m.s on the output shaft.",
    "bound = 1e-10",
    "input torque = 10",
    "input resistance = 8",
], rows)
