"""Runs an FMU in ecos: drive_ecos.py FMU INPUTS OUTPUTS RESULT

INPUTS is a table with a head: communication points, and the inputs' values from each to the next. OUTPUTS has a name a
line. RESULT gets a row of their values for each communication point.
"""

import csv
import sys

from ecospy import EcosSimulation, EcosSimulationStructure

path, inputs, outputs, result = sys.argv[1:]
with open(inputs, encoding="utf-8", newline="") as file:
    (_, *names), *rows = csv.reader(file)
rows = [[float(word) for word in row] for row in rows]
with open(outputs, encoding="utf-8") as file:
    wanted = file.read().split()

with EcosSimulationStructure() as structure:
    structure.add_model("model", path)
    with EcosSimulation(step_size=rows[1][0] - rows[0][0], structure=structure) as simulation:
        simulation.init(rows[0][0])
        table = [[simulation.get_real(f"model::{name}") for name in wanted]]
        for _, *values in rows[:-1]:
            for name, value in zip(names, values):
                simulation.set_real(f"model::{name}", value)
            simulation.step()
            table.append([simulation.get_real(f"model::{name}") for name in wanted])
        simulation.terminate()

with open(result, "w", encoding="utf-8", newline="") as file:
    csv.writer(file).writerows([wanted] + [[repr(value) for value in row] for row in table])
