"""Computes reference.csv of the gyroscope from its steady precession, in closed form.

The orientation is a product of three turns, precession Omega t about the vertical, tilt about the line of nodes and
psi = (omega_3 - Omega cos(tilt)) t about the axis:  q = q_z(Omega t) q_x(tilt) q_z(psi). The angular velocity in the
top's frame is (Omega sin(tilt) sin psi, Omega sin(tilt) cos psi, omega_3). The mass centre runs on a circle, so the
point's force is m (g up - Omega^2 l sin(tilt) outwards). Euler's equations and the kinematic equation are checked by
numerical differentiation.
"""

import pathlib
import sys

from mpmath import cos, diff, mpf, nstr, radians, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

g, m, l, J, C = mpf("9.81"), mpf("0.5"), mpf("0.1"), mpf("6e-4"), mpf("1e-3")
tilt, Omega = radians(mpf(30)), mpf(6)
A = J + m * l**2
spin = m * g * l / (C * Omega) + A / C * Omega * cos(tilt)


def product(p, q):
    """Returns the product of two quaternions (w, x, y, z)."""
    return [p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
            p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
            p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def psi(t):
    return (spin - Omega * cos(tilt)) * t


def orientation(t):
    turns = product([cos(Omega * t / 2), 0, 0, sin(Omega * t / 2)], [cos(tilt / 2), sin(tilt / 2), 0, 0])
    return product(turns, [cos(psi(t) / 2), 0, 0, sin(psi(t) / 2)])


def angular_velocity(t):
    return [Omega * sin(tilt) * sin(psi(t)), Omega * sin(tilt) * cos(psi(t)), spin]


def axis(t):
    return [sin(tilt) * sin(Omega * t), -sin(tilt) * cos(Omega * t), cos(tilt)]


def up(t):
    """Returns the vertical in the top's frame."""
    return [sin(tilt) * sin(psi(t)), sin(tilt) * cos(psi(t)), cos(tilt)]


energy = (A * (Omega * sin(tilt)) ** 2 + C * spin**2) / 2 + m * g * l * cos(tilt)
rows, error = [], 0
for t in even_times(5, 100):
    q, omega = orientation(t), angular_velocity(t)
    omega_rate = [diff(lambda s, i=i: angular_velocity(s)[i], t) for i in range(3)]
    force = [-m * Omega**2 * l * axis(t)[0], -m * Omega**2 * l * axis(t)[1], m * g]
    row = {"time": t}
    row.update({f"point.orientation.{name}": value for name, value in zip("wxyz", q)})
    row.update({f"point.angular_velocity.{name}": value for name, value in zip("xyz", omega)})
    row.update({f"point.reaction.force.{name}": value for name, value in zip("xyz", force)})
    row.update({f"tip.{name}": 2 * l * value for name, value in zip("xyz", axis(t))})
    row.update({"inclination": tilt, "energy.total": energy})
    rows.append(row)

    # Euler about the point, q' = q (0, omega)/2, Newton for the mass centre, all by differentiating numerically
    inertia = [A, A, C]
    momentum = [i * w for i, w in zip(inertia, omega)]
    moment = [-m * g * l * c for c in cross([0, 0, 1], up(t))]
    euler = [i * w + c - n for i, w, c, n in zip(inertia, omega_rate, cross(omega, momentum), moment)]
    kinematic = [diff(lambda s, i=i: orientation(s)[i], t) - p / 2 for i, p in enumerate(product(q, [0, *omega]))]
    newton = [m * l * diff(lambda s, i=i: axis(s)[i], t, 2) + m * g * (i == 2) - f for i, f in enumerate(force)]
    error = max(error, *map(abs, euler + kinematic + newton))

print("the closed form satisfies the equations of motion to", nstr(error, 2), "; spin", nstr(spin, 8))
assert error < mpf("1e-15")
write_reference(__file__, [
    "A heavy top in steady precession: closed form, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown (equations of motion satisfied to {nstr(error, 1)}).",
    "bound = 1e-6",
    "input push = 0",
], rows)
