"""Computes reference.csv of the slider-crank from its minimal equation in the crank angle.

The rod's angle psi follows from r sin theta + l sin psi = 0; d'Alembert's principle gives the equation of motion, and
Newton's and Euler's laws for crank, rod and piston taken apart give the reactions: nine equations for eight unknowns.
"""

import pathlib
import sys

from mpmath import mpf

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from planar_reference import (
    Mechanism,
    at_rest,
    coordinate,
    difference,
    imag,
    link_to_height,
    pin,
    reactions,
    real,
    times_constant,
    total,
    turned,
)
from reference_tools import even_times, write_reference

r, l, J = mpf("0.08"), mpf("0.24"), mpf("0.02")
m_crank, m_rod, m_piston, damping = mpf(4), mpf("0.8"), mpf("1.2"), mpf(20)
torque = mpf(4)


def motions(q, v, a):
    crank = q[0], v[0], a[0]
    B = turned(crank, r)
    rod = link_to_height(B, l, 0)
    return {"crank": crank, "rod": rod, "piston angle": at_rest(mpf(0)), "axis": at_rest(mpf(0)), "B": B,
            "rod centre": total(B, turned(rod, l / 2)), "piston": total(B, turned(rod, l))}


def loads(t, moved):
    return [("crank", torque), ("piston", -damping * real(moved["piston"][1]))]


engine = Mechanism({"crank": (m_crank, J, "axis", "crank"),
                    "rod": (m_rod, m_rod * l**2 / 12, "rod centre", "rod"),
                    "piston": (m_piston, mpf(0), "piston", "piston angle")}, motions, loads)
run, error = engine.run(even_times(1, 50), [mpf("0.5")], [mpf(0)], accuracy=mpf("1e-15"))
rows = []
for t, moved in run:
    crank, rod, piston = moved["crank"], moved["rod"], moved["piston"]
    load = -damping * real(piston[1])
    forces = reactions(engine, moved, {
        "A": pin(None, "crank", 0), "B": pin("crank", "rod", moved["B"][0], crank[0]),
        "C": pin("rod", "piston", piston[0], rod[0]), "D": (None, "piston", piston[0], 0, [1j, "torque"]),
    }, [("crank", None, torque), ("piston", piston[0], load)])
    row = {"time": t}
    row.update(coordinate("A.angle", crank))
    row.update(coordinate("B.angle", difference(rod, crank)))
    row.update(coordinate("C.angle", times_constant(-1, rod)))
    row.update(coordinate("D.position", [real(value) for value in piston]))
    row.update(forces)
    row.update({"side_force": forces["D.reaction.force.y"], "drive_power": torque * crank[1],
                "load_power": damping * real(piston[1]) ** 2})
    row["energy.kinetic"], row["energy.potential"] = engine.energy(moved)
    assert abs(imag(piston[0])) < mpf("1e-30")
    rows.append(row)

write_reference(__file__, [
    "Slider-crank under a constant crank torque; minimal equation in the crank angle, integrated by extrapolation in",
    "40 digits, reactions from Newton and Euler for the bodies taken apart; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {float(error):.0e}).",
    "input crank_torque = 4",
    "bound = 1e-6",
], rows)
