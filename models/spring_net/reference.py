"""Computes reference.csv of a spring net of 2 × 3 nodes from Newton's law for each node, a point pulled by its
springs."""

import pathlib
import sys

from mpmath import mpc, mpf, nstr

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, integrate_checked, write_reference

rows, columns = 2, 3
spacing, mass, stiffness, rest_length, pulled = mpf("0.1"), mpf("0.01"), mpf(100), mpf("0.06"), mpf("0.03")
nodes = [(i, j) for i in range(1, rows + 1) for j in range(1, columns + 1)]


def place(node):
    return mpc(node[1] * spacing, node[0] * spacing)


def pull(z, other):
    """Force of a spring on its end at z, and its energy."""
    length = abs(other - z)
    return stiffness * (length - rest_length) * (other - z) / length, stiffness * (length - rest_length) ** 2 / 2


def forces(y):
    """Returns the forces on all nodes, and the energy of all springs."""
    at = {node: mpc(*y[2 * k:2 * k + 2]) for k, node in enumerate(nodes)}
    total, energy = {node: mpc(0) for node in nodes}, mpf(0)
    for i in range(rows + 1):
        for j in range(columns + 1):
            for to in ((i + 1, j), (i, j + 1)):
                if (i, j) not in at and to not in at:
                    continue
                force, stored = pull(at.get((i, j), place((i, j))), at.get(to, place(to)))
                energy += stored
                for node, sign in (((i, j), 1), (to, -1)):
                    if node in total:
                        total[node] += sign * force
    return total, energy


def derivative(t, y):
    total, _ = forces(y)
    return [*y[len(y) // 2:], *(part / mass for node in nodes for part in (total[node].real, total[node].imag))]


start = [part for node in nodes for part in (place(node).real, place(node).imag)] + [mpf(0)] * 2 * len(nodes)
start[0] += pulled
times = even_times(1, 40)
solution, error = integrate_checked(derivative, times, start, accuracy=mpf("1e-16"))

result = []
for t, y in zip(times, solution):
    total, potential = forces(y)
    row = {"time": t}
    for k, node in enumerate(nodes):
        name = f"place_{node[0]}_{node[1]}"
        for axis, part in enumerate("xy"):
            velocity, acceleration = y[2 * (len(nodes) + k) + axis], (total[node].real, total[node].imag)[axis] / mass
            row.update({f"{name}.{part}": y[2 * k + axis], f"der({name}.{part})": velocity,
                        f"der({name}.{part},2)": acceleration})
    row.update({"pulled_node.x": y[0], "pulled_node.y": y[1],
                "energy.total": potential + mass * sum(v**2 for v in y[2 * len(nodes):]) / 2})
    result.append(row)
drift = max(abs(row["energy.total"] - result[0]["energy.total"]) for row in result)
print("two step sizes agree to", nstr(error, 2), "and the energy drifts by", nstr(drift, 2), "J")
assert drift < mpf("1e-15")

write_reference(__file__, [
    "A net of 2 x 3 nodes: Newton's law for each node, integrated in 40 digits by reference.py.",
    f"Accuracy: two step sizes agree to {nstr(error, 2)}.",
    "bound = 1e-6",
], result)
