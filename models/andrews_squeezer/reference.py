"""Computes reference.csv of Andrews' squeezing mechanism as bodies from the reference of andrews_equations.

The other script integrates the published index-1 equations in 40 digits. Its angles are joint angles or sums of them.
The reactions of all ten pins follow from Newton's and Euler's laws for the seven bodies taken apart, 21 equations for
20 components; those at P must be the multipliers of the published problem.
"""

import csv
import pathlib
import sys

from mpmath import expj, mpf, nstr

here = pathlib.Path(__file__).resolve().parent
sys.path.append(str(here.parent))
from planar_reference import Mechanism, at_rest, coordinate, difference, pin, reactions, total, turned  # noqa: E402
from reference_tools import write_reference  # noqa: E402


def numbers(text):
    return [mpf(number) for number in text.split()]


masses = numbers("0.04325 0.00365 0.02373 0.00706 0.0705 0.00706 0.05498")
inertias = numbers("2.194e-6 4.41e-7 5.255e-6 5.667e-7 1.169e-5 5.667e-7 1.912e-5")
xA, yA, xB, yB, xC, yC = numbers("-0.06934 -0.00227 -0.03635 0.03273 0.014 0.072")
d, da, e, ea, rr, ra, ss, sa, sb = numbers("0.028 0.0115 0.02 0.01421 0.007 0.00092 0.035 0.01874 0.01043")
sc, sd, ta, tb, u, ua, ub, zf, zt, fa = numbers("0.018 0.02 0.02308 0.00916 0.04 0.01228 0.00449 0.02 0.04 0.01421")
c0, l0, torque = numbers("4530 0.07785 0.033")
A, B, C = xA + 1j * yA, xB + 1j * yB, xC + 1j * yC

# Mass centres in the bodies' frames; K2's frame begins at the crank pin, K4's and K6's at the pins E and G.
centres = {"K1": ra, "K2": -da, "K3": sb - 1j * sa, "K4": 1j * (ea - e), "K5": ta + 1j * tb, "K6": zf - fa,
           "K7": -ub - 1j * ua}
squeezer = Mechanism({body: (mass, inertia, f"{body} centre", body)
                      for body, mass, inertia in zip(centres, masses, inertias)}, motions=None, gravity=mpf(0))

with open(here.parent / "andrews_equations" / "reference.csv", newline="") as file:
    published = list(csv.DictReader(line for line in file if not line.startswith("#")))

rows, disagreement, opening = [], mpf(0), mpf(0)
for known in published:
    beta, Theta, gamma, Phi, delta, Omega, epsilon = (
        tuple(mpf(known[column]) for column in (name, f"der({name})", f"der({name},2)"))
        for name in ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"))
    moved = {"K1": beta, "K2": total(beta, Theta), "K3": gamma, "K4": total(delta, Phi), "K5": delta,
             "K6": total(epsilon, Omega), "K7": epsilon}
    origins = {"K1": at_rest(0), "K2": turned(beta, rr), "K3": at_rest(B), "K4": total(at_rest(A), turned(delta, zt)),
               "K5": at_rest(A), "K6": total(at_rest(A), turned(epsilon, -1j * u)), "K7": at_rest(A)}
    for body, centre in centres.items():
        moved[f"{body} centre"] = total(origins[body], turned(moved[body], centre))
    H, E, G = origins["K2"][0], origins["K4"][0], origins["K6"][0]
    P = H - d * expj(moved["K2"][0])
    D = B + (sd - 1j * sc) * expj(gamma[0])
    opening = max(opening, abs(P - (B - 1j * ss * expj(gamma[0]))), abs(P - (E - 1j * e * expj(moved["K4"][0]))),
                  abs(P - (G + zf * expj(moved["K6"][0]))))
    length = abs(C - D)
    spring = c0 * (length - l0)
    forces = reactions(squeezer, moved, {
        "O": pin(None, "K1", 0), "H": pin("K1", "K2", H, beta[0]), "B": pin(None, "K3", B),
        "A5": pin(None, "K5", A), "E": pin("K5", "K4", E, delta[0]),
        "A7": pin(None, "K7", A), "G": pin("K7", "K6", G, epsilon[0]),
        **{f"P{i}": pin("K2", f"K{i}", P, moved["K2"][0]) for i in (3, 4, 6)},
    }, [("K1", None, torque), ("K3", D, spring * (C - D) / length)])
    for joint, loop in (("P3", "loop_B"), ("P4", "loop_K5"), ("P6", "loop_K7")):
        multiplier = mpf(known[f"constraint.{loop}_x.multiplier"]) + 1j * mpf(known[f"constraint.{loop}_y.multiplier"])
        force = forces[f"{joint}.reaction.force.x"] + 1j * forces[f"{joint}.reaction.force.y"]
        disagreement = max(disagreement, abs(multiplier + force * expj(moved["K2"][0])))  # the multiplier acts on K2
    row = {"time": mpf(known["time"])}
    for joint, angle in (("O", beta), ("H", Theta), ("B", gamma), ("A5", delta), ("E", Phi), ("A7", epsilon),
                         ("G", Omega), *((f"P{i}", difference(moved[f"K{i}"], moved["K2"])) for i in (3, 4, 6))):
        row.update(coordinate(f"{joint}.angle", angle))
    row.update(forces)
    row.update({"spring_force": spring, "drive_power": torque * beta[1]})
    rows.append(row)

print("largest opening of the loops, in m", nstr(opening, 2))
print("largest difference of the forces at P from the multipliers", nstr(disagreement, 2))
assert opening < mpf("1e-15") and disagreement < mpf("1e-11")
write_reference(__file__, [
    "Andrews' squeezing mechanism, problem A03 of the IFToMM benchmark library, as bodies and joints: the motion of",
    "andrews_equations in joint angles, reactions from Newton and Euler for the bodies taken apart; computed by",
    "reference.py.",
    "Accuracy: 13 digits.",
    "bound = 1e-8",
], rows)
