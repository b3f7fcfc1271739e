"""Computes reference.csv of the four-bar linkage in space from that of four_bar_equations: the motion is the same.

Joint angles are differences of the links' angles from the horizontal; the multipliers of the planar closure are the
ground's force on the rocker at A. Across the plane nothing acts.
"""

import csv
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import write_reference

planar = pathlib.Path(__file__).resolve().parent.parent / "four_bar_equations" / "reference.csv"
rows = []
for line in csv.DictReader(text for text in planar.read_text().splitlines() if not text.startswith("#")):
    value = {name: float(text) for name, text in line.items()}
    row = {"time": value["time"]}
    for form in ("{}", "der({})", "der({},2)"):
        link1, link2, link3 = (value[form.format(f"theta{i}")] for i in (1, 2, 3))
        row.update({form.format("O.angle"): link1, form.format("B.angle"): link2 - link1,
                    form.format("C.angle"): link3 - link2, form.format("A.angle"): link3})
    row.update({"A.reaction.force.x": value["constraint.closure_x.multiplier"],
                "A.reaction.force.y": value["constraint.closure_y.multiplier"], "A.reaction.force.z": 0,
                "pin_load": value["pin_load"], "middle.x": value["coupler_x"], "middle.y": value["coupler_y"],
                "middle.z": 0, "energy.total": value["energy.total"]})
    rows.append(row)

write_reference(__file__, [
    "Four-bar linkage drawn with spatial joints: the planar motion of four_bar_equations as joint angles;",
    "computed by reference.py.",
    "Accuracy: double precision, from 40 digits.",
    "bound = 1e-6",
    "input crank_torque = 0",
], rows)
