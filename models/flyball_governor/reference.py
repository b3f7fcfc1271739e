"""Computes reference.csv of the flyball governor from its three symmetric coordinates.

Slider height s, angle beta of both rods below the horizontal, angle psi of the shaft. With the moment of inertia
I(beta) of everything about the shaft, I' its derivative, B that of both rods with their balls about their hinges, and
the length L(s, beta) of a spring with the pull F = K (L - rest) + C L'

    slider    m s''    = -m g - 2 F dL/ds
    rods      B beta'' = I'/2 psi'^2 + (2 balls + rods) weight moment - 2 F dL/dbeta
    shaft     I psi'   = constant

The equations are stiff (C). They are integrated by collocation at the Radau points, of order 13, in double precision:
an implicit method for smooth and stiff motions that needs few steps. A quadrature of the dampers' power is carried
along for the balance of energy. The benchmark library's own problem A05 was solved before by Radau's method of order 5
with a tolerance of 3e-13; that solution at 10 s is the second check. Needs numpy.
"""

import itertools
import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import write_reference

g, length, thickness, offset, density, cube, ball = 9.81, 1.0, 0.01, 0.05, 3000.0, 0.1, 5.0
K, C, rest = 8e5, 4e4, 0.5
rod, slider = density * thickness**2 * length, density * cube**3
along, across = rod * thickness**2 / 6, rod * (length**2 + thickness**2) / 12
about_hinges = 2 * (across + rod * length**2 / 4 + ball * length**2)
published = [0.6196229170613, 0.3900737018447, -0.747603354164, 0.808467051346, 55.935409909102, 5.548203622655]


def about_shaft(beta):
    """Returns the moment of inertia of everything about the shaft, and its derivative."""
    c, s = np.cos(beta), np.sin(beta)
    middle, end = offset + length / 2 * c, offset + length * c
    inertia = along + slider * cube**2 / 6 + 2 * (rod * middle**2 + across * c**2 + along * s**2 + ball * end**2)
    slope = 2 * (-rod * middle * length * s + 2 * (along - across) * s * c - 2 * ball * end * length * s)
    return inertia, slope


def spring(s, beta):
    """Returns the length of a spring and its derivatives in s and beta."""
    x, z = length / 2 * np.cos(beta), length - length / 2 * np.sin(beta) - s
    L = np.hypot(x, z)
    return L, -z / L, -length / 2 * (x * np.sin(beta) + z * np.cos(beta)) / L


momentum = about_shaft(np.pi / 6)[0] * 2 * np.pi


def motion(y):
    """Derivatives of s, beta, s', beta', psi and the energy that the dampers have taken."""
    s, beta, s_rate, beta_rate, _, _ = y
    inertia, slope = about_shaft(beta)
    omega = momentum / inertia
    L, L_s, L_beta = spring(s, beta)
    L_rate = L_s * s_rate + L_beta * beta_rate
    pull = K * (L - rest) + C * L_rate
    weight = (2 * ball + rod) * length * g * np.cos(beta)
    return np.array([s_rate, beta_rate, -g - 2 * pull * L_s / slider,
                     (slope / 2 * omega**2 + weight - 2 * pull * L_beta) / about_hinges, omega, 2 * C * L_rate**2])


def energy(y):
    s, beta, s_rate, beta_rate, _, _ = y
    return (slider * s_rate**2 + about_hinges * beta_rate**2 + momentum**2 / about_shaft(beta)[0]) / 2 \
        + slider * g * s - (2 * ball + rod) * length * g * np.sin(beta) + K * (spring(s, beta)[0] - rest)**2


def radau_points(count):
    """Points c of the interval [0, 1] and weights A with integral_0^c_i f = sum_j A_ij f(c_j)."""
    legendre = np.polynomial.legendre.Legendre
    c = np.sort((legendre.basis(count) - legendre.basis(count - 1)).roots().real + 1) / 2
    powers = np.arange(1, count + 1)
    return c, (c[:, None] ** powers / powers) @ np.linalg.inv(c[:, None] ** (powers - 1))


POINTS = 7
_, WEIGHTS = radau_points(POINTS)


def step(y, h):
    """Makes one collocation step: Newton's iteration with one Jacobian, to the limit of double precision."""
    size = len(y)
    jacobian = np.empty((size, size))
    for i in range(size):
        shift = 1e-6 * (1 + abs(y[i])) * np.eye(size)[i]
        jacobian[:, i] = (motion(y + shift) - motion(y - shift)) / (2 * shift[i])
    inverse = np.linalg.inv(np.eye(POINTS * size) - h * np.kron(WEIGHTS, jacobian))
    stages, before = np.tile(y, (POINTS, 1)), np.inf
    while True:
        error = y + h * WEIGHTS @ np.array([motion(stage) for stage in stages]) - stages
        change = (inverse @ error.ravel()).reshape(stages.shape)
        stages = stages + change
        size_of_change = np.max(np.abs(change))
        if size_of_change < 1e-14 or (size_of_change < 1e-11 and size_of_change >= before / 2):
            return stages[-1]
        before = size_of_change


def solve(times, count):
    """The solution at the times, with so many steps between two; the first are graded towards the initial layer."""
    y, solution = np.array([0.5, np.pi / 6, 0, 0, 0, 0]), []
    for start, end in zip([None, *times], times):
        if start is not None:
            grid = np.linspace(start, end, count + 1)
            if start == 0:
                grid = (end - start) * np.linspace(0, 1, 16 * count + 1) ** 5
            for a, b in itertools.pairwise(grid):
                y = step(y, b - a)
        solution.append(y)
    return solution


times = [i / 10 for i in range(101)]
coarse, fine = solve(times, 5), solve(times, 10)
difference = max(np.max(np.abs(a - b)) for a, b in zip(coarse, fine))
rows, balance = [], 0
for t, y in zip(times, fine):
    s, beta, s_rate, beta_rate, psi, taken = y
    _, _, s_acceleration, beta_acceleration, omega, _ = motion(y)
    balance = max(balance, abs(energy(y) + taken - energy(fine[0])))
    c, height = offset + length * np.cos(beta), length - length * np.sin(beta)
    rows.append({
        "time": t, "guide.position": s, "right_hinge.angle": beta, "left_hinge.angle": beta, "bearing.angle": psi,
        "der(guide.position)": s_rate, "der(right_hinge.angle)": beta_rate, "der(left_hinge.angle)": beta_rate,
        "der(bearing.angle)": omega, "speed": omega, "right_spring.length": spring(s, beta)[0],
        "ball.x": c * np.cos(psi), "ball.y": c * np.sin(psi), "ball.z": height,
    })
published_error = max(abs(a - b) for a, b in zip(published, [*fine[-1][:5], motion(fine[-1])[4]]))
print(f"two step sizes agree to {difference:.1e}, balance of energy {balance:.1e} J")
print(f"published values met to {published_error:.1e}")
assert difference < 1e-10 and balance < 1e-8 and published_error < 1e-10
write_reference(__file__, [
    "Flyball governor, problem A05 of the IFToMM benchmark library; three symmetric coordinates, integrated by",
    "collocation of order 13 in double precision, computed by reference.py.",
    f"Accuracy: two step sizes agree to {difference:.1e}; the library's solution at 10 s is met to",
    f"{published_error:.1e}.",
    "bound = 1e-6",
    "input shaft_torque = 0",
], rows)
