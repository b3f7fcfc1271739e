"""What a mechanism of redundant constraints says of its reactions: in the log, if asked for, and on its page."""

import zipfile

import fmpy

from fmu import fmu_path

SHARED = "Redundant constraints share J0.reaction.force.x, .y, .z, J0.reaction.torque.x, .z, J1.reaction.force.x"


def messages(model, version, on):
    """What the FMU says while it is initialised."""
    said = []
    path = str(fmu_path(model, version))
    if version == "2.0":
        def logger(environment, name, status, category, text):
            said.append((status, category.decode(), text.decode()))
    else:
        def logger(environment, status, category, text):
            said.append((status, category.decode(), text.decode()))
    fmpy.simulate_fmu(path, stop_time=0.01, debug_logging=on, logger=logger)
    return said


def test_shared_reactions_are_a_warning_for_those_who_ask(version):
    warning = [entry for entry in messages("bricard", version, True) if SHARED in entry[2]]
    assert [(status, category) for status, category, _ in warning] == [(1, "logStatusWarning")]
    assert not messages("bricard", version, False)
    assert not messages("four_bar", version, True)


def test_shared_reactions_are_on_the_page(version):
    with zipfile.ZipFile(fmu_path("bricard", version)) as archive:
        assert SHARED in archive.read("documentation/index.html").decode()


OUT_OF_PLANE = {f"{joint}.reaction.{component}" for joint in "OABC" for component in ("force.z", "torque.x", "torque.y")}


def test_each_variable_tells_whether_it_is_shared():
    description = fmpy.read_model_description(str(fmu_path("four_bar_in_space", "2.0")))
    told = {v.name: v.description or "" for v in description.modelVariables}
    wrenches = {name for name in told if ".reaction." in name}
    for name in wrenches:
        vector, letter = name.rsplit(".", 1)
        shared = sorted(other[-1] for other in OUT_OF_PLANE if other.rsplit(".", 1)[0] == vector)
        are = " is" if len(shared) == 1 else " are"
        assert told[name].endswith(f", of which {' and '.join(shared)}{are} shared by redundant constraints: of least norm")
    assert not any("redundant" in text for name, text in told.items() if name not in wrenches)
