"""Tests what an importer may choose of drift correction, and what it sees of the drift."""

import pytest

from fmu import Failure


def run(fmu, names, steps=50, **settings):
    """Returns rows of values at the ends of communication steps of 0.05 s."""
    with fmu.instance(**settings) as instance:
        instance.start()
        rows = []
        for _ in range(steps):
            instance.step(0.05)
            rows.append(instance.get(*names))
        return rows


def test_what_is_left_open_is_shown_for_each_constraint(fmus, version):
    names = ("solver.position_violation", "constraint.closure_x.violation", "constraint.closure_y.violation")
    rows = run(fmus("four_bar_equations", version), names,
               **{"solver.drift_correction": "none", "solver.tolerance": 1e-5})
    for largest, x, y in rows:
        assert largest == max(abs(x), abs(y))
    assert rows[-1][0] > 1e-9


def test_what_is_left_open_is_shown_for_each_cut_joint(fmus, version):
    rows = run(fmus("four_bar", version), ("solver.position_violation", "C.violation"),
               **{"solver.drift_correction": "none", "solver.tolerance": 1e-5})
    for largest, distance in rows:  # The joint has two equations, along x and y.
        assert largest <= distance * (1 + 1e-12) and distance <= 2**0.5 * largest * (1 + 1e-12)
    assert rows[-1][0] > 1e-9


def test_correction_may_wait_for_a_bound_or_for_a_number_of_steps(fmus, version):
    fmu = fmus("four_bar_equations", version)
    gap = ("solver.closure_gap",)
    bounded = run(fmu, gap, **{"solver.tolerance": 1e-6, "solver.drift_interval": 0, "solver.drift_bound": 1e-6})
    counted = run(fmu, gap, **{"solver.tolerance": 1e-6, "solver.drift_interval": 3})
    always = run(fmu, gap, **{"solver.tolerance": 1e-6})
    assert 1e-9 < max(bounded) <= 1e-6
    assert max(counted) > 1e-12 and min(counted) < 1e-14
    assert max(always) < 1e-14


@pytest.mark.parametrize("setting", ("solver.drift_interval", "solver.drift_bound"))
def test_negative_settings_are_refused(fmus, version, setting):
    with fmus("four_bar_equations", version).instance() as instance, pytest.raises(Failure, match="below its min"):
        instance.set_all({setting: -1.0})
