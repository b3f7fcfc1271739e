"""Tests that every resolution, chosen by the importer, meets the model's reference, or says why it cannot. If the file
chooses it, the result is equal."""

import re
import subprocess

import pytest

from fmu import MECHANISMS, ROOT, Failure, Fmu, fmu_path, read_reference
from test_derivatives import check_by_inputs, check_by_starts_and_parameters, check_by_time, directional
from test_states import check_rollback

SECTION = (ROOT / "docs" / "method.md").read_text(encoding="utf-8").split("### Ways to resolve the constraints")[1]
MEMBERS = re.findall(r"^\| `(\w+)` \|.*\|(.*)\|$", SECTION.split("\n###")[0], re.MULTILINE)


def test_there_are_members():
    assert len(MEMBERS) >= 16


# This motion passes singular positions. The document says that these members may stop there, depending on where a step
# ends.
MAY_STOP = [("four_bar_windows", member)
            for member in ("coordinate_partitioning", "range_space", "null_space_block", "udwadia_kalaba", "kkt")]


@pytest.mark.parametrize("member, needs", MEMBERS)
def test_the_reference_is_met(fmus, model, member, needs):
    reference = read_reference(model)
    names = [name for name in reference.columns if name != "time"]
    with fmus(model, "3.0").instance(**reference.inputs) as instance:
        instance.set_all({"solver.tangent_basis": member})
        try:
            instance.start(start=reference.time[0])
        except Failure as failure:
            refused = {"ideal": f"'{member}' needs ideal constraints", "regular M": f"'{member}' needs it so",
                       "no constraints of velocities": f"'{member}' finds dependent coordinates from independent ones"}
            assert any(need in needs and message in str(failure) for need, message in refused.items()), failure
            return
        for row, time in enumerate(reference.time):
            try:
                instance.step_to(time)
            except Failure as failure:  # It stops with a reason, and its values until then are right.
                assert (model, member) in MAY_STOP and "singular" in str(failure), failure
                return
            for name, value in zip(names, instance.get(*names) if len(names) > 1 else [instance.get(*names)]):
                expected = reference.columns[name][row]
                assert abs(value - expected) <= reference.bound * (1 + abs(expected)), (name, time)


def exported(model, member, folder):
    """Returns an FMU whose file chooses this resolution."""
    text = (ROOT / "models" / model / "mechanism.toml").read_text(encoding="utf-8")
    text = re.sub("^tangent_basis.*\n", "", text, flags=re.MULTILINE)
    file = folder / "mechanism.toml"
    file.write_text(text.replace("[solver]\n", f'[solver]\ntangent_basis = "{member}"\n'), encoding="utf-8")
    subprocess.run([ROOT / "build_fmu", file, "--fmi", "3", "--no-sources", "--output", folder], check=True)
    return Fmu(folder / "3.0" / fmu_path(model, "3.0").name, folder / "unpacked")


@pytest.mark.parametrize("member", ["qr", "coordinate_partitioning", "range_space", "null_space_block",
                                    "udwadia_kalaba", "kkt"])
def test_the_file_s_choice_is_compiled_and_gives_the_same_bits(tmp_path, fmus, member):
    """Partitions of two constraints are solved by formulas that round in another way."""
    results = []
    for fmu in (exported("slider_crank", member, tmp_path), fmus("slider_crank", "3.0")):
        with fmu.instance(crank_torque=5) as instance:
            instance.set_all({"solver.tangent_basis": member})
            instance.start()
            for i in range(20):
                instance.step_to((i + 1) * 0.05)
            results.append(instance.get("A.angle", "D.position", "side_force", "solver.steps", "solver.evaluations"))
    rounding = 1e-11 if member == "coordinate_partitioning" else 0
    assert results[0] == pytest.approx(results[1], rel=rounding, abs=0)
    assert abs(results[0][0]) > 1


# Each solves for v̇ in its own way: from (q_i, v_i), from a basis, without one. The models have inputs, motions by time,
# friction, orientations and turns.
CHOSEN = {"coordinate_partitioning": ("guided_pendulum", "four_bar", "driven_pendulum", "block_on_ramp",
                                      "double_wishbone", "stewart_platform", "quick_return"),
          "svd": ("four_bar", "gyroscope"), "kkt": ("four_bar", "double_wishbone")}
BY_IMPORTER = [(member, model, False) for member, models in CHOSEN.items() for model in models]
BY_FILE = [("coordinate_partitioning", model, True) for model in ("guided_pendulum", "four_bar")]


@pytest.fixture(params=[*BY_IMPORTER, *BY_FILE], ids=lambda case: f"{case[0]}-{case[1]}{'-by_file' * case[2]}",
                scope="session")
def chosen(request, fmus, tmp_path_factory):
    """Returns a model's name, its FMU, and the setting by which the importer chooses the resolution, or none if the
    file does."""
    member, name, by_file = request.param
    if by_file:
        return name, exported(name, member, tmp_path_factory.mktemp("exported")), {}
    return name, fmus(name, "3.0"), {"solver.tangent_basis": member}


def test_derivatives_by_inputs_agree_with_differences(chosen):
    name, fmu, settings = chosen
    inputs = {key: what.get("start", 0) for key, what in MECHANISMS[name].get("inputs", {}).items()}
    if not inputs:
        pytest.skip("no inputs")
    check_by_inputs(fmu, inputs, **settings)


def test_derivatives_by_time_agree_with_differences(chosen):
    name, fmu, settings = chosen
    check_by_time(fmu, name, **settings)


def test_derivatives_by_starts_and_parameters_agree_with_differences(chosen):
    _, fmu, settings = chosen
    check_by_starts_and_parameters(fmu, **settings)


def test_derivatives_by_states_are_those_of_another_resolution(chosen):
    """A resolution that leads to the same state has the same derivatives there."""
    _, fmu, settings = chosen
    unknowns = [unknown.variable.valueReference for unknown in fmu.description.derivatives + fmu.description.outputs]
    states = [unknown.variable.derivative.valueReference for unknown in fmu.description.derivatives]
    found = []
    for choice in (settings, {"solver.tangent_basis": "partitioned"}):
        with fmu.instance(**{"solver.tolerance": 1e-11}, **choice) as instance:
            instance.start()
            instance.step(0.05)
            found.append([directional(instance.slave, unknowns, [known], [1.0]) for known in states])
    size = max(abs(column).max() for column in found[0])
    for one, other in zip(*found):
        assert one == pytest.approx(other, rel=1e-6, abs=1e-7 * size)


def test_steps_are_repeated_with_the_same_bits(chosen):
    _, fmu, settings = chosen
    check_rollback(fmu, float(fmu.description.defaultExperiment.stopTime) / 13, **settings)
