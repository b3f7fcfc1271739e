"""What a mechanism of redundant constraints says of its reactions: in the log, if asked for, and on its page."""

import zipfile

import fmpy

from fmu import fmu_path

SHARED = "Redundant constraints share the reactions of J0, J1, J2, J3, J4 and J5"


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
