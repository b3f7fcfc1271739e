"""Every way to resolve the constraints, chosen by the importer, meets the model's reference, or says why it cannot."""

import re

import pytest

from fmu import Failure, ROOT, read_reference

SECTION = (ROOT / "docs" / "method.md").read_text(encoding="utf-8").split("### Ways to resolve the constraints")[1]
MEMBERS = re.findall(r"^\| `(\w+)` \|.*\|(.*)\|$", SECTION.split("\n###")[0], re.MULTILINE)


def test_there_are_members():
    assert len(MEMBERS) >= 15


@pytest.mark.parametrize("member, needs", MEMBERS)
def test_the_reference_is_met(fmus, model, member, needs):
    reference = read_reference(model)
    names = [name for name in reference.columns if name != "time"]
    with fmus(model, "3.0").instance(**reference.inputs) as instance:
        instance.set_all({"solver.tangent_basis": member})
        try:
            instance.start(start=reference.time[0])
        except Failure as failure:
            assert "ideal" in needs and f"'{member}' needs ideal constraints" in str(failure)
            return
        for row, time in enumerate(reference.time):
            instance.step_to(time)
            for name, value in zip(names, instance.get(*names) if len(names) > 1 else [instance.get(*names)]):
                expected = reference.columns[name][row]
                assert abs(value - expected) <= reference.bound * (1 + abs(expected)), (name, time)
