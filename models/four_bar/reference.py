"""Computes reference.csv of the four-bar linkage of bodies from the reference of four_bar_equations.

The other script integrates Eksergian's equation in the crank angle. Its link angles give the joint angles; the
reactions of all four joints follow from Newton's and Euler's laws for the three links taken apart: nine equations for
eight components, so that their residual is a check of the whole.
"""

import csv
import pathlib
import sys

from mpmath import expj, mpf, nstr, pi

here = pathlib.Path(__file__).resolve().parent
sys.path.append(str(here.parent))
from planar_reference import Mechanism, at_rest, coordinate, difference, pin, reactions, total, turned  # noqa: E402
from reference_tools import write_reference  # noqa: E402

l1, l2, l3, base = mpf(1), mpf("2.5"), mpf(2), mpf(3)
m1, m2, m3 = mpf(1), mpf("2.5"), mpf(2)
linkage = Mechanism({"crank": (m1, m1 * l1**2 / 12, "crank centre", "crank"),
                     "coupler": (m2, m2 * l2**2 / 12, "coupler centre", "coupler"),
                     "rocker": (m3, m3 * l3**2 / 12, "rocker centre", "rocker")}, motions=None)

with open(here.parent / "four_bar_equations" / "reference.csv", newline="") as file:
    twin = list(csv.DictReader(line for line in file if not line.startswith("#")))

rows, energies, disagreement = [], [], mpf(0)
for known in twin:
    crank, coupler, rocker = (tuple(mpf(known[name]) for name in (f"theta{i}", f"der(theta{i})", f"der(theta{i},2)"))
                              for i in (1, 2, 3))
    rocker = total(rocker, at_rest(pi))  # the twin's rocker points from C to D, this one from D to C
    moved = {"crank": crank, "coupler": coupler, "rocker": rocker, "crank centre": turned(crank, l1 / 2),
             "coupler centre": total(turned(crank, l1), turned(coupler, l2 / 2)),
             "rocker centre": total(at_rest(base), turned(rocker, l3 / 2))}
    B, C = l1 * expj(crank[0]), base + l3 * expj(rocker[0])
    forces = reactions(linkage, moved, {
        "A": pin(None, "crank", 0), "B": pin("crank", "coupler", B, crank[0]),
        "C": pin("coupler", "rocker", C, coupler[0]), "D": pin(None, "rocker", base)})
    energies.append(sum(linkage.energy(moved)))
    row = {"time": mpf(known["time"])}
    row.update(coordinate("A.angle", crank))
    row.update(coordinate("B.angle", difference(coupler, crank)))
    row.update(coordinate("C.angle", difference(rocker, coupler)))
    row.update(coordinate("D.angle", rocker))
    row.update(forces)
    middle = moved["coupler centre"][0]
    row.update({"coupler_x": middle.real, "coupler_y": middle.imag,
                "pin_load": abs(forces["D.reaction.force.x"] + 1j * forces["D.reaction.force.y"]),
                "energy.total": energies[-1]})
    disagreement = max(disagreement, *(abs(row[name] - mpf(known[name])) for name in
                                       ("coupler_x", "coupler_y", "pin_load", "energy.total")))
    rows.append(row)

print("energy drift", nstr(max(abs(e - energies[0]) for e in energies), 2))
print("disagreement with the twin", nstr(disagreement, 2))
assert disagreement < mpf("1e-12")
write_reference(__file__, [
    "Four-bar linkage of bodies: the motion of four_bar_equations, from its minimal equation in the crank angle,",
    "in joint angles; reactions from Newton and Euler for the links taken apart; computed by reference.py.",
    "Accuracy: 13 digits.",
    "bound = 1e-6",
], rows)
