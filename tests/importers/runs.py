"""Has the runs that every importer does: models, communication points and inputs, results of our own client,
comparison."""

import csv
import dataclasses
import itertools
import math
import zipfile

import fmpy
import numpy as np
import pytest

from fmu import ROOT, VERSIONS, fmu_path

# The models are written as equations, as bodies in a plane, on quaternions, with closed loops in space; driven.
MODELS_WITH_INPUTS = ("four_bar_equations", "guided_pendulum", "four_bar", "gyroscope", "stewart_platform")
MODELS = (*MODELS_WITH_INPUTS, "excavator_arm_driven")
STEP, STEPS = 0.01, 100
# Importers call the same functions of the library with times and inputs that differ in the last digits only, and within
# a second no motion here increases them much. Most results have equal bits.
ROUND_OFF = 1e-12
# Two integrators that keep tolerances of 1e-7 or less differ by this: in model exchange importers have their own.
INTEGRATED = 1e-6

both_versions = pytest.mark.parametrize("version", VERSIONS)
all_models = pytest.mark.parametrize("model", MODELS)


def inputs_of(model):
    """Returns names and starts of the inputs as the exported FMU has them."""
    description = fmpy.read_model_description(str(fmu_path(model, "2.0")), validate=False)
    return {v.name: float(v.start) for v in description.modelVariables if v.causality == "input"}


@dataclasses.dataclass
class Run:
    """Holds communication points, the outputs wanted, and each input's value from each point to the next."""

    model: str
    times: list
    inputs: dict

    def rows(self):
        return zip(self.times, *self.inputs.values())

    def write(self, file):
        """Writes the run as text: a head, then a line for each communication point."""
        lines = [",".join(["time", *self.inputs])]
        lines += [",".join(repr(float(number)) for number in row) for row in self.rows()]
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return file


def smooth_run(model):
    """Lets inputs swing about their starts, from which they begin: it does not matter when the first value is taken
    in."""
    times = [k * STEP for k in range(STEPS + 1)]
    swings = {name: [start + (1 + abs(start) / 10) * math.sin(2 * math.pi * (i + 1) * t) for t in times]
              for i, (name, start) in enumerate(inputs_of(model).items())}
    return Run(model, times, swings)


JUMP = 50.5 * STEP


def jumping_run(model):
    """Lets inputs jump between two communication points, which makes a third."""
    times = sorted([k * STEP for k in range(STEPS + 1)] + [JUMP])
    return Run(model, times, {name: [start + (0 if t < JUMP else 1 + abs(start) / 10) for t in times]
                              for name, start in inputs_of(model).items()})


def outputs(fmu):
    return fmu.names(causality="output")


def reference(fmu, run, derivatives=None):
    """Returns the results of our own client: a row of all outputs for each communication point. With `derivatives`,
    inputs also have those slopes from each point to the next."""
    names = outputs(fmu)
    with fmu.instance() as instance:
        instance.start(stop=run.times[-1])
        rows = [instance.get(*names)]
        for k, time in enumerate(run.times[1:]):
            instance.set_all({name: values[k] for name, values in run.inputs.items()})
            if derivatives:
                references = [fmu.references[name] for name in derivatives]
                instance.slave.setRealInputDerivatives(references, [1] * len(references),
                                                       [values[k] for values in derivatives.values()])
            instance.step_to(time)
            rows.append(instance.get(*names))
        instance.terminate()
    return np.array(rows)


def slopes(run):
    return {name: [(b - a) / STEP for a, b in itertools.pairwise(values)] for name, values in run.inputs.items()}


def difference(fmu, expected, found, names=None):
    """Returns the largest difference of all outputs, or of those named, each relative to 1 plus its largest value.
    Forces and torques are relative to the largest of them: the torque in a free hinge is the difference of two large
    ones, and has only their last digits."""
    expected, found = np.asarray(expected), np.asarray(found)
    assert expected.shape == found.shape
    assert np.isfinite(found).all()
    sizes = np.abs(expected).max(axis=0)
    loads = [fmu.variables[name].unit in ("N", "N.m") for name in names or outputs(fmu)]
    sizes[loads] = sizes[loads].max(initial=0)
    return float((np.abs(expected - found) / (1 + sizes)).max())


def read_table(file, names):
    """Reads columns `names` of a table as importers write them: a head, then numbers."""
    with open(file, encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return np.array([[float(row[name]) for name in names] for row in rows])


def altered(source, target, change):
    """Makes a copy of an FMU whose description, as bytes, went through `change`, which must change something."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "modelDescription.xml":
                assert change(content) != content
                content = change(content)
            new.writestr(name, content)
    return target


def installed(name):
    """Returns the folder in which scripts/install_importers.sh has put a client."""
    path = ROOT / "build" / "importers" / name
    if not path.exists():
        pytest.fail(f"{name} is not installed: run scripts/install_importers.sh, as ./run_tests --importers does")
    return path
