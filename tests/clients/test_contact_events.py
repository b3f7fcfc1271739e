"""Tests events of contacts in co-simulation of FMI 3: event mode, early return, discrete variables, saved states."""

import math

import fmpy
import fmpy.fmi3
import pytest
from fmpy.fmi1 import FMICallException

from fmu import Fmu
from test_contacts import BALL, SHAFTS, exported

FALL, SPEED = math.sqrt(2 / 9.81), math.sqrt(2 * 9.81)


@pytest.fixture(scope="module")
def ball(tmp_path_factory):
    return Fmu(exported(tmp_path_factory, "Ball", BALL)["3.0"], tmp_path_factory.mktemp("unpacked"))


@pytest.fixture(scope="module")
def shafts(tmp_path_factory):
    return Fmu(exported(tmp_path_factory, "Shafts", SHAFTS)["3.0"], tmp_path_factory.mktemp("unpacked"))


class Stepped:
    """Is an instance with or without event mode and early return, which goes on as the standard says."""

    def __init__(self, fmu, events=True, early=True, method=None, **values):
        self.fmu, self.messages, self.time = fmu, [], 0.0
        self.slave = fmpy.fmi3.FMU3Slave(guid=fmu.description.guid, unzipDirectory=fmu.folder, instanceName="stepped",
                                         modelIdentifier=fmu.description.coSimulation.modelIdentifier)
        self.slave.instantiate(eventModeUsed=events, earlyReturnAllowed=early,
                               logMessage=lambda *told: self.messages.append(told[3].decode()))
        self.set(**values)
        if method is not None:
            self.slave.setInt64([fmu.references["solver.method"]], [fmu.item("solver.method", method)])
        self.slave.enterInitializationMode(startTime=0.0)
        self.slave.exitInitializationMode()
        if events:
            self.pass_event()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.slave.freeInstance()

    def set(self, **values):
        if values:
            self.slave.setFloat64([self.fmu.references[name] for name in values], list(values.values()))

    def get(self, *names):
        values = self.slave.getFloat64([self.fmu.references[name] for name in names])
        return values[0] if len(names) == 1 else list(values)

    def pass_event(self):
        assert self.slave.updateDiscreteStates() == (False, False, False, False, False, math.inf)
        self.slave.enterStepMode()

    def step(self, end):
        """Makes one call; returns whether it needs event handling, and whether it returned early."""
        event, terminates, early, self.time = self.slave.doStep(self.time, end - self.time)
        assert not terminates and early == (self.time < end)
        return event, early

    def run(self, end):
        """Returns the times of events."""
        times = []
        while self.time < end:
            event, _ = self.step(end)
            if event:
                times.append(self.time)
                self.slave.enterEventMode()
                self.pass_event()
        return times


def test_a_step_ends_at_an_event_and_event_mode_passes_it(ball):
    with Stepped(ball, x_rate_start=0) as one:
        assert one.step(1) == (True, True)
        assert one.time == pytest.approx(FALL, rel=1e-8)
        before = ["der(y)", "floor.state", "floor.normal.impulse", "solver.events"]
        assert one.get(*before) == pytest.approx([-SPEED, 0, 0, 0], rel=1e-8)
        one.slave.enterEventMode()
        assert one.get(*before) == pytest.approx([-SPEED, 0, 0, 0], rel=1e-8)
        one.pass_event()
        assert one.get(*before) == pytest.approx([SPEED / 2, 0, 1.5 * 2 * SPEED, 1], rel=1e-8)


def test_events_lead_where_steps_without_them_lead(ball, shafts):
    for fmu, values in ((ball, {}), (shafts, {"pressure": 1})):
        names = [name for name in fmu.names() if not name.startswith("solver.")] + ["solver.events"]
        with Stepped(fmu, **values) as one, Stepped(fmu, events=False, early=False, **values) as plain:
            times = []
            for i in range(1, 31):
                times += one.run(0.1 * i)
                plain.step(0.1 * i)
            assert times == sorted(times) and len(times) >= 2
            assert one.get(*names) == pytest.approx(plain.get(*names), rel=1e-6, abs=1e-8)


def test_without_early_return_a_step_says_that_something_has_changed(ball):
    with Stepped(ball, early=False) as one:
        assert one.step(0.4) == (False, False)
        assert one.step(0.6) == (True, False)
        assert one.get("solver.events") == 1
        assert one.step(0.7) == (False, False)  # The event was told.
    with Stepped(ball, events=False) as one:
        assert one.step(3) == (False, False)
    with Stepped(ball, early=True, x_rate_start=0) as one:
        one.slave.enterEventMode()
        one.pass_event()
        assert one.step(0.1) == (False, False)


def test_fixed_steps_end_where_they_were_to(ball):
    with Stepped(ball, method="rk4") as one:
        assert one.step(0.4) == (False, False)
        assert one.step(0.5) == (True, False)
        assert one.get("floor.normal.impulse") > 0


def test_an_event_that_waits_has_to_be_passed(ball):
    with Stepped(ball) as one:
        one.step(1)
        with pytest.raises(FMICallException):
            one.step(2)
        assert "a contact is about to change" in one.messages[-1] and "enter event mode first" in one.messages[-1]


def test_an_event_that_waits_is_part_of_saved_states(ball):
    names = ball.names()
    with Stepped(ball) as one, Stepped(ball) as other, Stepped(ball, events=False) as plain:
        one.step(1)
        state, time = one.slave.getFMUState(), one.time
        waiting = one.get(*names)
        for instance in (one, other):
            instance.slave.setFMUState(state)
            instance.time = time
            assert instance.get(*names) == waiting
            instance.slave.enterEventMode()
            instance.pass_event()
        assert one.get(*names) == other.get(*names)
        one.run(1.2)
        other.run(1.2)
        assert one.get(*names) == other.get(*names)
        plain.slave.setFMUState(state)
        plain.time = time
        plain.step(1.2)
        assert plain.get("solver.events", "y") == pytest.approx(one.get("solver.events", "y"), rel=1e-7)


def test_inputs_set_in_event_mode_change_what_holds(shafts):
    with Stepped(shafts) as one:
        one.run(1)
        one.slave.enterEventMode()
        one.set(locked=1)
        assert one.get("coupling.park.state", "der(A.angle)") == pytest.approx([2, 0], abs=1e-12)
        assert one.get("coupling.park.impulse") == pytest.approx(-20)
        one.pass_event()
        one.run(2)
        one.slave.enterEventMode()
        one.set(locked=0)
        one.pass_event()
        assert one.get("coupling.park.state") == 0


def test_fmpy_runs_with_event_mode_and_early_return(ball):
    for early in (False, True):
        rows = fmpy.simulate_fmu(str(ball.path), fmi_type="CoSimulation", stop_time=3, output_interval=0.1,
                                 use_event_mode=True, early_return_allowed=early,
                                 output=["y", "floor.state", "solver.events"])
        assert rows["floor.state"][-1] == 2 and abs(rows["y"][-1]) < 1e-12
        assert 10 < rows["solver.events"][-1] < 40
