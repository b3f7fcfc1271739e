"""Computes reference.csv of the excavator's arm with given cylinder lengths, in closed form.

A cylinder and the two lines from its pins to the joint between form a triangle: the law of cosines gives the angle,
its derivatives those of the angle. Nothing is integrated. Newton's and Euler's laws for the three bodies taken apart
give the pins' reactions and the cylinders' tensions; the power balance, which these laws do not use, checks them.
"""

import pathlib
import sys

from mpmath import acos, arg, cos, mpf, nstr, pi, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "excavator_arm"))
from excavator import BODIES, BOOM, CYLINDERS, STICK, G, P, Q, R, U, V, along, moved_by, pins
from planar_reference import Mechanism, at_rest, conj, coordinate, reactions, real, times_constant, total
from reference_tools import even_times, write_reference

period = mpf(6)
retracted = {"boom": mpf("2.5"), "stick": mpf("3.25"), "bucket": mpf("2.42")}
stroke = {"boom": mpf("0.25"), "stick": mpf("0.4"), "bucket": mpf("0.35")}


def length(name, t):
    w = 2 * pi / period
    return (retracted[name] + stroke[name] * (1 - cos(w * t)) / 2, stroke[name] * w * sin(w * t) / 2,
            stroke[name] * w**2 * cos(w * t) / 2)


def corner(a, b, c):
    """Motion of the angle between two sides a and b of a triangle, opposite to the side whose motion is c."""
    cosine = (a**2 + b**2 - c[0] ** 2) / (2 * a * b)
    sine = sqrt(1 - cosine**2)
    rate = c[0] * c[1] / (a * b * sine)
    return acos(cosine), rate, (c[1] ** 2 + c[0] * c[2] - a * b * cosine * rate**2) / (a * b * sine)


def joint_angle(name, t, near, far, side):
    """Angle of a joint: near and far are the cylinder's pins on parent and child, seen from the joint, at zero."""
    opening = corner(abs(near), abs(far), length(name, t))
    return total(at_rest(arg(near) - arg(far)), times_constant(side, opening))


arm = Mechanism(BODIES, motions=None)
rows, imbalance, misfit = [], mpf(0), mpf(0)
for t in even_times(6, 60):
    A = joint_angle("boom", t, G, P, 1)
    B = joint_angle("stick", t, Q - BOOM, R, -1)
    C = joint_angle("bucket", t, U - STICK, V, -1)
    moved = moved_by(A, total(A, B), total(A, B, C))
    misfit = max(misfit, *(abs(x - y) for name in CYLINDERS
                           for x, y in zip(moved[f"{name} length"], length(name, t))))
    cylinders = {f"{name}_cylinder": (parent, child, moved[end][0], mpf(0), [-along(moved, name)])
                 for name, (parent, child, origin, end) in CYLINDERS.items()}
    forces = reactions(arm, moved, {**pins(moved), **cylinders})
    tensions = {}
    for name in CYLINDERS:
        force = (forces.pop(f"{name}_cylinder.reaction.force.x")
                 + 1j * forces.pop(f"{name}_cylinder.reaction.force.y"))
        tensions[name] = real(conj(-along(moved, name)) * force)
    power = -sum(tensions[name] * length(name, t)[1] for name in CYLINDERS)
    for mass, inertia, centre, angle in BODIES.values():
        _, v, a = moved[centre]
        power -= mass * real(conj(v) * (a + 1j * arm.gravity)) + inertia * moved[angle][1] * moved[angle][2]
    imbalance = max(imbalance, abs(power))
    row = {"time": t}
    row.update(coordinate("A.angle", A))
    row.update(coordinate("B.angle", B))
    row.update(coordinate("C.angle", C))
    row.update(forces)
    row.update({f"{name}_cylinder.tension": tension for name, tension in tensions.items()})
    row.update({"boom_push": -tensions["boom"] / 1000, "teeth.x": moved["T"][0].real, "teeth.y": moved["T"][0].imag,
                "bucket_angle": moved["bucket"][0],
                "pin_load": abs(forces["A.reaction.force.x"] + 1j * forces["A.reaction.force.y"]) / 1000})
    row["energy.kinetic"], row["energy.potential"] = arm.energy(moved)
    rows.append(row)

print("misfit of the cylinders' lengths and their derivatives", nstr(misfit, 2))
print("largest violation of the power balance, in W", nstr(imbalance, 2))
assert misfit < mpf("1e-30") and imbalance < mpf("1e-25")
write_reference(__file__, [
    "Excavator arm with given cylinder lengths; closed form by the law of cosines, tensions and reactions from Newton",
    "and Euler for the bodies taken apart; evaluated in 40 digits by reference.py.",
    "Accuracy: all digits shown.",
    "bound = 1e-7",
], rows)
