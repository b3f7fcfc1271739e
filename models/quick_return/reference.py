"""Computes reference.csv of the quick-return mechanism from its minimal equation in the crank angle.

The lever points from its pivot to the crank pin, the link from the lever's end to the ram's guide: elementary geometry
gives every motion, d'Alembert's principle the equation of motion, and Newton's and Euler's laws for the four bodies
taken apart the reactions, twelve equations for eleven unknowns.
"""

import pathlib
import sys

from mpmath import expj, mpf, pi, tanh

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from planar_reference import (
    Mechanism,
    at_rest,
    coordinate,
    difference,
    link_to_height,
    pin,
    polar,
    reactions,
    real,
    times_constant,
    total,
    turned,
)
from reference_tools import even_times, write_reference

r, h, L, l, H = mpf("0.1"), mpf("0.25"), mpf("0.5"), mpf("0.2"), mpf("0.48")
m_crank, J, m_lever, m_link, m_ram = mpf(6), mpf("0.1"), mpf(4), mpf(1), mpf(8)
slope, soft_speed, idle_speed, cutting_force = mpf(20), mpf("0.4"), mpf(6), mpf(300)


def motions(q, v, a):
    crank = q[0], v[0], a[0]
    P = total(at_rest(1j * h), turned(crank, r))
    slot, direction = polar(P)
    lever = difference(direction, at_rest(pi / 2))
    E = turned(lever, 1j * L)
    link = link_to_height(E, l, H)
    return {"crank": crank, "axis": at_rest(1j * h), "P": P, "slot": slot, "lever": lever, "E": E, "link": link,
            "lever centre": times_constant(mpf(1) / 2, E), "link centre": total(E, turned(link, l / 2)),
            "ram": total(E, turned(link, l)), "ram angle": at_rest(mpf(0))}


def efforts(moved):
    return (slope * (idle_speed - moved["crank"][1]),
            cutting_force * (1 - tanh(real(moved["ram"][1]) / soft_speed)) / 2)


machine = Mechanism({"crank": (m_crank, J, "axis", "crank"),
                     "lever": (m_lever, m_lever * L**2 / 12, "lever centre", "lever"),
                     "link": (m_link, m_link * l**2 / 12, "link centre", "link"),
                     "ram": (m_ram, mpf(0), "ram", "ram angle")}, motions,
                    lambda t, moved: list(zip(("crank", "ram"), efforts(moved))))
run, error = machine.run(even_times(2, 40), [mpf(0)], [mpf(6)], accuracy=mpf("1e-12"))
rows = []
for t, moved in run:
    crank, lever, link, ram = (moved[name] for name in ("crank", "lever", "link", "ram"))
    torque, cut = efforts(moved)
    forces = reactions(machine, moved, {
        "A": pin(None, "crank", 1j * h), "O": pin(None, "lever", 0),
        "S": ("lever", "crank", moved["P"][0], lever[0], [1]), "E": pin("lever", "link", moved["E"][0], lever[0]),
        "F": pin("link", "ram", ram[0], link[0]), "R": (None, "ram", ram[0], 0, [1j, "torque"]),
    }, [("crank", None, torque), ("ram", ram[0], cut)])
    row = {"time": t}
    row.update(coordinate("A.angle", crank))
    row.update(coordinate("O.angle", lever))
    row.update(coordinate("S.position", moved["slot"]))
    row.update(coordinate("S.angle", difference(crank, lever)))
    row.update(coordinate("E.angle", difference(link, lever)))
    row.update(coordinate("F.angle", times_constant(-1, link)))
    row.update(coordinate("R.position", [real(value) for value in ram]))
    row.update(forces)
    row.update({"ram_speed": real(ram[1]), "motor_torque": torque, "slot_force": forces["S.reaction.force.x"]})
    row["energy.kinetic"], row["energy.potential"] = machine.energy(moved)
    # The slot holds the pin: it is on the lever's axis.
    assert abs(moved["P"][0] - moved["slot"][0] * expj(lever[0] + pi / 2)) < mpf("1e-30")
    rows.append(row)

write_reference(__file__, [
    "Quick-return mechanism with motor and cutting force; minimal equation in the crank angle, integrated by",
    "extrapolation in 40 digits, reactions from Newton and Euler for the bodies taken apart; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {float(error):.0e}).",
    "input idle_speed = 6",
    "input cutting_force = 300",
    "bound = 1e-6",
], rows)
