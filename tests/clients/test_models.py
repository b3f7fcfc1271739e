"""Tests every exported model, as FMPy sees it: it is valid, and right."""

import functools

import fmpy
import fmpy.validation
import numpy as np
import pytest

from fmu import MECHANISMS, VERSIONS, fmu_path, read_reference


def test_fmpy_finds_nothing_wrong(model, version):
    assert fmpy.validation.validate_fmu(str(fmu_path(model, version))) == []


def test_the_reference_is_met(model, fmu):
    """Steps from one point of the reference to the next, and compares every column."""
    reference = read_reference(model)
    names = [name for name in reference.columns if name != "time"]
    worst, where = 0, ""
    with fmu.instance(**reference.inputs) as instance:
        instance.start(start=reference.time[0])
        for row, time in enumerate(reference.time):
            instance.step_to(time)
            for name, value in zip(names, instance.get(*names) if len(names) > 1 else [instance.get(*names)]):
                expected = reference.columns[name][row]
                error = abs(value - expected) / (1 + abs(expected))
                if error > worst:
                    worst, where = error, f"{name} at {time}: {value} instead of {expected}"
    assert worst <= reference.bound, where


@pytest.fixture(scope="session")
def default_experiment(fmus):
    """Runs an FMU's default experiment in FMPy: default_experiment(model, version) has a column for each number."""

    @functools.lru_cache(maxsize=2)  # the versions of one model
    def run(model, version):
        numbers = [v.name for v in fmus(model, version).description.modelVariables
                   if v.type in ("Real", "Float64") and v.name != "time"]
        return fmpy.simulate_fmu(str(fmu_path(model, version)), output=numbers)

    return run


def test_simulate_fmu_runs_the_default_experiment(model, version, default_experiment):
    rows = default_experiment(model, version)
    assert rows["time"][-1] == pytest.approx(MECHANISMS[model]["solver"]["stop_time"])
    assert all(np.isfinite(rows[name]).all() for name in rows.dtype.names)


def test_the_constraints_hold_throughout(model, version, default_experiment):
    rows = default_experiment(model, version)
    assert len(rows) > 40
    assert max(rows["solver.position_violation"]) < 1e-9
    assert max(rows["solver.velocity_violation"]) < 1e-9


def test_both_versions_give_the_same_bits(model, default_experiment):
    rows = [default_experiment(model, version) for version in VERSIONS]
    assert sorted(rows[0].dtype.names) == sorted(rows[1].dtype.names)
    assert [name for name in rows[0].dtype.names if rows[0][name].tobytes() != rows[1][name].tobytes()] == []


def test_communication_steps_may_vary_and_land_exactly(fmu):
    unit = float(fmu.description.defaultExperiment.stopTime) / 20
    with fmu.instance() as instance:
        instance.start()
        for factor in (1, 1e-9, 0.37, 1e-12, 2.5, 1e-3):
            expected = instance.time + factor * unit
            assert instance.step(factor * unit) == expected
            assert instance.get("time") == expected


def test_what_is_set_is_read_in_every_mode(fmu):
    settable = fmu.names(causality="parameter") + fmu.names(causality="input")
    changed = {name: float(fmu.variables[name].start) * 1.0000000000000002 + 0.0 for name in settable}
    with fmu.instance() as instance:
        instance.set_all(changed)
        if fmu.version == "3.0":  # FMI 2 does not let values be read so early.
            assert instance.get("time", *settable) == [0, *changed.values()]
        instance.enter()
        assert instance.get("time", *settable) == [0, *changed.values()]
        instance.set_all(changed)
        assert instance.get("time", *settable) == [0, *changed.values()]
        instance.exit()
        assert instance.get("time", *settable) == [0, *changed.values()]
        inputs = {name: float(fmu.variables[name].start) + 0.1 for name in fmu.names(causality="input")}
        before = instance.everything()
        instance.set_all(inputs)
        assert instance.everything() == before | inputs  # Nothing else moves before the next step.
        instance.step(float(fmu.description.defaultExperiment.stepSize))
        assert instance.get("time", *inputs)[1:] if len(inputs) else True


ANDREWS_ANGLES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")


@pytest.mark.parametrize("tolerance", (1e-6, 1e-8, 1e-10))
def test_andrews_mechanism_is_scored_at_three_tolerances(fmus, version, tolerance):
    """Makes one step to each time of the reference. Angles up to 16 rad agree within some multiples of the tolerance.
    Multipliers follow from accelerations: a small error of an angle changes them by its product with 1e5 1/s2."""
    reference = read_reference("andrews_equations")
    multipliers = [name for name in reference.columns if name.endswith(".multiplier")]
    for row in (10, 20, 30, 40, 50, 60):
        with fmus("andrews_equations", version).instance(**reference.inputs) as instance:
            instance.start(tolerance=tolerance)
            instance.step_to(reference.time[row])
            for names, bound in ((ANDREWS_ANGLES, 20 * tolerance), (multipliers, 200 * tolerance)):
                for name, value in zip(names, instance.get(*names)):
                    expected = reference.columns[name][row]
                    assert abs(value - expected) <= bound * (1 + abs(expected)), (name, reference.time[row])
