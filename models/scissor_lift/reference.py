"""Computes reference.csv of the scissor lift from its minimal equation in the angle of the bars.

With the bars' angle a all rising bars have the angle a, all falling ones pi - a, and every pin lies on the grid of
(l cos a, l sin a). The equation of motion is Eksergian's, by d'Alembert's principle; the reactions follow from Newton's
and Euler's laws for the five bodies taken apart, fifteen equations for fourteen unknowns.
"""

import pathlib
import sys

from mpmath import cos, mpf, nstr, pi, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from planar_reference import (
    Mechanism,
    at_rest,
    coordinate,
    difference,
    imag,
    pin,
    polar,
    reactions,
    real,
    times_constant,
    total,
    turned,
)
from reference_tools import even_times, write_reference

l, m_bar, m_platform, load = mpf("2.4"), mpf(60), mpf(600), mpf("1.1") + mpf("0.3") * 1j
p, q_mount, damping, push = mpf("0.3"), mpf("1.2"), mpf(20000), mpf(20000)


def motions(q, v, a):
    rising = q[0], v[0], a[0]
    falling = difference(at_rest(pi), rising)
    up = turned(rising, l)
    right = tuple(real(z) for z in up)  # of the foot B, and of the roller H on the platform
    height = tuple(1j * imag(z) for z in up)  # of a stage
    along = {"rising": turned(rising, 1), "falling": turned(falling, 1)}
    feet = {"rising_1": at_rest(0), "falling_1": right, "rising_2": height, "falling_2": up}
    platform = times_constant(2, height)
    moved = {"rising": rising, "falling": falling, "level": at_rest(mpf(0)), "platform": platform,
             "load": total(platform, at_rest(load)), "right": right}
    for bar, foot in feet.items():
        moved[f"{bar} foot"] = foot
        moved[f"{bar} centre"] = total(foot, times_constant(l / 2, along[bar[:-2]]))
    moved["J"] = total(right, times_constant(p, along["falling"]))
    moved["K"] = total(height, times_constant(q_mount, along["rising"]))
    moved["length"], moved["direction"] = polar(difference(moved["K"], moved["J"]))
    return moved


def pull(moved):
    return damping * moved["length"][1] - push


lift = Mechanism({**{bar: (m_bar, m_bar * l**2 / 12, f"{bar} centre", bar[:-2])
                     for bar in ("rising_1", "falling_1", "rising_2", "falling_2")},
                  "platform": (m_platform, mpf(0), "load", "level")}, motions,
                 lambda t, moved: [("length", -pull(moved))])
run, error = lift.run(even_times(3, 30), [mpf("0.25")], [mpf(0)], accuracy=mpf("1e-12"))
rows = []
for t, moved in run:
    rising, falling, right, height = moved["rising"], moved["falling"], moved["right"], moved["rising_2 foot"]
    direction = (moved["K"][0] - moved["J"][0]) / moved["length"][0]
    middle = moved["rising_1 centre"][0]
    forces = reactions(lift, moved, {
        "A": pin(None, "rising_1", 0), "B": (None, "falling_1", right[0], 0, [1j]),
        "C": pin("rising_1", "falling_1", middle, rising[0]),
        "D": pin("falling_1", "rising_2", height[0], falling[0]),
        "E": pin("rising_1", "falling_2", right[0] + height[0], rising[0]),
        "F": pin("rising_2", "falling_2", middle + height[0], rising[0]),
        "G": pin("falling_2", "platform", 2 * height[0], falling[0]),
        "H": ("platform", "rising_2", right[0] + 2 * height[0], 0, [1j]),
    }, [("falling_1", moved["J"][0], pull(moved) * direction), ("rising_2", moved["K"][0], -pull(moved) * direction)])
    opening = difference(falling, rising)
    row = {"time": t}
    row.update(coordinate("A.angle", rising))
    row.update(coordinate("B.position", right))
    row.update(coordinate("B.angle", falling))
    row.update(coordinate("C.angle", opening))
    row.update(coordinate("D.angle", times_constant(-1, opening)))
    row.update(coordinate("E.angle", opening))
    row.update(coordinate("F.angle", opening))
    row.update(coordinate("G.angle", times_constant(-1, falling)))
    row.update(coordinate("H.position", right))
    row.update(coordinate("H.angle", rising))
    row.update(forces)
    row.update({"cylinder.length": moved["length"][0], "cylinder.force": pull(moved),
                "platform_height": imag(moved["platform"][0]), "platform_speed": imag(moved["platform"][1]),
                "roller_load": forces["B.reaction.force.y"] / 1000})
    row["energy.kinetic"], row["energy.potential"] = lift.energy(moved)
    # The ground carries what weighs and what is accelerated.
    weight = sum(mass * (lift.gravity + imag(moved[centre][2])) for mass, _, centre, _ in lift.bodies.values())
    assert abs(forces["A.reaction.force.y"] + forces["B.reaction.force.y"] - weight) < mpf("1e-25")
    rows.append(row)

# Static balance at the start by virtual work: F dL = sum of weights times their rise, in closed form.
a = mpf("0.25")
length = sqrt(((p + q_mount - l) * cos(a)) ** 2 + ((l + q_mount - p) * sin(a)) ** 2)
hold = ((4 * m_bar + 2 * m_platform) * lift.gravity * l * length
        / (((l + q_mount - p) ** 2 - (p + q_mount - l) ** 2) * sin(a)))
print("force that holds the lift at the start, in kN:", nstr(hold / 1000, 8))
write_reference(__file__, [
    "Scissor lift of two stages under a constant push of its cylinder; minimal equation in the angle of the bars,",
    "integrated by extrapolation in 40 digits, reactions from Newton and Euler for the bodies taken apart; computed by",
    "reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {float(error):.0e}).",
    "input cylinder_force = 20",
    "bound = 1e-6",
], rows)
