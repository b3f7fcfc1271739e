"""Runs an FMU in CoFMUPy, with the arguments and files of drive_ecos.py. A step's results are those at its end; there
is no row of values before the first step.

CoFMUPy adds steps up, so its times differ in their last digits from those in the file. It takes the input that was
given last; the file that it gets has inputs half a step earlier, which leaves no doubt about which that is.
"""

import csv
import sys

from cofmupy import Coordinator

path, inputs, outputs, result = sys.argv[1:]
with open(inputs, encoding="utf-8", newline="") as file:
    (_, *names), *rows = csv.reader(file)
rows = [[float(word) for word in row] for row in rows]
with open(outputs, encoding="utf-8") as file:
    wanted = file.read().split()
step = rows[1][0] - rows[0][0]

earlier = inputs + ".earlier.csv"
with open(earlier, "w", encoding="utf-8", newline="") as file:
    csv.writer(file).writerows([["t", *names]] + [[time - step / 2, *values] for time, *values in rows])
streams = [{"source": {"type": "csv", "path": earlier, "variable": name, "interpolation": "previous"},
            "target": {"type": "fmu", "id": "model", "variable": name}} for name in names]
starts = dict(zip(names, rows[0][1:]))  # Without them, inputs are 0 during initialization.

coordinator = Coordinator()
coordinator.start({"fmus": [{"id": "model", "name": "model", "path": path, "initialization": starts}],
                   "connections": streams, "cosim_method": "jacobi", "iterative": False, "edge_sep": " -> "})
for _ in rows[1:]:
    coordinator.do_step(step)
found = coordinator.get_results()
columns = [found["model", name] for name in wanted]

with open(result, "w", encoding="utf-8", newline="") as file:
    csv.writer(file).writerows([wanted] + [[repr(float(value)) for value in row] for row in zip(*columns)])
