"""Tests model exchange of mechanisms whose contacts, limits and couplings come and go, or whose formulas have
conditions: FMPy's CVode finds their events, and a client of our own does; both get what closed forms and co-simulation
say."""

import ctypes
import math
import zipfile

import fmpy
import fmpy.fmi2
import fmpy.fmi3
import fmpy.validation
import numpy
import pytest
from fmpy.fmi1 import FMICallException
from lxml import etree

from fmu import ROOT, Fmu
from test_contacts import BALL, SHAFTS, exported

BELT = """
[mechanism]
name = "Belt"
[coordinates]
x = { unit = "m", start = 0, rate_start = 0.1 }
y = { unit = "m", start = 0 }
[dynamics]
kinetic_energy = "2*(der(x)^2 + der(y)^2)/2"
potential_energy = "50*x^2/2 + 20*y"
[contacts.belt]
gap = "y"
slip = "der(x) - 0.1"
friction = 0.2
static = 0.4
"""

TEETH = """
[mechanism]
name = "Teeth"
dimension = "planar"
[inputs]
torque = { unit = "N.m", start = 1 }
[bodies.motor]
mass = 1
inertia = 2
[bodies.wheel]
mass = 1
inertia = 3
[joints.A]
type = "revolute"
parent = "ground"
child = "motor"
[joints.B]
type = "revolute"
parent = "ground"
child = "wheel"
angle = { limits = [-1, 1], restitution = 0.4 }
[couplings.teeth]
type = "gear"
first = "A.angle"
second = "B.angle"
ratio = 1
backlash = 0.2
restitution = 0.3
[forces.drive]
type = "joint_force"
coordinate = "A.angle"
value = "torque - 0.5*der(A.angle)"
"""

PUCK = """
[mechanism]
name = "Puck"
[coordinates]
x = { unit = "m", rate_start = 3 }
y = { unit = "m", rate_start = 4 }
z = { unit = "m" }
[dynamics]
kinetic_energy = "(der(x)^2 + der(y)^2 + der(z)^2)*2/2"
potential_energy = "2*9.81*z"
[contacts.table]
gap = "z"
slip = ["der(x)", "der(y)"]
friction = 0.25
"""

# The spring is stiffer on one side, the drag turns with the speed, and the push comes with an input.
SPRING = """
[mechanism]
name = "Spring"
[inputs]
push = { unit = "1" }
[coordinates]
x = { unit = "m", start = 0.1, rate_start = 0.5 }
[dynamics]
kinetic_energy = "2*der(x)^2/2"
[dynamics.forces]
x = "-if(x > 0, 50, 200)*x - 0.4*abs(der(x))*der(x) + if(push > 0.5, 3, 0)"
"""

# The guide rubs with the reaction across it, to which the hanging weight adds; friction in the pin sticks, too.
GUIDE = """
[mechanism]
name = "Guide"
dimension = "planar"
gravity = [0, -9.81]
[inputs]
push = { unit = "N" }
[bodies.block]
mass = 2
inertia = 1
[bodies.weight]
mass = 1
inertia = 0.01
center_of_mass = [0, -0.3]
[joints.S]
type = "prismatic"
parent = "ground"
child = "block"
position = { start = 0, fixed = true, rate_start = 1, rate_fixed = true }
[joints.pin]
type = "revolute"
parent = "block"
child = "weight"
angle = { start = 0.4, fixed = true }
[forces.push_force]
type = "joint_force"
coordinate = "S.position"
value = "push"
[forces.guide]
type = "friction"
coordinate = "S.position"
coulomb = 0.2
static = 0.3
[forces.bearing]
type = "friction"
coordinate = "pin.angle"
coulomb = 0.1
radius = 0.05
"""


def four_bar_with_stop():
    text = (ROOT / "models" / "four_bar" / "mechanism.toml").read_text()
    for formula, number in (("crank_mass*crank_length^2/12", "0.0833"), ("coupler_mass*coupler_length^2/12", "1.302"),
                            ("rocker_mass*rocker_length^2/12", "0.6667")):
        assert f'"{formula}"' in text
        text = text.replace(f'"{formula}"', number)
    return text + '[contacts.stop]\ngap = "2 - D.angle"\nrestitution = 1\n'


TEXTS = {"Ball": BALL, "FourBar": four_bar_with_stop(), "Belt": BELT, "Shafts": SHAFTS, "Teeth": TEETH, "Puck": PUCK,
         "Spring": SPRING, "Guide": GUIDE}
ENDS = {"Ball": 1.9, "FourBar": 5, "Belt": 4.07, "Shafts": 3.97, "Teeth": 3.1, "Puck": 2.9, "Spring": 3.9, "Guide": 3.7}

# Inputs jump at some times: what is after a jump stands behind what is before, at the same time.
INPUTS = {
    "Shafts": numpy.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (2.5, 1, 0), (2.5, 1, 1), (3, 1, 1), (3, 0, 0), (4, 0, 0)],
                          dtype=[("time", float), ("pressure", float), ("locked", float)]),
    "Teeth": numpy.array([(0, 1), (1.3, 1), (1.3, -2), (4, -2)], dtype=[("time", float), ("torque", float)]),
    "Spring": numpy.array([(0, 0), (1.7, 0), (1.7, 1), (4, 1)], dtype=[("time", float), ("push", float)]),
    "Guide": numpy.array([(0, 0), (1.5, 0), (1.5, 12), (4, 12)], dtype=[("time", float), ("push", float)]),
    "Ball": numpy.array([(0, 0), (1.6, 0), (1.6, 4), (4, 4)], dtype=[("time", float), ("push", float)]),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    made = {}

    def path(name, version):
        if name not in made:
            made[name] = exported(tmp_path_factory, name, TEXTS[name])
        return made[name][version]

    return path


def outputs(path):
    return [v.name for v in fmpy.read_model_description(str(path), validate=False).modelVariables
            if v.causality == "output"]


def run(path, name, names, **options):
    end = ENDS[name]
    return fmpy.simulate_fmu(str(path), stop_time=end, output_interval=end / 41, output=names, record_events=False,
                             input=INPUTS.get(name), **options)


@pytest.mark.parametrize("name", TEXTS)
def test_cvode_finds_the_events_of_co_simulation(files, name, version):
    path = files(name, version)
    names = outputs(path)
    expected = run(path, name, names, fmi_type="CoSimulation", start_values={"solver.tolerance": 1e-11})
    errors = []
    for tolerance in (1e-6, 1e-9):
        rows = run(path, name, names, fmi_type="ModelExchange", relative_tolerance=tolerance)
        assert len(rows) == 42
        same = expected[numpy.searchsorted(expected["time"], rows["time"] - 1e-9)]  # has times of inputs, too
        assert numpy.allclose(rows["time"], same["time"], rtol=1e-12)
        errors.append(max(abs(rows[n] - same[n]).max() / (1 + abs(same[n]).max()) for n in names))
    assert errors[1] < 1e-4
    assert errors[1] < errors[0] / 10 or errors[1] < 1e-8


def test_a_bouncing_ball_ends_in_rest(files, version):
    path, fall, speed = files("Ball", version), math.sqrt(2 / 9.81), math.sqrt(2 * 9.81)
    names = ["y", "floor.state", "floor.normal.impulse", "floor.normal.force", "solver.events"]
    rows = fmpy.simulate_fmu(str(path), fmi_type="ModelExchange", stop_time=3, output_interval=0.01, output=names,
                             relative_tolerance=1e-10, start_values={"x_rate_start": 0})
    first = (rows["time"] > fall) & (rows["time"] < 2 * fall - 0.01)
    since = rows["time"][first] - fall
    assert rows["y"][first] == pytest.approx(speed / 2 * since - 9.81 / 2 * since ** 2, abs=1e-8)
    rest = rows["time"] > 3 * fall + 1e-3
    assert (rows["floor.state"][rest] == 2).all() and (rows["floor.state"][~rest][:-5] == 0).all()
    assert abs(rows["y"][rest]).max() < 1e-9
    assert rows["floor.normal.force"][rest] == pytest.approx(2 * 9.81, rel=1e-8)
    assert rows["floor.normal.impulse"][-1] == pytest.approx(2 * speed * 1.5 * 2, rel=1e-3)
    assert rows["solver.events"][-1] < 40


def test_an_importer_that_finds_no_events_within_its_steps_keeps_a_ball_above_the_floor(files, version):
    rows = fmpy.simulate_fmu(str(files("Ball", version)), fmi_type="ModelExchange", solver="Euler", stop_time=3,
                             output_interval=1e-3, output=["y", "floor.state"])
    assert rows["y"].min() > -1e-3 * math.sqrt(2 * 9.81) and rows["floor.state"][-1] == 2
    assert abs(rows["y"][-1]) < 1e-9


def test_indicators_are_described(files, version):
    path = files("Shafts", version)
    assert fmpy.validation.validate_fmu(str(path)) == []
    description = fmpy.read_model_description(str(path))
    wanted = ["C.angle.limit.upper.indicator", "coupling.clutch.indicator", "coupling.freewheel.indicator",
              "coupling.park.indicator"]
    found = [v for v in description.modelVariables if v.name.endswith(".indicator")]
    assert sorted(v.name for v in found) == wanted
    assert description.numberOfEventIndicators == 4
    assert all(v.causality == "local" and v.variability == "continuous" for v in found)
    if version == "3.0":
        assert [u.variable for u in description.eventIndicators] == found
        assert description.coSimulation.mightReturnEarlyFromDoStep
    for name in ("coupling.park.impulse", "coupling.park.state"):
        assert {v.name: v for v in description.modelVariables}[name].variability == "discrete"
    of_conditions = fmpy.read_model_description(str(files("Spring", version)))
    assert [v.name for v in of_conditions.modelVariables if v.name.endswith(".indicator")] == [
        f"solver.condition[{i}].indicator" for i in (1, 2, 3)]
    with_friction = fmpy.read_model_description(str(files("Ball", version)))
    assert with_friction.numberOfEventIndicators == 2


class Importer:
    """Integrates an instance by the classical method of order 4, finds events by halving, and passes them."""

    def __init__(self, fmu, inputs=None):
        self.fmu, self.two = fmu, fmu.version == "2.0"
        kind = fmpy.fmi2.FMU2Model if self.two else fmpy.fmi3.FMU3Model
        self.it = kind(guid=fmu.description.guid, unzipDirectory=fmu.folder, instanceName="importer",
                       modelIdentifier=fmu.description.modelExchange.modelIdentifier)
        self.messages = []
        if self.two:
            self.callbacks = fmpy.fmi2.fmi2CallbackFunctions()
            self.callbacks.logger = fmpy.fmi2.fmi2CallbackLoggerTYPE(
                lambda *told: self.messages.append(told[4].decode()))
            self.callbacks.allocateMemory = fmpy.fmi2.fmi2CallbackAllocateMemoryTYPE(fmpy.calloc)
            self.callbacks.freeMemory = fmpy.fmi2.fmi2CallbackFreeMemoryTYPE(fmpy.free)
            self.it.instantiate(callbacks=self.callbacks, loggingOn=True)
        else:
            self.it.instantiate(loggingOn=True, logMessage=lambda *told: self.messages.append(told[3].decode()))
        for name, value in (inputs or {}).items():
            self.set(name, value)
        if self.two:
            self.it.setupExperiment()
        self.it.enterInitializationMode()
        self.it.exitInitializationMode()
        self.count, self.indicators = len(fmu.description.derivatives), fmu.description.numberOfEventIndicators
        self.time, self.events = 0.0, 0
        self._pass()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.it.freeInstance()

    def set(self, name, value):
        (self.it.setReal if self.two else self.it.setFloat64)([self.fmu.references[name]], [value])

    def get(self, *names):
        values = (self.it.getReal if self.two else self.it.getFloat64)([self.fmu.references[name] for name in names])
        return values[0] if len(names) == 1 else list(values)

    def _array(self, function, count):
        numbers = numpy.zeros(count)
        function(numbers.ctypes.data_as(ctypes.POINTER(ctypes.c_double)), count)
        return numbers

    def states(self):
        return self._array(self.it.getContinuousStates, self.count)

    def found(self):
        return self._array(self.it.getEventIndicators, self.indicators)

    def place(self, time, states):
        self.it.setTime(time)
        self.it.setContinuousStates(numpy.ascontiguousarray(states).ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
                                    self.count)

    def rates(self, time, states):
        self.place(time, states)
        return self._array(self.it.getDerivatives if self.two else self.it.getContinuousStateDerivatives, self.count)

    def step(self, x, h):
        t = self.time
        k_1 = self.rates(t, x)
        k_2 = self.rates(t + h / 2, x + h / 2 * k_1)
        k_3 = self.rates(t + h / 2, x + h / 2 * k_2)
        k_4 = self.rates(t + h, x + h * k_3)
        self.place(t + h, x + h / 6 * (k_1 + 2 * k_2 + 2 * k_3 + k_4))
        return (self.found() <= 0).any()

    def run(self, end, h=0.01):
        while self.time < end - 1e-12:
            x, late = self.states(), min(h, end - self.time)
            event = self.step(x, late)
            early = 0.0
            while event and late - early > 1e-13:
                middle = (early + late) / 2
                early, late = (early, middle) if self.step(x, middle) else (middle, late)
            if event:
                self.step(x, late)
            self.time += late
            assert self.it.completedIntegratorStep() == (event, False)
            if event:
                self.it.enterEventMode()
                before = self.states()
                changed = self._pass()
                assert changed == (self.states() != before).any()
                self.events += 1

    def _pass(self):
        """Passes an event; returns whether states have changed."""
        update = self.it.newDiscreteStates if self.two else self.it.updateDiscreteStates
        again, end, nominals, changed, defined, _ = update()
        assert not (again or end or nominals or defined)
        assert not update()[3]
        assert (self.found() > 0).all()
        self.it.enterContinuousTimeMode()
        return changed

    def save(self):
        return self.it.getFMUstate() if self.two else self.it.getFMUState()

    def restore(self, state):
        (self.it.setFMUstate if self.two else self.it.setFMUState)(state)


def test_states_go_back_across_events(files, version, tmp_path):
    fmu = Fmu(files("Teeth", version), tmp_path)
    names = fmu.names()
    with Importer(fmu) as one, Importer(fmu) as other:
        states, values = [], []
        ends = [0.15 * i for i in range(21)]
        for end in ends[1:]:
            states.append((one.save(), one.time))
            values.append(one.get(*names))
            one.run(end)
        values.append(one.get(*names))
        assert one.events > 4
        for (state, time), end, value, next_value in list(zip(states, ends[1:], values, values[1:]))[::-1]:
            other.restore(state)
            other.time = time
            assert other.get(*names) == value
            other.run(end)
            assert other.get(*names) == next_value


def test_a_parameter_may_change_where_a_step_has_passed_a_gap(files, version, tmp_path):
    """The ball lands as it would have without the change; its next rebound has the new restitution."""
    with Importer(Fmu(files("Ball", version), tmp_path)) as one:
        one.run(0.45)
        one.step(one.states(), 0.01)
        assert one.get("y") < -0.01
        one.time += 0.01
        assert one.it.completedIntegratorStep() == (True, False)
        one.it.enterEventMode()
        one.set("e", 0.25)
        assert one._pass()
        fall = one.get("floor.normal.impulse") / 2 / 1.5
        assert one.get("y") == pytest.approx(0, abs=1e-9) and one.get("der(y)") == pytest.approx(fall / 2, rel=1e-9)
        one.run(one.time + 2 * fall / 2 / 9.81 + 0.01)
        assert one.get("floor.normal.impulse") == pytest.approx(2 * (1.5 + 0.5 * 1.25) * fall, rel=1e-6)


def test_an_input_that_jumps_in_event_mode_changes_what_holds(files, version, tmp_path):
    with Importer(Fmu(files("Ball", version), tmp_path)) as one:
        one.run(1.6, 0.02)
        assert one.get("floor.state") == 2
        one.it.enterEventMode()
        one.set("push", 4)
        assert one.get("floor.state", "floor.friction.force") == pytest.approx([1, -0.1 * 2 * 9.81])
        one._pass()
        assert one.get("floor.state") == 1
        # In continuous-time mode it acts at once, and the indicator says what follows.
        one.it.enterEventMode()
        one.set("push", 0)
        one._pass()
        one.run(3, 0.02)
        assert one.get("floor.state") == 2
        one.set("push", 4)
        assert one.get("floor.friction.indicator") < 0 and one.get("floor.friction.force") == pytest.approx(-4)
        one.run(3.1)
        assert one.get("floor.state") == 1


@pytest.mark.parametrize("name", ("Ball", "Belt", "Teeth", "Puck", "Shafts"))
def test_derivatives_hold_the_modes(files, name, version, tmp_path):
    """Compares derivatives by states, inputs and time with differences, also off the rows that hold."""
    fmu = Fmu(files(name, version), tmp_path)
    with Importer(fmu) as one:
        for end in (0.3, 0.7, 1.1):
            one.run(end)
            check_derivatives(fmu, one)


def check_derivatives(fmu, one):
    unknowns = [u.variable.valueReference for u in fmu.description.derivatives + fmu.description.outputs]
    states = [u.variable.derivative.valueReference for u in fmu.description.derivatives]
    inputs = fmu.names(causality="input")
    knowns = states + [fmu.references[n] for n in inputs] + [fmu.references["time"]]
    here = one.states()
    at = numpy.concatenate([here + 1e-4 * numpy.cos(numpy.arange(one.count)),
                            numpy.atleast_1d(one.get(*inputs)) if inputs else [], [one.time]])

    def values(point):
        one.place(point[-1], point[:one.count])
        for given, value in zip(inputs, point[one.count:-1]):
            one.set(given, value)
        return numpy.array((one.it.getReal if one.two else one.it.getFloat64)(unknowns))

    for j, known in enumerate(knowns):
        h = 1e-4
        sides = [values(at + k * h * (numpy.arange(len(at)) == j)) for k in (-2, -1, 1, 2)]
        expected = (sides[0] - 8 * sides[1] + 8 * sides[2] - sides[3]) / (12 * h)
        values(at)
        found = numpy.array(one.it.getDirectionalDerivative(unknowns, [known], [1.0]))
        assert numpy.allclose(found, expected, rtol=1e-6, atol=1e-6 * (1 + abs(expected).max())), known
    values(numpy.concatenate([here, at[one.count:]]))
    for indicator in (n for n in fmu.names() if n.endswith(".indicator")):
        with pytest.raises(FMICallException):
            one.it.getDirectionalDerivative([fmu.references[indicator]], [states[0]], [1.0])
        assert "has no derivatives" in one.messages[-1]


def test_what_laws_compare_is_a_dependency(files, version):
    """An input that makes a lock hold, or friction slide, changes in event mode what is accelerated."""
    description = fmpy.read_model_description(str(files("Shafts", version)))
    listed = {u.variable.name: {known.name for known in u.dependencies}
              for u in description.derivatives + description.outputs}
    for value in ("der(A.angle,2)", "der(C.angle,2)", "coupling.park.multiplier", "coupling.clutch.multiplier"):
        assert listed[value] >= {"locked", "pressure", "A.angle_rate"}, value


def test_no_dependency_on_a_state_is_missing(files, version, tmp_path):
    """Also off the rows that hold all values that change with a state depend on it."""
    for name in ("Ball", "Teeth", "Puck"):
        fmu = Fmu(files(name, version), tmp_path / name)
        with Importer(fmu) as one:
            for end in (0.3, 1.1, 1.6):
                one.run(end)
                listed = fmu.description.derivatives + fmu.description.outputs
                references = [u.variable.valueReference for u in listed]
                get = one.it.getReal if one.two else one.it.getFloat64
                here = one.states()
                origin = here + 1e-4 * numpy.sin(numpy.arange(one.count) + 1.0)
                one.place(one.time, origin)
                before = numpy.array(get(references))
                for i, unknown in enumerate(fmu.description.derivatives):
                    one.place(one.time, origin + 1e-4 * (numpy.arange(one.count) == i))
                    changed = abs(numpy.array(get(references)) - before) > 1e-7 * (1 + abs(before))
                    for number in numpy.flatnonzero(changed):
                        depends = {known.name for known in listed[number].dependencies or ()}
                        assert listed[number].dependencies is None or unknown.variable.derivative.name in depends
                one.place(one.time, here)


def test_wrong_counts_of_indicators_are_refused(files, version, tmp_path):
    with Importer(Fmu(files("Ball", version), tmp_path)) as one:
        with pytest.raises(FMICallException):
            one._array(one.it.getEventIndicators, 1)
        assert "there are 2 event indicators, not 1" in one.messages[-1]


def test_the_schema_orders_indicators_last(files):
    with zipfile.ZipFile(files("Shafts", "3.0")) as archive:
        structure = etree.fromstring(archive.read("modelDescription.xml")).find("ModelStructure")
    assert [element.tag for element in structure][-4:] == ["EventIndicator"] * 4
