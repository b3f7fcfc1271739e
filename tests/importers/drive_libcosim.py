"""Runs an FMU in libcosim, with the arguments and files of drive_ecos.py. The row before the first step has the values
of the library at that time; it reads outputs in steps only.
"""

import csv
import sys

from libcosimpy.CosimEnums import CosimExecutionState
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimManipulator import CosimManipulator
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave

path, inputs, outputs, result = sys.argv[1:]
with open(inputs, encoding="utf-8", newline="") as file:
    (_, *names), *rows = csv.reader(file)
rows = [[float(word) for word in row] for row in rows]
with open(outputs, encoding="utf-8") as file:
    wanted = file.read().split()

execution = CosimExecution.from_step_size(round((rows[1][0] - rows[0][0]) * 1e9))  # in nanoseconds
slave = execution.add_local_slave(CosimLocalSlave(path, "model"))
observer = CosimObserver.create_last_value()
manipulator = CosimManipulator.create_override()
if slave < 0 or not execution.add_observer(observer) or not execution.add_manipulator(manipulator):
    sys.exit("the model, the observer or the manipulator could not be added")
references = {variable.name.decode(): variable.reference for variable in execution.slave_variables(slave)}
read = [references[name] for name in wanted]
written = [references[name] for name in names]

table = [observer.last_real_values(slave, read)]
for _, *values in rows[:-1]:
    if written and not manipulator.slave_real_values(slave, written, values):
        sys.exit("inputs could not be set")
    if not execution.step() or execution.status().state == CosimExecutionState.ERROR.value:
        sys.exit("a step failed")
    table.append(observer.last_real_values(slave, read))

with open(result, "w", encoding="utf-8", newline="") as file:
    csv.writer(file).writerows([wanted] + [[repr(value) for value in row] for row in table])
