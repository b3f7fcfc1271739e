"""Runs FMPy: validation, simulation with and without events, states handed from one simulation to the next."""

import importlib.metadata

import fmpy
import fmpy.fmi2
import fmpy.fmi3
import fmpy.validation
import numpy as np
import pytest

from fmu import fmu_path
from runs import (
    JUMP,
    MODELS_WITH_INPUTS,
    ROUND_OFF,
    STEP,
    all_models,
    both_versions,
    difference,
    jumping_run,
    outputs,
    reference,
)

FMPY = "FMPy", importlib.metadata.version("fmpy")


def signals(times, inputs):
    """Returns a table of input signals as FMPy wants it, or None without inputs."""
    if not inputs:
        return None
    return np.array(list(zip(times, *inputs.values())), dtype=[(name, float) for name in ("time", *inputs)])


def simulate(fmu, start=0.0, stop=1.0, **options):
    """Returns rows of all outputs at communication points, without time."""
    rows = fmpy.simulate_fmu(fmu.folder, start_time=start, stop_time=stop, output_interval=STEP, output=outputs(fmu),
                             model_description=fmu.description, **options)
    rows = np.array([list(row) for row in rows])
    wanted = np.abs(rows[:, 0] / STEP - np.round(rows[:, 0] / STEP)) < 1e-6
    last = np.append(np.diff(rows[:, 0]) > STEP / 1000, True)  # of several rows at one time, the one after the event
    return rows[wanted & last, 1:]


@both_versions
@all_models
def test_validates(model, version, report):
    assert fmpy.validation.validate_fmu(str(fmu_path(model, version))) == []
    report.add(FMPY, "validated", model, version)


@both_versions
@all_models
def test_simulates(fmu, model, version, smooth, report):
    run, expected = smooth(model, version)
    found = difference(fmu, expected, simulate(fmu, input=signals(run.times, run.inputs)))
    assert found < ROUND_OFF
    report.add(FMPY, "simulated", model, version, found)


@pytest.mark.parametrize("version, events", [("2.0", False), ("3.0", False), ("3.0", True)])
@pytest.mark.parametrize("model", MODELS_WITH_INPUTS)
def test_inputs_jump_between_communication_points(fmu, model, version, events, report):
    """FMPy steps to the jump, and in event mode sets it there."""
    run = jumping_run(model)
    at = run.times.index(JUMP)
    doubled = {name: [*values[:at], values[at - 1], *values[at:]] for name, values in run.inputs.items()}
    rows = simulate(fmu, input=signals([*run.times[:at], JUMP, *run.times[at:]], doubled), use_event_mode=events)
    expected = np.delete(reference(fmu, run), at, axis=0)
    found = difference(fmu, expected, rows)
    assert found < ROUND_OFF
    report.add(FMPY, f"simulated with jumps of inputs {'as events' if events else 'at steps of their own'}", model,
               version, found)


@both_versions
@all_models
def test_a_state_goes_on_in_another_simulation(fmu, model, version, smooth, report):
    """Runs one half, takes its state as bytes, and runs the other half by a new instance that was never initialised."""
    run, expected = smooth(model, version)
    middle = run.times[len(run.times) // 2]
    table = signals(run.times, run.inputs)
    first = fmpy.instantiate_fmu(fmu.folder, fmu.description, "CoSimulation")
    begin = simulate(fmu, stop=middle, input=table, fmu_instance=first, terminate=False, set_stop_time=False)
    if version == "2.0":
        data = first.serializeFMUstate(first.getFMUstate())
    else:
        data = first.serializeFMUState(first.getFMUState())
    first.freeInstance()
    end = simulate(fmu, start=middle, input=table, fmu_state=data)
    found = difference(fmu, expected, np.concatenate([begin, end[1:]]))
    assert found < ROUND_OFF
    assert difference(fmu, begin[-1:], end[:1]) == 0
    report.add(FMPY, "simulated in two halves by a serialised state", model, version, found)
