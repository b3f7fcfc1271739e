"""Tests saved states, reset, starts and settings of exported FMUs."""

import pytest

from fmu import Failure


def run(instance, h, steps=5):
    rows = []
    for _ in range(steps):
        instance.step(h)
        rows.append(instance.everything())
    return rows


@pytest.fixture
def h(fmu):
    return float(fmu.description.defaultExperiment.stopTime) / 13


def test_a_step_rolled_back_and_repeated_gives_the_same_bits(fmu, h):
    check_rollback(fmu, h)


def check_rollback(fmu, h, **settings):
    """Restores and repeats steps in the instance with these settings, and in a fresh one without them: a state knows
    them."""
    with fmu.instance(**settings) as instance, fmu.instance() as fresh:
        instance.start()
        run(instance, h, 2)
        state, time, before = instance.save(), instance.time, instance.everything()
        first = run(instance, h)
        instance.restore(state, time)
        assert instance.everything() == before
        assert run(instance, h) == first

        data = instance.to_bytes(state)
        instance.discard(state)
        state = fresh.from_bytes(data)  # was never initialised
        fresh.restore(state, time)
        assert fresh.everything() == before
        assert run(fresh, h) == first
        fresh.discard(state)


def test_a_state_from_initialization_mode_can_be_continued(fmu, h):
    with fmu.instance() as instance:
        instance.enter()
        state = instance.save()
        instance.exit()
        first = run(instance, h, 2)
        instance.restore(state, 0.0)
        instance.exit()
        assert run(instance, h, 2) == first
        instance.discard(state)


def test_altered_bytes_are_refused(fmu):
    with fmu.instance() as instance:
        instance.start()
        state = instance.save()
        data = bytearray(instance.to_bytes(state))
        instance.discard(state)
        data[len(data) // 2] ^= 1
        with pytest.raises(Failure, match="damaged"):
            instance.from_bytes(bytes(data))


def test_reset_makes_an_instance_as_good_as_new(fmu, h):
    with fmu.instance() as used, fmu.instance() as fresh:
        used.set_all({"solver.tolerance": 1e-5, "solver.method": "dop853"})
        used.start(start=1.0)
        run(used, h, 2)
        used.reset()
        for instance in (used, fresh):
            instance.start()
        assert run(used, h) == run(fresh, h)


def test_reset_helps_after_an_error(fmu, h):
    with fmu.instance() as instance:
        instance.start()
        with pytest.raises(Failure, match="communicationStepSize"):
            instance.step(-1.0)
        with pytest.raises(Failure, match="not allowed while"):
            instance.step(h)
        instance.reset()
        instance.start()
        run(instance, h, 1)


def test_looking_changes_nothing(fmu, h):
    with fmu.instance() as looked, fmu.instance() as silent:
        looked.enter()
        looked.everything()
        looked.exit()
        silent.start()
        run(looked, h)
        for _ in range(5):
            silent.step(h)
        assert looked.everything() == silent.everything()


def test_starts_are_consistent_and_fixed_ones_hold(fmu):
    starts = [name for name in fmu.names(causality="parameter") if name.endswith("_start")]
    with fmu.instance() as instance:
        instance.enter()
        assert instance.get("solver.position_violation") < 1e-9
        for name in starts:
            if "held exactly" not in fmu.variables[name].description:
                continue
            rate = name.endswith("_rate_start")
            coordinate = name.removesuffix("_rate_start" if rate else "_start")
            found, given = instance.get(f"der({coordinate})" if rate else coordinate, name)
            assert found == pytest.approx(given, rel=1e-12, abs=1e-12)


def test_guesses_can_be_moved_and_the_start_stays_consistent(fmu):
    guesses = [name for name in fmu.names(causality="parameter")
               if name.endswith("_start") and "a guess" in fmu.variables[name].description]
    with fmu.instance() as instance:
        instance.enter()
        for name in guesses:
            instance.set_all({name: float(fmu.variables[name].start) + 1e-3})
            assert instance.get("solver.position_violation") < 1e-9
            assert instance.get("solver.velocity_violation") < 1e-9
        instance.exit()


def starts_of_states(fmu):
    return {name: float(fmu.variables[name].start) for name in fmu.names(initial="approx")}


def is_guess(start):
    return start.causality == "parameter" and "a guess" in start.description


def bits_at_start(fmu, **values):
    """Returns all values in initialization mode after setting values, name by name in this order."""
    with fmu.instance() as instance:
        for name, value in values.items():
            instance.set_all({name: value})
        instance.enter()
        return instance.everything(), instance.messages


def test_importers_that_set_all_starts_of_states_change_nothing(fmu):
    """Importers change neither what the file says nor what their users set."""
    assert bits_at_start(fmu, **starts_of_states(fmu)) == bits_at_start(fmu)
    users = {f"{name}_start": float(fmu.variables[f"{name}_start"].start) + 1e-3 for name in starts_of_states(fmu)
             if is_guess(fmu.variables[f"{name}_start"])}
    expected = bits_at_start(fmu, **users)
    assert bits_at_start(fmu, **starts_of_states(fmu), **users) == expected
    assert bits_at_start(fmu, **users, **starts_of_states(fmu)) == expected


def test_a_start_of_a_state_is_a_guess(fmu):
    """A start set on a state acts like the start parameter; if that is no guess, it has no effect, with a warning."""
    for name, start in starts_of_states(fmu).items():
        parameter = fmu.variables[f"{name}_start"]
        by_state, messages = bits_at_start(fmu, **{name: start + 1e-3})
        if is_guess(parameter):
            by_parameter, _ = bits_at_start(fmu, **{parameter.name: start + 1e-3})
            by_parameter[parameter.name] = float(parameter.start)
            assert by_state == by_parameter and messages == []
        else:
            assert by_state == bits_at_start(fmu)[0]
            (message,) = messages
            assert f"{name} = " in message and f"is ignored, since {name}_start says" in message


def test_the_tolerance_that_the_importer_sets_goes_first(fmu):
    with fmu.instance() as instance:
        instance.set_all({"solver.tolerance": 1e-5})
        instance.enter(tolerance=1e-6)
        assert instance.get("solver.tolerance") == 1e-5
    with fmu.instance() as instance:
        instance.enter(tolerance=1e-6)
        assert instance.get("solver.tolerance") == 1e-6
    with fmu.instance() as instance:
        instance.enter()
        assert instance.get("solver.tolerance") == float(fmu.variables["solver.tolerance"].start)


def test_stop_time_is_the_end(fmu, h):
    with fmu.instance() as instance:
        instance.start(stop=h)
        instance.step(h)
        with pytest.raises(Failure, match="stop time"):
            instance.step(h)


def test_a_start_that_cannot_be_assembled_is_an_error_that_names_the_constraint(fmus, version):
    with fmus("simple_pendulum", version).instance() as instance:
        instance.set_all({"y_start": 5.0})  # The file holds it there, but the bar is 1 m long.
        instance.enter()
        with pytest.raises(Failure, match=r"no consistent start(.|\n)*bar"):
            instance.get("x")
        instance.reset()
        instance.start()


def test_settings_that_make_no_sense_are_refused(fmus, version):
    fmu = fmus("simple_pendulum", version)
    for wrong, reason in [({"solver.method": "euler"}, "dopri5"), ({"solver.tolerance": -1.0}, "below its min, 0"),
                          ({"solver.step": 0.0}, "positive"), ({"solver.steps": 1.0}, "cannot be set"),
                          ({"constraint.bar.multiplier": 1.0}, "output")]:
        with fmu.instance() as instance, pytest.raises(Failure, match=reason):
            instance.set_all(wrong)
