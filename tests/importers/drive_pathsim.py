"""Runs an FMU in PathSim, with the arguments and files of drive_ecos.py. With a fifth argument it uses model exchange:
PathSim integrates, and inputs go from each point to the next in a line.

Without this argument it uses co-simulation. Then the block shows at each time the end of the step that begins there.
Rows are written for the times that they belong to; there is none with values before the first step.
"""

import csv
import sys

import numpy as np
from pathsim import Connection, Simulation
from pathsim.blocks import Scope, Source
from pathsim.solvers import RKDP87
from pathsim_fmi import CoSimulationFMU, ModelExchangeFMU

path, inputs, outputs, result, *model_exchange = sys.argv[1:]
with open(inputs, encoding="utf-8", newline="") as file:
    (_, *names), *rows = csv.reader(file)
rows = np.array(rows, dtype=float)
times, step = rows[:, 0], rows[1, 0] - rows[0, 0]
SUBSTEPS = 2  # has a fixed size, in model exchange
with open(outputs, encoding="utf-8") as file:
    wanted = file.read().split()


def held(values):
    """Returns the value that was given last. Half a step leaves no doubt, as PathSim adds steps up, with last digits of
    its own."""
    return lambda time: values[np.searchsorted(times, time + step / 2) - 1]


def in_lines(values):
    return lambda time: np.interp(time, times, values)


if model_exchange:
    model, signal, substeps, end = ModelExchangeFMU(path), in_lines, SUBSTEPS, times[-1]
else:
    model, signal, substeps, end = CoSimulationFMU(path, dt=step), held, 1, times[-2]
sources = [Source(signal(rows[:, column + 1])) for column in range(len(names))]
scope = Scope()
connections = [Connection(source, model[name]) for source, name in zip(sources, names)]
connections += [Connection(model[name], scope[port]) for port, name in enumerate(wanted)]
simulation = Simulation([*sources, model, scope], connections, dt=step / substeps, log=False, Solver=RKDP87)
simulation.run(end, adaptive=False)
_, found = scope.read()

with open(result, "w", encoding="utf-8", newline="") as file:
    values = np.transpose(found)[::substeps]
    csv.writer(file).writerows([wanted] + [[repr(float(value)) for value in row] for row in values])
