"""Tests an FMU's messages about a start that cannot be found: they use the file's units, points and lengths."""

import math

import fmpy
import pytest
from fmpy.fmi1 import FMICallException

from fmu import fmu_path


def errors(model, version, start_values):
    said = []
    if version == "2.0":
        def logger(environment, name, status, category, text):
            said.append(text.decode())
    else:
        def logger(environment, status, category, text):
            said.append(text.decode())
    with pytest.raises(FMICallException):
        fmpy.simulate_fmu(str(fmu_path(model, version)), stop_time=0.01, start_values=start_values, logger=logger,
                          debug_logging=True)
    return "\n".join(said)


def test_a_loop_that_cannot_close_is_told_with_its_points_and_lengths(version):
    # The ground's pins are 3 m apart, and the links have 1, 1.2 and 0.5 m: stretched they are 0.3 m too short.
    said = errors("four_bar", version, {"coupler_length": 1.2, "rocker_length": 0.5})
    assert ("at the joint 'C' the pins coupler.C and rocker.C stay 0.3 m apart; the links of 1.2 m (coupler), "
            "1 m (crank), 3 m (ground) and 0.5 m (rocker) lie between") in said
    assert "No start of 24 tries reaches further, not even with nothing fixed" in said
    assert "SI" not in said


def test_a_fixed_start_out_of_reach_is_told_with_one_within_reach(version):
    # Coupler and rocker together have 2.8 m; the pins of crank and ground may be so far apart.
    said = errors("four_bar", version, {"coupler_length": 0.8, "A.angle_start": 3.0})
    assert "the pins coupler.C and rocker.C stay" in said
    farthest = math.acos((1 + 3**2 - 2.8**2) / (2 * 1 * 3))
    assert f"The fixed start 'A.angle' = 3 rad cannot be reached: at most {farthest:.6g} rad." in said
    assert "over-determine" not in said
