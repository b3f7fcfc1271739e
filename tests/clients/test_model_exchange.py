"""Tests model exchange: FMPy's CVode integrates exported FMUs, and gets the values that co-simulation computes."""

import subprocess

import fmpy
import fmpy.fmi2
import fmpy.fmi3
import numpy
import pytest

from fmu import MECHANISMS, ROOT, VERSIONS, fmu_path

# They are planar and spatial, of equations and of bodies, redundant, rheonomic, nonholonomic, with quaternions and
# turns.
MODELS = ("guided_pendulum", "four_bar", "gyroscope", "stewart_platform", "driven_pendulum", "cart", "quick_return")
DRIFT = ["solver.position_violation", "solver.velocity_violation"]


def run(model, version, names, **options):
    stop = min(MECHANISMS[model]["solver"]["stop_time"], 3)
    return fmpy.simulate_fmu(str(fmu_path(model, version)), stop_time=stop, output_interval=stop / 60, output=names,
                             **options)


def exchanged(model, version, names, tolerance):
    return run(model, version, names, fmi_type="ModelExchange", solver="CVode", relative_tolerance=tolerance)


def outputs(model, version):
    description = fmpy.read_model_description(str(fmu_path(model, version)), validate=False)
    return [v.name for v in description.modelVariables if v.causality == "output"]


@pytest.mark.parametrize("exchange_version", VERSIONS)
@pytest.mark.parametrize("exchange_model", MODELS)
def test_an_integrator_outside_sees_the_same_motion(exchange_model, exchange_version):
    """Errors of a method of variable order are proportional to its tolerance, times a factor of the motion; reactions
    have the errors of accelerations. The drift is of the order of the errors, and stays so."""
    names = outputs(exchange_model, exchange_version)
    expected = run(exchange_model, exchange_version, names, fmi_type="CoSimulation",
                   start_values={"solver.tolerance": 1e-11})
    errors, drift = [], []
    for tolerance in (1e-6, 1e-9):
        rows = exchanged(exchange_model, exchange_version, names + DRIFT, tolerance)
        assert numpy.allclose(rows["time"], expected["time"], rtol=1e-12)
        errors.append(max(abs(rows[name] - expected[name]).max() / (1 + abs(expected[name]).max()) for name in names))
        drift.append([rows[name] for name in DRIFT])
    assert errors[1] < 1e-4
    assert errors[1] < errors[0] / 30  # The tolerances differ by a factor of 1000.
    for loose, tight in zip(*drift):
        half = len(loose) // 2
        assert loose[half:].max() <= 5 * loose[:half].max() + 1e-8
        assert tight.max() <= loose.max() / 30 + 1e-12


@pytest.fixture(params=VERSIONS)
def exchange(request, fmus):
    """Makes instances in continuous-time mode: exchange(model). A setting names an item of an enumeration."""
    made = []

    def make(model, **settings):
        fmu = fmus(model, request.param)
        kind = fmpy.fmi2.FMU2Model if fmu.version == "2.0" else fmpy.fmi3.FMU3Model
        instance = kind(guid=fmu.description.guid, unzipDirectory=fmu.folder, instanceName="exchange",
                        modelIdentifier=fmu.description.modelExchange.modelIdentifier)
        instance.instantiate()
        for name, item in settings.items():
            (instance.setInteger if fmu.version == "2.0" else instance.setInt64)([fmu.references[name]],
                                                                                 [fmu.item(name, item)])
        if fmu.version == "2.0":
            instance.setupExperiment()
        instance.enterInitializationMode()
        instance.exitInitializationMode()
        (instance.newDiscreteStates if fmu.version == "2.0" else instance.updateDiscreteStates)()
        instance.enterContinuousTimeMode()
        made.append(instance)
        return Exchange(fmu, instance)

    yield make
    for instance in made:
        instance.terminate()
        instance.freeInstance()


class Exchange:
    """Returns numbers of an instance as arrays."""

    def __init__(self, fmu, instance):
        self.fmu, self.instance = fmu, instance
        self.derivatives = fmu.description.derivatives
        self.count = len(self.derivatives)

    def _get(self, function):
        numbers = numpy.zeros(self.count)
        function(numbers.ctypes.data_as(fmpy.fmi2.POINTER(fmpy.fmi2.c_double)), self.count)
        return numbers

    def states(self):
        return self._get(self.instance.getContinuousStates)

    def nominals(self):
        return self._get(self.instance.getNominalsOfContinuousStates)

    def rates(self):
        return self._get(self.instance.getDerivatives if self.fmu.version == "2.0"
                         else self.instance.getContinuousStateDerivatives)

    def set(self, states):
        pointer = numpy.ascontiguousarray(states).ctypes.data_as(fmpy.fmi2.POINTER(fmpy.fmi2.c_double))
        self.instance.setContinuousStates(pointer, self.count)

    def values(self, references):
        get = self.instance.getReal if self.fmu.version == "2.0" else self.instance.getFloat64
        return numpy.array(get(references))


@pytest.mark.parametrize("exchange_model", MODELS)
def test_states_and_derivatives_are_the_variables_listed(exchange_model, exchange):
    one = exchange(exchange_model)
    rates = [unknown.variable for unknown in one.derivatives]
    states = [rate.derivative for rate in rates]
    assert (one.values([v.valueReference for v in states]) == one.states()).all()
    assert (one.values([v.valueReference for v in rates]) == one.rates()).all()
    assert (one.nominals() == [float(v.nominal) for v in states]).all()


@pytest.mark.parametrize("exchange_model", [name for name, file in MECHANISMS.items()
                                            if file["mechanism"].get("coordinates") != "absolute"])
def test_starts_of_the_description_alone_fit_together(exchange_model, exchange):
    """The starts lie on the constraints, have derivatives, and are those of the FMU itself."""
    one = exchange(exchange_model)
    states = [unknown.variable.derivative for unknown in one.derivatives]
    assembled, starts = one.states(), numpy.array([float(variable.start) for variable in states])
    one.set(starts)
    assert (one.values([one.fmu.references[name] for name in DRIFT]) <= 1e-12).all()
    assert numpy.isfinite(one.rates()).all()
    assert numpy.allclose(starts, assembled, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("member", ["coordinate_partitioning", "svd", "kkt"])
@pytest.mark.parametrize("exchange_model", [*MODELS, "knife_edge", "block_on_ramp"])
def test_the_resolution_makes_no_difference(exchange_model, member, exchange):
    """The importer integrates, so no basis takes part: all bits agree, and what a member cannot move it need not
    refuse."""
    results, origin = [], None
    for settings in ({}, {"solver.tangent_basis": member}):
        one = exchange(exchange_model, **settings)
        origin = one.states() if origin is None else origin
        unknowns = [unknown.variable.valueReference for unknown in one.derivatives + one.fmu.description.outputs]
        states = [unknown.variable.derivative.valueReference for unknown in one.derivatives]
        one.set(origin + 1e-3 * numpy.sin(numpy.arange(one.count) + 1.0))
        results.append([*one.values(unknowns)])
        for known in states:
            results[-1] += one.instance.getDirectionalDerivative(unknowns, [known], [1.0])
    assert results[0] == results[1]


@pytest.mark.parametrize("exchange_model", MODELS)
def test_no_dependency_on_a_state_is_missing(exchange_model, exchange):
    """Also off the constraints, where an integrator goes, all values that change with a state depend on it."""
    one = exchange(exchange_model)
    unknowns = one.derivatives + one.fmu.description.outputs
    references = [unknown.variable.valueReference for unknown in unknowns]
    listed = [{known.name for known in unknown.dependencies} for unknown in unknowns]
    origin = one.states() + 1e-3 * numpy.sin(numpy.arange(one.count) + 1.0)
    one.set(origin)
    before = one.values(references)
    for i, unknown in enumerate(one.derivatives):
        one.set(origin + 1e-3 * (numpy.arange(one.count) == i))
        changed = abs(one.values(references) - before) > 1e-6 * (1 + abs(before))
        for number in numpy.flatnonzero(changed):
            assert unknown.variable.derivative.name in listed[number], unknowns[number].variable.name


def inside(value, variable):
    """Returns a number near the value, so that differences to both sides stay within min and max."""
    room = 1e-3 * (1 + abs(value))
    lowest, highest = (float(bound or side) for bound, side in ((variable.min, "-inf"), (variable.max, "inf")))
    return min(max(value, lowest + room), highest - room)


@pytest.mark.parametrize("exchange_model", [name for name, file in MECHANISMS.items()
                                            if file["mechanism"].get("coordinates") != "absolute"])
def test_derivatives_by_states_and_inputs(exchange_model, exchange):
    """Compares derivatives of state derivatives and outputs with differences, and adjoint ones with them, also off the
    constraints, where an integrator goes."""
    one = exchange(exchange_model)
    description = one.fmu.description
    unknowns = [unknown.variable.valueReference for unknown in one.derivatives + description.outputs]
    names = [unknown.variable.name for unknown in one.derivatives + description.outputs]
    states = [unknown.variable.derivative.valueReference for unknown in one.derivatives]
    inputs = [v.valueReference for v in description.modelVariables if v.causality == "input"]
    get = one.instance.getReal if one.fmu.version == "2.0" else one.instance.getFloat64
    set_ = one.instance.setReal if one.fmu.version == "2.0" else one.instance.setFloat64
    origin = one.states() + 1e-3 * numpy.sin(numpy.arange(one.count) + 1.0)
    named = [v.name for v in description.modelVariables if v.causality == "input"]
    at = list(origin) + [inside(x, one.fmu.variables[name]) for name, x in zip(named, get(inputs))]

    def values(point):
        one.set(numpy.array(point[:one.count]))
        if inputs:
            set_(inputs, point[one.count:])
        return one.values(unknowns)

    columns = []
    for j in range(len(at)):
        h = 1e-4 * (1 + abs(at[j]))
        sides = [values([x + k * h * (i == j) for i, x in enumerate(at)]) for k in (-2, -1, 1, 2)]
        expected = (sides[0] - 8 * sides[1] + 8 * sides[2] - sides[3]) / (12 * h)
        values(at)
        found = numpy.array(one.instance.getDirectionalDerivative(unknowns, [(states + inputs)[j]], [1.0]))
        columns.append(found)
        allowed = 1e-6 * (abs(expected) + 1e-2 * abs(expected).max()) + 1e-12 * (1 + abs(sides[0])) / h
        wrong = numpy.flatnonzero(~(abs(found - expected) <= allowed))
        assert not len(wrong), [(names[i], j, found[i], expected[i]) for i in wrong[:5]]
    if one.fmu.version == "3.0":
        weights = numpy.cos(numpy.arange(len(unknowns)))
        back = one.instance.getAdjointDerivative(unknowns, states + inputs, list(weights), nSensitivity=len(at))
        scale = abs(numpy.array(columns)) @ abs(weights)
        assert (abs(numpy.array(back) - numpy.array(columns) @ weights) <= 1e-12 * scale).all()


@pytest.mark.parametrize("exchange_model", [name for name, file in MECHANISMS.items()
                                            if file["mechanism"].get("coordinates") != "absolute"])
def test_derivatives_by_time_and_those_of_co_simulation(exchange_model, exchange):
    """Compares derivatives by time, with states held, with differences, also off the constraints; co-simulation gives
    the derivatives by time and by states of model exchange at this place."""
    one = exchange(exchange_model)
    fmu = one.fmu
    listed = one.derivatives + fmu.description.outputs
    unknowns, names = [u.variable.valueReference for u in listed], [u.variable.name for u in listed]
    time = fmu.references["time"]
    states = [unknown.variable.derivative.valueReference for unknown in one.derivatives]

    def at(moment):
        one.instance.setTime(moment)
        return one.values(unknowns)

    h, middle = 1e-4, 0.1
    sides = [at(middle + k * h) for k in (-2, -1, 1, 2)]
    expected = (sides[0] - 8 * sides[1] + 8 * sides[2] - sides[3]) / (12 * h)
    at(middle)
    found = numpy.array(one.instance.getDirectionalDerivative(unknowns, [time], [1.0]))
    allowed = 1e-6 * (abs(expected) + 1e-2 * abs(expected).max()) + 1e-12 * (1 + abs(sides[0])) / h
    wrong = numpy.flatnonzero(~(abs(found - expected) <= allowed))
    assert not len(wrong), [(names[i], found[i], expected[i]) for i in wrong[:5]]

    with fmu.instance() as stepped:
        stepped.start()
        stepped.step(0.01)
        one.instance.setTime(0.01)
        one.set(stepped.get(*[unknown.variable.derivative.name for unknown in one.derivatives]))
        one.instance.enterEventMode()  # so that conditions take the branch that holds here
        (one.instance.newDiscreteStates if fmu.version == "2.0" else one.instance.updateDiscreteStates)()
        one.instance.enterContinuousTimeMode()
        modes = [name for name in fmu.names() if name.endswith(".state")]
        if any(one.values([fmu.references[name]]) != stepped.get(name) for name in modes):
            return  # A contact has closed on the way there, and a gap of zero alone closes none.
        for known in [time, *states]:
            outside = numpy.array(one.instance.getDirectionalDerivative(unknowns, [known], [1.0]))
            inside = numpy.array(stepped.slave.getDirectionalDerivative(unknowns, [known], [1.0]))
            assert numpy.allclose(inside, outside, rtol=1e-7, atol=1e-9 * (1 + abs(outside).max())), known


def test_hidden_coordinates_leave_co_simulation_alone(tmp_path):
    text = (ROOT / "models" / "four_bar" / "mechanism.toml").read_text()
    text = text.replace("[mechanism]\n", '[mechanism]\ncoordinates = "absolute"\n', 1)
    (tmp_path / "mechanism.toml").write_text(text)
    done = subprocess.run([ROOT / "build" / "mechfmu", tmp_path, "--output", tmp_path], capture_output=True, text=True,
                          check=True)
    assert "co-simulation only" in done.stdout
    for version in VERSIONS:
        (path,) = (tmp_path / version).glob("*.fmu")
        description = fmpy.read_model_description(str(path))
        assert description.modelExchange is None and description.derivatives == []
        folder = fmpy.extract(str(path), unzipdir=str(tmp_path / f"unpacked_{version}"))
        kind = fmpy.fmi2.FMU2Model if version == "2.0" else fmpy.fmi3.FMU3Model
        instance = kind(guid=description.guid, unzipDirectory=folder, instanceName="exchange",
                        modelIdentifier=description.coSimulation.modelIdentifier)
        messages = []
        with pytest.raises(Exception, match="instantiate"):
            if version == "2.0":  # FMPy's own callbacks share a logger with all other instances.
                callbacks = fmpy.fmi2.fmi2CallbackFunctions()
                callbacks.logger = fmpy.fmi2.fmi2CallbackLoggerTYPE(
                    lambda *told, into=messages: into.append(told[4].decode()))
                callbacks.allocateMemory = fmpy.fmi2.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
                callbacks.freeMemory = fmpy.fmi2.fmi2CallbackFreeMemoryTYPE(fmpy.free)
                instance.instantiate(callbacks=callbacks)
            else:
                instance.instantiate(logMessage=lambda *told, into=messages: into.append(told[3].decode()))
        assert len(messages) == 1 and "there is no model exchange" in messages[0]
        instance.freeLibrary()
