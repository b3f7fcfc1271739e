"""Drives exported FMUs of both FMI versions in one way, on top of FMPy, and knows their models and references."""

import csv
import dataclasses
import os
import pathlib
import tomllib

import fmpy
import fmpy.fmi2
import fmpy.fmi3

ROOT = pathlib.Path(__file__).resolve().parents[2]
FMUS = pathlib.Path(os.environ.get("MECHFMU_FMUS", ROOT / "build" / "test_fmus"))
VERSIONS = ("2.0", "3.0")


def mechanisms():
    """Returns the name of each model and the content of its file."""
    files = sorted((ROOT / "models").glob("*/mechanism.toml"))
    return {file.parent.name: tomllib.loads(file.read_text()) for file in files}


MECHANISMS = mechanisms()


def fmu_path(model, version):
    return FMUS / version / (MECHANISMS[model]["mechanism"]["name"] + ".fmu")


@dataclasses.dataclass
class Reference:
    """Reads a model's reference.csv: points in time, columns by name, inputs held during the run, a bound."""

    bound: float
    inputs: dict
    columns: dict

    @property
    def time(self):
        return self.columns["time"]


def read_reference(model):
    bound, inputs, lines = None, {}, []
    with open(ROOT / "models" / model / "reference.csv", encoding="utf-8", newline="") as file:
        for line in file:
            if not line.startswith("#"):
                lines.append(line)
            elif "=" in line:
                what, value = line[1:].split("=", 1)
                if what.strip() == "bound":
                    bound = float(value)
                elif what.split()[:1] == ["input"] and len(what.split()) == 2:
                    inputs[what.split()[1]] = float(value)
    rows = list(csv.DictReader(lines))
    assert bound is not None and rows
    return Reference(bound, inputs, {name: [float(row[name]) for row in rows] for name in rows[0]})


class Failure(Exception):
    """Says that a function of the FMU did not return OK; the text is its log."""


class Fmu:
    """Is an unpacked FMU, from which instances are made."""

    def __init__(self, path, folder):
        self.path = path
        self.folder = fmpy.extract(str(path), unzipdir=str(folder))
        self.description = fmpy.read_model_description(self.folder, validate=False)
        self.references = {v.name: v.valueReference for v in self.description.modelVariables}
        self.variables = {v.name: v for v in self.description.modelVariables}
        self.version = "2.0" if self.description.fmiVersion == "2.0" else "3.0"

    def names(self, **attributes):
        """Returns names of real variables whose attributes have these values."""
        return [v.name for v in self.description.modelVariables if v.type in ("Real", "Float64")
                and all(getattr(v, key) == value for key, value in attributes.items())]

    def item(self, variable, name):
        """Returns the number of an enumeration's item, or 0, which no item has, if there is no such item."""
        items = self.variables[variable].declaredType.items
        return next((int(item.value) for item in items if item.name == name), 0)

    def instance(self, **values):
        return Instance(self, values)


class Instance:
    """Is an instance. The values given are set while it is instantiated, and the messages that it logs are
    collected."""

    def __init__(self, fmu, values):
        self.fmu = fmu
        self.messages = []
        arguments = {"guid": fmu.description.guid, "unzipDirectory": fmu.folder, "instanceName": "instance",
                     "modelIdentifier": fmu.description.coSimulation.modelIdentifier}
        if fmu.version == "2.0":
            self.slave = fmpy.fmi2.FMU2Slave(**arguments)
            self.callbacks = fmpy.fmi2.fmi2CallbackFunctions()
            self.callbacks.logger = fmpy.fmi2.fmi2CallbackLoggerTYPE(self._log2)
            self.callbacks.allocateMemory = fmpy.fmi2.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
            self.callbacks.freeMemory = fmpy.fmi2.fmi2CallbackFreeMemoryTYPE(fmpy.free)
            self.slave.instantiate(callbacks=self.callbacks, loggingOn=True)
        else:
            self.slave = fmpy.fmi3.FMU3Slave(**arguments)
            self.slave.instantiate(loggingOn=True, logMessage=self._log3)
        self.time = None
        self.set(**values)

    def _log2(self, environment, name, status, category, message):
        self.messages.append(message.decode())

    def _log3(self, environment, status, category, message):
        self.messages.append(message.decode())

    def _try(self, function, *arguments, **options):
        try:
            return function(*arguments, **options)
        except Exception as error:
            raise Failure("\n".join(self.messages) or str(error)) from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.slave.freeInstance()

    def enter(self, start=0.0, stop=None, tolerance=None):
        if self.fmu.version == "2.0":
            self._try(self.slave.setupExperiment, tolerance=tolerance, startTime=start, stopTime=stop)
            self._try(self.slave.enterInitializationMode)
        else:
            self._try(self.slave.enterInitializationMode, tolerance=tolerance, startTime=start, stopTime=stop)
        self.time = start

    def exit(self):
        self._try(self.slave.exitInitializationMode)

    def start(self, **options):
        self.enter(**options)
        self.exit()

    def step(self, h):
        """Makes one step; returns the time that the FMU then has, as it says itself."""
        answer = self._try(self.slave.doStep, self.time, h)
        self.time += h
        if self.fmu.version == "3.0":
            assert answer[:3] == (False, False, False)
            return answer[3]
        last = fmpy.fmi2.fmi2Real()
        self.slave.fmi2GetRealStatus(self.slave.component, fmpy.fmi2.fmi2LastSuccessfulTime, last)
        return last.value

    def step_to(self, time):
        h = time - self.time
        if h > 0:
            self.step(h)
        self.time = time

    def set(self, **values):
        self.set_all(values)

    def set_all(self, values):
        """Sets values; a text names an item of an enumeration."""
        items = {name: self.fmu.item(name, value) for name, value in values.items() if isinstance(value, str)}
        numbers = {name: value for name, value in values.items() if name not in items}
        two = self.fmu.version == "2.0"
        if numbers:
            setter = self.slave.setReal if two else self.slave.setFloat64
            self._try(setter, [self.fmu.references[n] for n in numbers], list(numbers.values()))
        if items:
            setter = self.slave.setInteger if two else self.slave.setInt64
            self._try(setter, [self.fmu.references[n] for n in items], list(items.values()))

    def get(self, *names):
        two = self.fmu.version == "2.0"
        getter = self.slave.getReal if two else self.slave.getFloat64
        values = self._try(getter, [self.fmu.references[name] for name in names])
        return values[0] if len(names) == 1 else list(values)

    def everything(self):
        """Returns all real variables, bit by bit."""
        return dict(zip(self.fmu.names(), self.get(*self.fmu.names())))

    def reset(self):
        self._try(self.slave.reset)
        self.messages.clear()

    def terminate(self):
        self._try(self.slave.terminate)

    def save(self):
        return self._try(self.slave.getFMUstate if self.fmu.version == "2.0" else self.slave.getFMUState)

    def restore(self, state, time):
        self._try(self.slave.setFMUstate if self.fmu.version == "2.0" else self.slave.setFMUState, state)
        self.time = time

    def discard(self, state):
        self._try(self.slave.freeFMUstate if self.fmu.version == "2.0" else self.slave.freeFMUState, state)

    def to_bytes(self, state):
        two = self.fmu.version == "2.0"
        return self._try(self.slave.serializeFMUstate if two else self.slave.serializeFMUState, state)

    def from_bytes(self, data):
        two = self.fmu.version == "2.0"
        return self._try(self.slave.deSerializeFMUstate if two else self.slave.deserializeFMUState, data)
