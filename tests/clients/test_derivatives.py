"""Tests directional and adjoint derivatives of exported FMUs against central differences and against each other."""

import fmpy.fmi1
import fmpy.fmi3
import numpy as np
import pytest

from fmu import MECHANISMS, Failure
from test_events import Driven, inputs  # noqa: F401 (a fixture)

AGREEMENT = 1e-6


def directional(slave, unknowns, knowns, seed):
    return np.array(slave.getDirectionalDerivative(unknowns, knowns, seed))


def adjoint(slave, unknowns, knowns, seed):
    return np.array(slave.getAdjointDerivative(unknowns, knowns, seed, nSensitivity=len(knowns)))


def computed(fmu):
    """Returns everything that inputs can act on: not the solver's counters and violations, which are no smooth
    functions, nor event indicators, which are none either."""
    return [v.name for v in fmu.description.modelVariables if v.type in ("Real", "Float64")
            and v.causality in ("output", "local") and v.variability == "continuous"
            and not v.name.startswith("solver.") and not v.name.endswith(".indicator")]


def check(found, ahead, behind, step, names):
    """Compares with (ahead − behind) / 2 step. A value's size limits the digits of its difference. For reactions the
    largest one's size counts: a torque that a free pin does not carry is a sum of moments that cancel."""
    expected = (ahead - behind) / (2 * step)
    size = np.maximum(np.abs(ahead), np.abs(behind))
    reactions = np.array([".reaction." in name for name in names])
    size[reactions] = np.max(size[reactions], initial=0)
    allowed = AGREEMENT * (np.abs(expected) + np.max(np.abs(expected), initial=0) * 1e-3) + 4e-14 * (1 + size) / step
    wrong = [f"{n}: {f}, by differences {e}" for n, f, e, a in zip(names, found, expected, allowed)
             if not abs(f - e) <= a]
    assert not wrong, "\n".join(wrong[:10])


def test_by_inputs_at_communication_points(fmu, model, inputs):  # noqa: F811
    """If an input is a little larger or smaller, event mode shows the change that the derivative gives."""
    if fmu.version == "2.0":
        pytest.skip("FMI 2 has no event mode to compare with")
    check_by_inputs(fmu, inputs)


def check_by_inputs(fmu, starts, **settings):
    names = computed(fmu)
    unknowns = [fmu.references[name] for name in names]
    knowns = [fmu.references[name] for name in starts]
    with Driven(fmu, early=False, **settings) as driven:  # no step ends where a contact is about to change
        for name, value in starts.items():
            driven.set(name, value + 0.01)
        driven.start()
        driven.slave.enterStepMode()
        driven.slave.doStep(0.0, 0.02)
        state = driven.slave.getFMUState()
        base = driven.get(*starts)
        columns = []
        for k, (name, value) in enumerate(zip(starts, base)):
            seed = [1.0 if i == k else 0.0 for i in range(len(knowns))]
            found = directional(driven.slave, unknowns, knowns, seed)
            columns.append(found)
            step = 1e-4 * max(1, abs(value))
            sides = []
            for side in (1, -1):
                driven.slave.setFMUState(state)
                driven.slave.enterEventMode()
                driven.set(name, value + side * step)
                sides.append(np.array(driven.get(*names)))
            driven.slave.setFMUState(state)
            check(found, *sides, step, names)
        weights = np.cos(np.arange(len(names)))
        back = adjoint(driven.slave, unknowns, knowns, list(weights))
        forward = np.array(columns) @ weights
        scale = np.abs(np.array(columns)) @ np.abs(weights)
        assert np.all(np.abs(back - forward) <= 1e-12 * scale)


def test_a_direction_is_the_sum_of_its_parts(fmu, model, inputs):  # noqa: F811
    """Runs in FMI 2 and 3, without events."""
    names = computed(fmu)
    unknowns, knowns = [fmu.references[n] for n in names], [fmu.references[n] for n in inputs]
    with fmu.instance() as instance:
        instance.start()
        instance.step(0.01)
        before = instance.get(*names)
        columns = [directional(instance.slave, unknowns, [k], [1.0]) for k in knowns]
        seed = [0.5 + i for i in range(len(knowns))]
        both = directional(instance.slave, unknowns, knowns, seed)
        assert np.allclose(both, sum(s * c for s, c in zip(seed, columns)), rtol=1e-9,
                           atol=1e-9 * max(1e-300, np.max(np.abs(columns))))
        assert instance.get(*names) == before


def test_efforts_change_with_inputs_as_their_multipliers_do(fmu, model, inputs):  # noqa: F811
    """An effort is its constraint's multiplier times a direction, which inputs do not change at once."""
    efforts = [name for name in fmu.references if name.startswith("constraint.") and ".effort." in name]
    if not efforts:
        pytest.skip("no constraint of this model has efforts")
    assert set(efforts) <= set(computed(fmu))  # The other tests compare them with differences.
    multipliers = [name.split(".effort.")[0] + ".multiplier" for name in efforts]
    with fmu.instance(**inputs) as instance:
        instance.start()
        instance.step(0.02)
        effort, multiplier = np.array(instance.get(*efforts)), np.array(instance.get(*multipliers))
        for known in inputs:
            by_input = [directional(instance.slave, [fmu.references[name] for name in names],
                                    [fmu.references[known]], [1.0]) for names in (efforts, multipliers)]
            products = by_input[0] * multiplier, by_input[1] * effort
            size = np.max(np.abs(products), initial=0)
            assert np.all(np.abs(products[0] - products[1]) <= 1e-10 * size)


def test_by_start_values_and_parameters_in_initialization(fmu, model):
    """Compares with fresh instances, for the first and the last parameter of each kind in each model."""
    check_by_starts_and_parameters(fmu)


def modes(instance):
    """Returns the states of contacts and which have an impact, or nothing if something penetrates."""
    names = instance.fmu.references
    try:
        return ([instance.get(name) for name in names if name.endswith(".state")]
                + [instance.get(name) != 0 for name in names if name.endswith(".impulse")])
    except Failure as failure:
        assert "it has to be 0 or more" in str(failure)
        return None


def check_by_starts_and_parameters(fmu, **settings):
    """Derivatives hold the modes of contacts: differences tell nothing where a contact begins or ends to hold."""
    names = computed(fmu)
    unknowns = [fmu.references[name] for name in names]
    candidates = [v for v in fmu.description.modelVariables if v.type in ("Real", "Float64")
                  and v.causality == "parameter" and not v.name.startswith("solver.")]
    starts = [v for v in candidates if v.name.endswith("_start")]
    others = [v for v in candidates if v not in starts]
    chosen = {v.name: v for v in (starts[:2] + starts[-1:] + others[:2] + others[-1:])}

    def started(values):
        instance = fmu.instance(**settings, **values)
        instance.enter()
        return instance

    for name in chosen:
        with started({}) as instance:
            value, held = instance.get(name), modes(instance)
            found = directional(instance.slave, unknowns, [fmu.references[name]], [1.0])
            if fmu.version == "3.0":
                weights = list(np.cos(np.arange(len(names))))
                back = adjoint(instance.slave, unknowns, [fmu.references[name]], weights)
                assert back[0] == pytest.approx(float(found @ weights), rel=1e-9, abs=1e-9 * np.max(np.abs(found)))
        step = 1e-4 * (abs(value) or 1)
        sides = []
        for side in (1, -1):
            with started({name: value + side * step}) as instance:
                sides.append(modes(instance))
        if sides != [held, held]:
            continue
        differences = []
        for h in (step, step / 2):
            sides = []
            for side in (1, -1):
                with started({name: value + side * h}) as instance:
                    sides.append(np.array(instance.get(*names)))
            differences.append((sides[0] - sides[1]) / (2 * h))
        expected = (4 * differences[1] - differences[0]) / 3
        size, noise = np.max(np.abs(expected), initial=0), 1e-15 * np.max(np.abs(sides[0]), initial=0)
        wrong = [f"{n} by {name}: {f}, by differences {e}" for n, f, e, v in zip(names, found, expected, sides[0])
                 if not abs(f - e) <= AGREEMENT * (abs(e) + 1e-3 * size) + (1e-11 * (1 + abs(v)) + noise) / step]
        assert not wrong, "\n".join(wrong[:10])


def by_time(instance, references, order):
    orders = [order] * len(references)
    if instance.fmu.version == "2.0":
        return np.array(instance.slave.getRealOutputDerivatives(references, orders))
    values = (fmpy.fmi3.fmi3Float64 * len(references))()
    instance.slave.fmi3GetOutputDerivatives(
        instance.slave.component, (fmpy.fmi3.fmi3ValueReference * len(references))(*references), len(references),
        (fmpy.fmi3.fmi3Int32 * len(references))(*orders), values, len(references))
    return np.array(list(values))


def test_outputs_change_in_time_as_their_derivatives_say(fmu, model):
    """Compares all first derivatives, also of reactions, and second ones of coordinates and rates, with values around a
    point in time."""
    check_by_time(fmu, model)


def check_by_time(fmu, model, **settings):
    names = fmu.names(causality="output")
    references = [fmu.references[name] for name in names]
    with fmu.instance(**{"solver.tolerance": 1e-12}, **settings) as instance:
        instance.start()
        duration = min(1, MECHANISMS[model]["solver"]["stop_time"])
        instance.step(0.1 * duration)
        state, middle = instance.slave.getFMUState(), instance.time
        h, points = 2e-4 * duration, []
        for _ in range(5):
            points.append(np.array(instance.get(*names)))
            instance.step(h)
        instance.slave.setFMUState(state)
        instance.time = middle
        instance.step(h)
        instance.step(h)
        values = np.array(points)
        slopes = (values[0] - 8 * values[1] + 8 * values[3] - values[4]) / (12 * h)
        coarse = (values[4] - values[0]) / (4 * h)
        bends = (-values[0] + 16 * values[1] - 30 * values[2] + 16 * values[3] - values[4]) / (12 * h * h)
        found, second = by_time(instance, references, 1), by_time(instance, references, 2)
        sizes = 1 + np.max(np.abs(values), axis=0)
        reactions = [".reaction." in name for name in names]  # It may be the small difference of large ones.
        sizes[reactions] = np.max(sizes[reactions], initial=1)
        noise = 1e-10 * sizes
        wrong = [f"{n}: {f}, by differences {e}" for n, f, e, c, d in zip(names, found, slopes, coarse, noise)
                 if not abs(f - e) <= 1e-6 * abs(e) + 0.01 * abs(e - c) + d / h]
        assert not wrong, "\n".join(wrong[:10])
        twice = {unknown.variable.derivative.name for unknown in fmu.description.derivatives}
        twice |= {name for name in names if name.startswith("der(") and f"{name[:-1]},2)" in fmu.variables}
        wrong = [f"{n}: {f}, by differences {e}" for n, f, e, d in zip(names, second, bends, noise)
                 if n in twice and not abs(f - e) <= 1e-4 * abs(e) + d / h / h + 1e-4]
        assert not wrong, "\n".join(wrong[:10])


def knowns_and_unknowns(fmu, kinds):
    """Returns what ModelStructure lists: value references of unknowns, and of all that they depend on."""
    structure = {"outputs": fmu.description.outputs, "derivatives": fmu.description.derivatives,
                 "initial": fmu.description.initialUnknowns}
    listed = [unknown for kind in kinds for unknown in structure[kind]]
    knowns = sorted({known.valueReference for unknown in listed for known in unknown.dependencies})
    return list(dict.fromkeys(unknown.variable.valueReference for unknown in listed)), knowns


def test_all_knowns_that_the_fmu_lists_serve(fmu):
    """Asks by time, states, inputs and parameters, in and after initialization mode, also with seeds of zero; then the
    run goes on."""
    with fmu.instance() as instance:
        instance.enter()
        for kinds in (("initial",), ("outputs", "derivatives")):
            unknowns, knowns = knowns_and_unknowns(fmu, kinds)
            for known in knowns:
                assert np.all(np.isfinite(directional(instance.slave, unknowns, [known], [1.0])))
            assert np.all(directional(instance.slave, unknowns, knowns, [0.0] * len(knowns)) == 0)
            if fmu.version == "3.0":
                assert np.all(adjoint(instance.slave, unknowns, knowns, [0.0] * len(unknowns)) == 0)
            if kinds == ("initial",):
                instance.exit()
                instance.step(0.01)
        instance.step(0.01)


def test_by_the_time_of_the_start(fmu):
    """Compares with starts at other times."""
    names = computed(fmu)
    unknowns, time = [fmu.references[name] for name in names], fmu.references["time"]

    def started(start):
        instance = fmu.instance()
        instance.enter(start=start)
        return instance

    with started(0.3) as instance:
        found, middle = directional(instance.slave, unknowns, [time], [1.0]), np.array(instance.get(*names))
    h, sides = 1e-4, []
    for side in (-2, -1, 1, 2):
        with started(0.3 + side * h) as instance:
            sides.append(np.array(instance.get(*names)))
    expected = (sides[0] - 8 * sides[1] + 8 * sides[2] - sides[3]) / (12 * h)
    size = np.max(np.abs(expected), initial=0)
    allowed = AGREEMENT * (np.abs(expected) + 1e-2 * size) + 1e-11 * (1 + np.abs(middle)) / h
    wrong = [f"{n}: {f}, by differences {e}" for n, f, e, a in zip(names, found, expected, allowed)
             if not abs(f - e) <= a]
    assert not wrong, "\n".join(wrong[:10])


def test_by_tunable_parameters_at_communication_points(fmu):
    """If a parameter is a little larger or smaller, event mode shows the change that the derivative gives."""
    tunable = [v for v in fmu.description.modelVariables if v.variability == "tunable" and v.causality == "parameter"]
    if fmu.version == "2.0" or not tunable:
        pytest.skip("there is nothing to compare with")
    names = computed(fmu)
    unknowns = [fmu.references[name] for name in names]
    with Driven(fmu) as driven:
        driven.start()
        driven.slave.enterStepMode()
        driven.slave.doStep(0.0, 0.02)
        state = driven.slave.getFMUState()
        for parameter in tunable:
            value = driven.get(parameter.name)[0]
            found = directional(driven.slave, unknowns, [parameter.valueReference], [1.0])
            step, sides = 1e-4 * (abs(value) or 1), []
            for side in (1, -1):
                driven.slave.enterEventMode()
                driven.set(parameter.name, value + side * step)
                sides.append(np.array(driven.get(*names)))
                driven.slave.setFMUState(state)
            check(found, *sides, step, names)


def test_what_cannot_be_asked_is_said_and_the_instance_lives_on(fmu):
    output, setting = fmu.references[computed(fmu)[0]], fmu.references["solver.tolerance"]
    with fmu.instance() as instance:
        instance.start()
        for unknown, known, said in [(output, setting, "no derivatives by solver.tolerance"),
                                     (setting, fmu.references["time"], "solver.tolerance is set, not computed")]:
            with pytest.raises(fmpy.fmi1.FMICallException):
                directional(instance.slave, [unknown], [known], [1.0])
            assert said in instance.messages[-1]
        instance.step(0.01)
