"""Computes reference.csv of the excavator's arm with given cylinder forces.

The arm is a chain without loops: d'Alembert's principle in the three angles against the horizontal, and the pins'
reactions from Newton's and Euler's laws for boom, stick and bucket taken apart, nine equations for six unknowns.
"""

from mpmath import mpf

from excavator import BODIES, CYLINDERS, along, moved_by, pins
from planar_reference import Mechanism, coordinate, difference, reactions
from reference_tools import even_times, write_reference

push = {"boom": mpf(250000), "stick": mpf(-30000), "bucket": mpf(-2000)}
damping = {"boom": mpf(300000), "stick": mpf(100000), "bucket": mpf(50000)}


def motions(q, v, a):
    return moved_by(*zip(q, v, a))


def pull(moved, name):
    return damping[name] * moved[f"{name} length"][1] - push[name]


arm = Mechanism(BODIES, motions, lambda t, moved: [(f"{name} length", -pull(moved, name)) for name in CYLINDERS])
start = [mpf("0.5"), mpf("-0.8"), mpf("-1.2")]
run, error = arm.run(even_times(3, 30), start, [mpf(0)] * 3, accuracy=mpf("1e-12"))
rows = []
for t, moved in run:
    boom, stick, bucket = moved["boom"], moved["stick"], moved["bucket"]
    loads = []
    for name, (parent, child, origin, end) in CYLINDERS.items():
        force = pull(moved, name) * along(moved, name)
        loads += [(parent, moved[origin][0], force), (child, moved[end][0], -force)]
    forces = reactions(arm, moved, pins(moved), loads)
    row = {"time": t}
    row.update(coordinate("A.angle", boom))
    row.update(coordinate("B.angle", difference(stick, boom)))
    row.update(coordinate("C.angle", difference(bucket, stick)))
    row.update(forces)
    for name in CYLINDERS:
        row.update({f"{name}_cylinder.length": moved[f"{name} length"][0],
                    f"{name}_cylinder.force": pull(moved, name)})
    row.update({"teeth.x": moved["T"][0].real, "teeth.y": moved["T"][0].imag, "bucket_angle": bucket[0],
                "pin_load": abs(forces["A.reaction.force.x"] + 1j * forces["A.reaction.force.y"]) / 1000})
    row["energy.kinetic"], row["energy.potential"] = arm.energy(moved)
    rows.append(row)

write_reference(__file__, [
    "Excavator arm with constant cylinder forces and the oil's resistance; the chain's equations in its three angles,",
    "integrated by extrapolation in 40 digits, reactions from Newton and Euler for the bodies taken apart; computed by",
    "reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {float(error):.0e}).",
    "input boom_force = 250",
    "input stick_force = -30",
    "input bucket_force = -2",
    "bound = 1e-6",
], rows)
