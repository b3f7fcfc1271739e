"""Computes reference.csv of a hanging chain of four links from the equations in its links' own angles a_i.

    sum_j m l^2 c_ij (cos(a_i - a_j) a_j'' + sin(a_i - a_j) a_j'^2) = -m g l (N - i + 1/2) cos a_i
    c_ij = N - max(i, j) + 1/2,  c_ii = N - i + 1/3

The accelerations are checked by d'Alembert's principle with motions written down link by link; the reactions follow
from Newton's and Euler's laws for each link taken apart.
"""

import pathlib
import sys

from mpmath import cos, mpc, mpf, nstr, pi, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from planar_reference import Mechanism, at_rest, coordinate, pin, reactions, total, turned
from reference_tools import even_times, integrate_checked, solve, write_reference

N, m, l, g = 4, mpf("0.1"), mpf("0.2"), mpf("9.81")
factors = [[N - max(i, j) - mpf(1) / 2 if i != j else N - i - mpf(2) / 3 for j in range(N)] for i in range(N)]


def derivative(t, y):
    a, v = y[:N], y[N:]
    matrix = [[m * l**2 * factors[i][j] * cos(a[i] - a[j]) for j in range(N)] for i in range(N)]
    right_side = [-m * g * l * (N - i - mpf(1) / 2) * cos(a[i])
                  - sum(m * l**2 * factors[i][j] * sin(a[i] - a[j]) * v[j] ** 2 for j in range(N)) for i in range(N)]
    return v + solve(matrix, right_side)


def of_hinges(angles):
    return [a - b for a, b in zip(angles, [mpf(0), *angles])]


def motions(q, v, a):
    moved, end, angle = {}, at_rest(mpc(0)), at_rest(mpf(0))
    for i, hinge in enumerate(zip(q, v, a), 1):
        angle = total(angle, hinge)
        moved[f"angle {i}"] = angle
        moved[f"centre {i}"] = total(end, turned(angle, l / 2))
        end = moved[f"end {i}"] = total(end, turned(angle, l))
        moved[f"hinge {i}"] = hinge
    return moved


bodies = {f"link {i}": (m, m * l**2 / 12, f"centre {i}", f"angle {i}") for i in range(1, N + 1)}
chain = Mechanism(bodies, motions)
times = even_times(2, 20)
solution, error = integrate_checked(derivative, times, [-pi / 6] * N + [mpf(0)] * N, accuracy=mpf("1e-16"))

rows = []
for t, y in zip(times, solution):
    q, v, a = of_hinges(y[:N]), of_hinges(y[N:]), of_hinges(derivative(t, y)[N:])
    assert max(abs(x - z) for x, z in zip(a, chain.accelerations(t, q, v)[0])) < mpf("1e-25")
    moved = motions(q, v, a)
    row = {"time": t}
    for i in range(1, N + 1):
        row.update(coordinate(f"hinge_{i}.angle", moved[f"hinge {i}"]))
    end = moved["end 1"][0]
    row.update({"first_end.x": end.real, "first_end.y": end.imag, "energy.total": sum(chain.energy(moved))})
    joints = {"hinge_1": pin(None, "link 1", mpc(0))}
    for i in range(2, N + 1):
        joints[f"hinge_{i}"] = pin(f"link {i - 1}", f"link {i}", moved[f"end {i - 1}"][0], moved[f"angle {i - 1}"][0])
    row.update(reactions(chain, moved, joints))
    rows.append(row)
drift = max(abs(row["energy.total"] - rows[0]["energy.total"]) for row in rows)
print("two step sizes agree to", nstr(error, 2), "and the energy drifts by", nstr(drift, 2), "J")
assert drift < mpf("1e-14")

write_reference(__file__, [
    "A chain of four links: the equations in the links' own angles, integrated in 40 digits by reference.py.",
    f"Accuracy: two step sizes agree to {nstr(error, 2)}.",
    "bound = 1e-6",
], rows)
