"""Tests that states saved between events, at events and at rest continue with the same bits: in the instance that was
saved, and in another one that gets the state as bytes."""

import itertools

import pytest

from fmu import Fmu
from test_contact_events import Stepped
from test_contacts import BALL, SHAFTS, exported

CASES = {"Ball": (BALL, {}, 3), "Shafts": (SHAFTS, {"pressure": 1, "locked": 0}, 4)}


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    return {name: exported(tmp_path_factory, name, text) for name, (text, _, _) in CASES.items()}


@pytest.fixture(params=CASES)
def name(request):
    return request.param


@pytest.fixture
def events(cases, name, tmp_path):
    """Returns the times of the first 20 events, and the end."""
    _, values, end = CASES[name]
    with Stepped(Fmu(cases[name]["3.0"], tmp_path / "probe"), **values) as one:
        return [*one.run(end)[:20], end]


def test_a_state_between_events_continues_with_the_same_bits(cases, name, events, version, tmp_path):
    """Saves in the middle between two events, and where an event has just been; each state sees all further ones."""
    values = CASES[name][1]
    points = sorted({point for a, b in itertools.pairwise([0, *events]) for point in ((a + b) / 2, b)})
    fmu = Fmu(cases[name][version], tmp_path)

    def follow(instance, points):
        rows = []
        for point in points:
            instance.step_to(point)
            rows.append(instance.everything())
        return rows

    with fmu.instance(**values) as one, fmu.instance() as other:
        one.start()
        saved, rows = [], []
        for point in points:
            saved.append((one.save(), one.time))
            rows += follow(one, [point])
        assert rows[-1]["solver.events"] >= 4
        for i, (state, time) in reversed(list(enumerate(saved))):
            one.restore(state, time)
            assert follow(one, points[i:]) == rows[i:]
            copy = other.from_bytes(one.to_bytes(state))  # The first time it was never initialised.
            other.restore(copy, time)
            assert follow(other, points[i:]) == rows[i:]
            other.discard(copy)
            one.discard(state)


def test_a_state_at_an_event_continues_with_the_same_bits(cases, name, tmp_path):
    """Saves where a step has ended at an event, and in event mode behind it."""
    _, values, end = CASES[name]
    fmu = Fmu(cases[name]["3.0"], tmp_path)
    with Stepped(fmu, **values) as one, Stepped(fmu) as other:
        def copy(state):
            return other.slave.deserializeFMUState(one.slave.serializeFMUState(state))

        waiting, passed = [], []
        while one.time < end:
            needs, _ = one.step(end)
            if not needs:
                continue
            waiting.append((one.slave.getFMUState(), one.time))
            one.slave.enterEventMode()
            one.slave.updateDiscreteStates()
            passed.append((one.slave.getFMUState(), one.time))
            one.slave.enterStepMode()
        times, last = [time for _, time in waiting], one.get(*fmu.names())
        assert len(times) >= 4
        for i, ((before, time), (after, _)) in reversed(list(enumerate(zip(waiting, passed)))):
            for instance, of in ((one, lambda state: state), (other, copy)):
                for state in (before, after):
                    instance.slave.setFMUState(of(state))
                    instance.time = time
                    if state is before:
                        instance.slave.enterEventMode()
                    instance.pass_event()
                    assert instance.run(end) == times[i + 1:]
                    assert instance.get(*fmu.names()) == last
