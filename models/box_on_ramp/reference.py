"""Computes reference.csv of the box on the ramp from its closed form.

The box does not turn: the corners carry more in front, by as much as friction would tip the box, so that friction goes
through the centre of what they carry, along the motion. With f the angle of the velocity v against the way down,

    v' = g sin(slope) cos f - mu g cos(slope),   v f' = -g sin(slope) sin f

has the solution v sin f = C u^k, where u = tan(f/2), k = mu/tan(slope), and

    g sin(slope) dt = -C/2 u^(k - 2) (1 + u^2) du

so that times and ways are powers of u. For k > 1 the box stops at u = 0.
"""

import pathlib
import sys

from mpmath import cos, findroot, mpf, nstr, radians, sin, sqrt, tan

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

slope, mu, m, g = radians(mpf(15)), mpf("0.4"), mpf(12), mpf("9.81")
length, width, height = mpf("0.6"), mpf("0.4"), mpf("0.3")
down, across = mpf(-1), mpf(2)

k = mu / tan(slope)
pull = g * sin(slope)
speed = sqrt(down**2 + across**2)
u_start = (speed - down) / across  # tan(f/2) = (1 - cos f)/sin f
C = across / u_start**k


def time(u):
    def power(u):
        return (u ** (k - 1) / (k - 1) + u ** (k + 1) / (k + 1)) / 2

    return C / pull * (power(u_start) - power(u))


def place(u):
    def x(u):
        return (u ** (2 * k - 2) / (2 * k - 2) - u ** (2 * k + 2) / (2 * k + 2)) / 4

    def y(u):
        return (u ** (2 * k - 1) / (2 * k - 1) + u ** (2 * k + 1) / (2 * k + 1)) / 2

    return C**2 / pull * (x(u_start) - x(u)), C**2 / pull * (y(u_start) - y(u))


def corners(normal, x, y):
    """Returns what each lower corner carries if the middle of it all is at (x, y): their forces are linear in place."""
    return [normal / 4 * (1 + i * 2 * x / length + j * 2 * y / width) for j in (-1, 1) for i in (-1, 1)]


stop = time(mpf(0))
normal, friction = m * g * cos(slope), mu * m * g * cos(slope)
rows = []
for t in even_times(3, 60):
    assert abs(t - stop) > mpf("1e-4")
    if t < stop:
        u = findroot(lambda u, t=t: time(u) - t, (mpf("1e-12"), u_start), solver="anderson", tol=mpf("1e-60"))
        assert abs(time(u) - t) < mpf("1e-30")
        towards = (1 - u**2) / (1 + u**2), 2 * u / (1 + u**2)
        rate = C * u ** (k - 1) * (1 + u**2) / 2
        grip = [-friction * s for s in towards]
    else:
        u, rate, towards = mpf(0), mpf(0), (mpf(1), mpf(0))
        grip = [-m * pull, mpf(0)]
    carried = corners(normal, *(-height / 2 * force / normal for force in grip))
    assert min(carried) > 0
    x, y = place(u)
    row = {"time": t, "pose.x": x, "pose.y": y, "der(pose.x)": rate * towards[0], "der(pose.y)": rate * towards[1],
           "pose.angular_velocity.z": mpf(0), "load": normal, "grip_x": grip[0], "grip_y": grip[1]}
    for i, force in enumerate(carried):
        row |= {f"foot[{i + 1}].state": mpf(1 if t < stop else 2), f"foot[{i + 1}].normal.force": force}
    rows.append(row)

print("stops at", nstr(stop, 12), "s, at", ", ".join(nstr(x, 10) for x in place(mpf(0))), "m")
write_reference(__file__, [
    "A box that slides across a ramp and stops: closed form, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown. It stops at {nstr(stop, 12)} s.",
    "bound = 1e-7",
], rows)
