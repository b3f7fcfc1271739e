"""Tests that every resolution, chosen by the importer, meets the model's reference, or says why it cannot. If the file
chooses it, the result is equal."""

import re
import subprocess

import pytest

from fmu import ROOT, Failure, Fmu, read_reference

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


@pytest.mark.parametrize("member", ["qr", "range_space", "null_space_block", "udwadia_kalaba", "kkt"])
def test_the_file_s_choice_is_compiled_and_gives_the_same_bits(tmp_path, fmus, member):
    text = (ROOT / "models" / "slider_crank" / "mechanism.toml").read_text(encoding="utf-8")
    file = tmp_path / "mechanism.toml"
    file.write_text(text.replace("[solver]\n", f'[solver]\ntangent_basis = "{member}"\n'), encoding="utf-8")
    subprocess.run([ROOT / "build_fmu", file, "--fmi", "3", "--no-sources", "--output", tmp_path], check=True)
    results = []
    for fmu in (Fmu(tmp_path / "3.0" / "SliderCrank.fmu", tmp_path / "unpacked"), fmus("slider_crank", "3.0")):
        with fmu.instance(crank_torque=5) as instance:
            instance.set_all({"solver.tangent_basis": member})
            instance.start()
            for i in range(20):
                instance.step_to((i + 1) * 0.05)
            results.append(instance.get("A.angle", "D.position", "side_force", "solver.steps", "solver.evaluations"))
    assert results[0] == results[1]
    assert abs(results[0][0]) > 1
