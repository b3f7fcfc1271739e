"""Tests event mode, intermediate update, early return and derivatives by time, on exported FMUs as FMPy calls them."""

import ctypes
import math

import fmpy.fmi3
import numpy as np
import pytest
from fmpy.fmi1 import FMICallException

from fmu import MECHANISMS


@pytest.fixture
def inputs(model):
    """Returns names and starts of the model's inputs; a test of inputs needs one."""
    found = MECHANISMS[model].get("inputs")
    if not found:
        pytest.skip("no inputs")
    return {name: what.get("start", 0) for name, what in found.items()}


class Driven:
    """Is an FMI 3 instance with event mode, early return and an intermediate update that calls `between`. A setting
    names an item of an enumeration."""

    def __init__(self, fmu, events=True, early=True, variables=(), between=None, **settings):
        self.fmu, self.between = fmu, between
        self.slave = fmpy.fmi3.FMU3Slave(
            guid=fmu.description.guid, unzipDirectory=fmu.folder, instanceName="driven",
            modelIdentifier=fmu.description.coSimulation.modelIdentifier)
        self.callback = fmpy.fmi3.fmi3IntermediateUpdateCallback(self._update)
        self.slave.instantiate(eventModeUsed=events, earlyReturnAllowed=early, intermediateUpdate=self.callback,
                               requiredIntermediateVariables=[fmu.references[name] for name in variables])
        for name, item in settings.items():
            self.slave.setInt64([fmu.references[name]], [fmu.item(name, item)])

    def _update(self, environment, time, wanted, allowed, finished, may_return, requested, early_time):
        if self.between:
            end = self.between(self, time, wanted)
            if end is not None:
                requested[0], early_time[0] = True, end

    def get(self, *names):
        return self.slave.getFloat64([self.fmu.references[name] for name in names])

    def set(self, name, value):
        self.slave.setFloat64([self.fmu.references[name]], [value])

    def start(self):
        self.slave.enterInitializationMode(startTime=0.0)
        self.slave.exitInitializationMode()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.slave.freeInstance()


def settings(model):
    return MECHANISMS[model]["solver"]


def test_event_mode_is_as_good_as_step_mode(fmus, model):
    fmu = fmus(model, "3.0")
    h = settings(model)["stop_time"] / 20
    # With early return steps end where contacts change (test_contact_events.py).
    with Driven(fmu, early=False) as driven, fmu.instance() as plain:
        driven.start()
        plain.start()
        for i in range(5):
            assert driven.slave.updateDiscreteStates() == (False, False, False, False, False, math.inf)
            driven.slave.enterStepMode()
            events = driven.get("solver.events") if "solver.events" in fmu.references else [0]
            changed, *others = driven.slave.doStep(i * h, h)
            assert others == [False, False, i * h + h]
            assert not changed or driven.get("solver.events") > events
            plain.step_to(i * h + h)
            driven.slave.enterEventMode()
        assert list(driven.get(*fmu.names())) == list(plain.everything().values())


def test_inputs_set_in_event_mode_hold_at_once_as_they_would_in_a_short_step(fmus, model, inputs):
    fmu = fmus(model, "3.0")
    outputs = fmu.names(causality="output")
    h = settings(model)["stop_time"] / 50
    with Driven(fmu, early=False) as driven, Driven(fmu, early=False) as stepped:
        shown = []
        for instance in (driven, stepped):
            instance.start()
            instance.slave.enterStepMode()
            instance.slave.doStep(0.0, h)
            if instance is driven:
                instance.slave.enterEventMode()
            for name in inputs:
                value = instance.get(name)[0]
                instance.set(name, value + 1e-3 * (1 + abs(value)))
            if instance is stepped:
                instance.slave.doStep(h, 1e-9 * h)
            shown.append(np.array(instance.get(*outputs)))
        assert shown[0] == pytest.approx(shown[1], rel=1e-4, abs=1e-4 * (1 + np.max(np.abs(shown[1]))))


def test_the_callback_sees_consistent_states_and_changes_nothing(fmus, model):
    fmu = fmus(model, "3.0")
    names = fmu.names(causality="output") + ["solver.position_violation", "solver.steps"]
    times = []

    def look(driven, time, wanted):
        values = driven.get(*names)
        assert all(map(math.isfinite, values)) and values[-1] == len(times) + 1
        times.append(time)

    end = settings(model)["stop_time"] / 10
    with Driven(fmu, events=False, variables=names, between=look) as driven, fmu.instance() as plain:
        driven.start()
        plain.start()
        driven.slave.doStep(0.0, end)
        plain.step_to(end)
        assert list(driven.get(*fmu.names())) == list(plain.everything().values())
    assert times == sorted(times) and times[-1] == end


def test_the_importer_can_end_a_step_and_go_on(fmus, model):
    fmu = fmus(model, "3.0")
    end = settings(model)["stop_time"] / 10

    def ends_once(driven, time, wanted):
        return 0.7 * end if time < 0.7 * end else None

    with Driven(fmu, events=False, between=ends_once) as driven:
        driven.start()
        assert driven.slave.doStep(0.0, end) == (False, False, True, 0.7 * end)
        driven.between = None
        assert driven.slave.doStep(0.7 * end, end - 0.7 * end)[2:] == (False, 0.7 * end + (end - 0.7 * end))


def derivatives(instance, references, order):
    slave, count = instance.slave, len(references)
    of = (ctypes.c_uint32 * count)(*references)
    orders = (ctypes.c_int32 * count)(*[order] * count)
    values = (ctypes.c_double * count)()
    if instance.fmu.version == "2.0":
        slave.fmi2GetRealOutputDerivatives(slave.component, of, count, orders, values)
    else:
        slave.fmi3GetOutputDerivatives(slave.component, of, count, orders, values, count)
    return np.array(values)


def test_derivatives_of_outputs_are_those_of_their_motion(fmu, model):
    """Compares with central differences if a derivative is not zero; every coordinate has one."""
    outputs = fmu.names(causality="output")
    references = [fmu.references[name] for name in outputs]
    coordinates = [name in fmu.variables and f"{name}_rate_start" in fmu.variables for name in outputs]
    h = 1e-4 * settings(model)["stop_time"]
    with fmu.instance(**{"solver.tolerance": 1e-12}) as instance:
        instance.start()
        instance.step_to(settings(model)["stop_time"] / 7)
        rows, first, second = [], [], []
        for _ in range(3):
            rows.append(np.array(instance.get(*outputs) if len(outputs) > 1 else [instance.get(*outputs)]))
            first.append(derivatives(instance, references, 1))
            second.append(derivatives(instance, references, 2))
            instance.step(h)
    difference = (rows[2] - rows[0]) / (2 * h)
    scale = 1 + np.abs(difference) + np.abs(first[2] - first[0]) + np.abs(second[1]) * h
    known = first[1] != 0
    assert known[coordinates].all() or np.abs(difference[coordinates][~known[coordinates]]).max() < 1e-6
    assert (np.abs(first[1] - difference) / scale)[known].max(initial=0) < 1e-3
    difference = (first[2] - first[0]) / (2 * h)
    known = second[1] != 0
    assert (np.abs(second[1] - difference) / (1 + np.abs(difference)))[known].max(initial=0) < 1e-2


def test_a_ramp_told_by_derivatives_of_inputs_is_one_whatever_the_steps(fmus, model, inputs):
    """Calls the binding itself: fmpy.simulate_fmu has room for nine inputs, and for no other number."""
    fmu, end = fmus(model, "2.0"), settings(model)["stop_time"] / 10
    names, count = list(inputs), len(inputs)
    drives = any("acceleration" in coordinate for joint in MECHANISMS[model].get("joints", {}).values()
                 for coordinate in joint.values() if isinstance(coordinate, dict))
    if drives:
        pytest.skip("inputs that drive motions have their rates as inputs")
    last = []
    for steps in (2, 40):
        with fmu.instance() as instance:
            instance.start()
            for i in range(steps):
                t = end * i / steps
                instance.set_all({name: start + 1e-2 * t for name, start in inputs.items()})
                instance.slave.fmi2SetRealInputDerivatives(
                    instance.slave.component, (ctypes.c_uint32 * count)(*[fmu.references[n] for n in names]), count,
                    (ctypes.c_int * count)(*[1] * count), (ctypes.c_double * count)(*[1e-2] * count))
                instance.step_to(end * (i + 1) / steps)
            last.append(instance.get(*fmu.names(causality="output")))
    scale = 1 + np.max(np.abs(last[1]))
    assert last[0] == pytest.approx(last[1], rel=1e-5, abs=1e-6 * scale)


def test_a_failing_callback_fails_the_step(fmus):
    fmu = fmus("simple_pendulum", "3.0")

    def unregistered(driven, time, wanted):
        with pytest.raises(FMICallException):
            driven.get("solver.steps")

    with Driven(fmu, events=False, between=unregistered) as driven:
        driven.start()
        with pytest.raises(FMICallException):
            driven.slave.doStep(0.0, 0.5)
        assert driven.get("time") == [0.0]
