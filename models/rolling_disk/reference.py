"""Computes reference.csv of the rolling disk from its steady circular motion, in closed form.

The disk's heading turns by Omega t, its lean is constant, and relative to the leaning frame it spins with
sigma = s + Omega sin(lean), s being the total spin about its axis. So the orientation is
q = q_z(Omega t) q_x(-lean) q_y(sigma t) and the contact runs with the speed r sigma on a circle of the radius
r sigma/Omega. The mass centre has the speed r s and the acceleration Omega r s inwards; that gives the ground's force,
and its moment about the centre. Rolling, Newton's and Euler's laws are checked in the ground's frame by numerical
differentiation of the closed form.
"""

import pathlib
import sys

from mpmath import cos, diff, matrix, mpf, nstr, radians, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

g, m, r = mpf("9.81"), mpf(1), mpf("0.3")
lean, Omega = radians(mpf(20)), mpf("1.5")
A, C = m * r**2 / 4, m * r**2 / 2
spin = (m * g * r * sin(lean) - A * Omega**2 * sin(lean) * cos(lean)) / ((C + m * r**2) * Omega * cos(lean))
sigma = spin + Omega * sin(lean)


def product(p, q):
    """Returns the product of two quaternions (w, x, y, z)."""
    return [p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
            p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
            p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
            p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def orientation(t):
    turns = product([cos(Omega * t / 2), 0, 0, sin(Omega * t / 2)], [cos(lean / 2), -sin(lean / 2), 0, 0])
    return product(turns, [cos(sigma * t / 2), 0, sin(sigma * t / 2), 0])


def rotation(t):
    w, x, y, z = orientation(t)
    return matrix([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                   [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                   [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def angular_velocity(t):
    """Returns the angular velocity in the disk's frame."""
    return [sin(sigma * t) * -cos(lean) * Omega, spin, cos(sigma * t) * cos(lean) * Omega]


def contact(t):
    return [r * sigma / Omega * sin(Omega * t), r * sigma / Omega * (1 - cos(Omega * t)), mpf(0)]


def radius(t):
    """Returns the vector from the contact to the centre: up, and inwards by the lean."""
    return [-r * sin(lean) * sin(Omega * t), r * sin(lean) * cos(Omega * t), r * cos(lean)]


def centre(t):
    return [p + u for p, u in zip(contact(t), radius(t))]


def momentum(t):
    """Returns angular momentum about the centre, in the ground's frame."""
    return list(rotation(t) * matrix([i * w for i, w in zip([A, C, A], angular_velocity(t))]))


def derivative(vector, t, order=1):
    return [diff(lambda s, i=i: vector(s)[i], t, order) for i in range(len(vector(t)))]


energy = m * (r * spin) ** 2 / 2 + (A * (Omega * cos(lean)) ** 2 + C * spin**2) / 2 + m * g * r * cos(lean)
rows, error = [], 0
for t in even_times(10, 100):
    q, omega, p, c = orientation(t), angular_velocity(t), contact(t), centre(t)
    inwards = [-sin(Omega * t), cos(Omega * t), 0]
    force = [m * Omega * r * spin * n + k for n, k in zip(inwards, [0, 0, m * g])]
    torque = [-component for component in cross(radius(t), force)]
    row = {"time": t, "contact.x": p[0], "contact.y": p[1]}
    row.update({f"contact.orientation.{name}": value for name, value in zip("wxyz", q)})
    row.update({f"contact.angular_velocity.{name}": value for name, value in zip("xyz", omega)})
    row.update({f"contact.reaction.force.{name}": value for name, value in zip("xyz", force)})
    row.update({f"contact.reaction.torque.{name}": value for name, value in zip("xyz", torque)})
    row.update({f"centre.{name}": value for name, value in zip("xyz", c)})
    row.update({"grip": Omega * r * spin / g, "energy.total": energy})
    rows.append(row)

    omega_ground = list(rotation(t) * matrix(omega))
    rolling = [v - w for v, w in zip(derivative(centre, t), cross(omega_ground, radius(t)))]
    kinematic = [v - w / 2 for v, w in zip(derivative(orientation, t), product(q, [0, *omega]))]
    newton = [m * a - f + w for a, f, w in zip(derivative(centre, t, 2), force, [0, 0, m * g])]
    euler = [h - n for h, n in zip(derivative(momentum, t), torque)]
    error = max(error, *map(abs, rolling + kinematic + newton + euler))

print("the closed form satisfies the equations of motion to", nstr(error, 2), "; spin", nstr(spin, 8))
assert error < mpf("1e-15")
write_reference(__file__, [
    "A disk that rolls in a steady circle: closed form, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown (equations of motion satisfied to {nstr(error, 1)}).",
    "bound = 1e-6",
    "input steering = 0",
], rows)
