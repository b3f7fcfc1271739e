"""Tests how modelDescription.xml is arranged, beyond the standard (test_conformity.py), for importers that need it
so."""

import os
import re
import subprocess
import zipfile

from lxml import etree

from fmu import MECHANISMS, ROOT, VERSIONS, fmu_path


def description(model, version):
    with zipfile.ZipFile(fmu_path(model, version)) as archive:
        return etree.fromstring(archive.read("modelDescription.xml"))


def variables(root):
    """Returns (name, value reference, attributes, start) in order, for both versions."""
    result = []
    for element in root.find("ModelVariables"):
        attributes = dict(element.attrib)
        if element.tag == "ScalarVariable":
            attributes |= element[0].attrib
            kind = element[0].tag
        else:
            kind = element.tag
        result.append((attributes["name"], int(attributes["valueReference"]), attributes, kind))
    return result


def structure(root):
    """Returns outputs, derivatives of states and initial unknowns: lists of (reference, dependencies)."""
    found = {"Outputs": [], "Derivatives": [], "InitialUnknowns": []}
    for element in root.find("ModelStructure").iter("Unknown", "Output", "ContinuousStateDerivative", "InitialUnknown"):
        tag = element.tag.removeprefix("ContinuousState")
        kind = element.getparent().tag if tag == "Unknown" else tag + "s"
        reference = int(element.get("index") or element.get("valueReference"))
        dependencies = element.get("dependencies")
        assert dependencies is not None, "missing dependencies mean dependence on everything"
        found[kind].append((reference, [int(x) for x in dependencies.split()]))
    return found


def states(root):
    """Returns the references of the states whose derivatives are listed."""
    derived = {reference: int(attributes["derivative"]) for _, reference, attributes, _ in variables(root)
               if "derivative" in attributes}
    return {derived[reference] for reference, _ in structure(root)["Derivatives"]}


def test_value_references_are_positions_in_both_versions_alike(model):
    lists = [[(name, reference) for name, reference, _, _ in variables(description(model, v))] for v in VERSIONS]
    assert lists[0] == lists[1]
    assert [reference for _, reference in lists[0]] == list(range(1, len(lists[0]) + 1))
    assert lists[0][0][0] == "time"


def test_attributes_are_the_same_in_both_versions(model):
    shared = ("causality", "variability", "initial", "unit", "min", "max", "start", "description")
    lists = [[(name, [attributes.get(key) for key in shared]) for name, _, attributes, _ in
              variables(description(model, v))] for v in VERSIONS]
    assert lists[0] == lists[1]


def test_outputs_and_initial_unknowns_are_listed_once_and_ascending(model, version):
    root = description(model, version)
    found = structure(root)
    by_causality = {}
    for _, reference, attributes, _ in variables(root):
        by_causality.setdefault(attributes["causality"], []).append(reference)
    assert [r for r, _ in found["Outputs"]] == by_causality["output"]
    expected = set(by_causality["output"]) | set(by_causality.get("calculatedParameter", []))
    expected |= states(root) | {reference for reference, _ in found["Derivatives"]}
    assert [r for r, _ in found["InitialUnknowns"]] == sorted(expected)


def test_dependencies_are_ascending_knowns(model, version):
    root = description(model, version)
    table = {reference: attributes for _, reference, attributes, _ in variables(root)}
    allowed = {"2.0": {"input", "independent"}, "3.0": {"input", "independent", "parameter"}}[version]
    known_states = states(root)
    for _, dependencies in structure(root)["Outputs"] + structure(root)["Derivatives"]:
        assert dependencies == sorted(set(dependencies))
        assert {table[d]["causality"] for d in dependencies if d not in known_states} <= allowed
    for _, dependencies in structure(root)["InitialUnknowns"]:
        assert dependencies == sorted(set(dependencies))
        for d in dependencies:  # An initial unknown never depends on another one.
            assert table[d]["causality"] in {"input", "parameter", "independent"}


def test_coordinates_do_not_feed_through(model, version):
    root = description(model, version)
    names = {reference: name for name, reference, _, _ in variables(root)}
    coordinates = {name.removesuffix("_rate_start") for name in names.values() if name.endswith("_rate_start")}
    inputs = {reference for _, reference, attributes, _ in variables(root) if attributes.get("causality") == "input"}
    for reference, dependencies in structure(root)["Outputs"]:
        # At a cut loop they are computed from states, with the geometry's parameters.
        if names[reference] in coordinates:
            assert not inputs & set(dependencies)


def test_rates_are_outputs_and_accelerations_where_the_file_asks(model, version):
    attributes = {name: found for name, _, found, _ in variables(description(model, version))}
    asked = MECHANISMS[model]["mechanism"].get("expose") == "accelerations"
    coordinates = [name.removesuffix("_rate_start") for name in attributes if name.endswith("_rate_start")]
    angular = [name.removesuffix("_start") for name in attributes
               if name.endswith("_start") and ".angular_velocity." in name]
    assert coordinates or angular
    rates = [f"der({name})" for name in coordinates] + angular
    accelerations = [f"der({name},2)" for name in coordinates] + [f"der({name})" for name in angular]
    assert {attributes[name]["causality"] for name in rates} == {"output"}
    assert {attributes[name]["causality"] for name in accelerations} == {"output" if asked else "local"}


def contact_changes(root):
    """Returns the names of indicators that belong to contacts, not to conditions of formulas."""
    return [variable.get("name") for variable in root.iter()
            if (variable.get("name") or "").endswith(".indicator")
            and not variable.get("name").startswith("solver.condition")]


def event_indicators(root):
    """Returns the value references of indicators by their names."""
    return [variable.get("valueReference") for variable in root.find("ModelVariables")
            if variable.get("name").endswith(".indicator")]


def test_coordinates_and_velocities_are_the_states_of_model_exchange(model, version):
    """Each state has a derivative and a nominal value, and may jump in an event; a coordinate's derivative depends on
    its velocity."""
    root = description(model, version)
    element, state = root.find("ModelExchange"), "FMUstate" if version == "2.0" else "FMUState"
    flags = {"modelIdentifier": root.find("CoSimulation").get("modelIdentifier"), f"canGetAndSet{state}": "true",
             f"canSerialize{state}": "true"}
    further = (["providesDirectionalDerivative"] if version == "2.0" else
               ["needsCompletedIntegratorStep", "providesDirectionalDerivatives", "providesAdjointDerivatives"])
    assert dict(element.attrib) == flags | dict.fromkeys(further, "true")
    number = str(len(event_indicators(root)))
    assert root.get("numberOfEventIndicators") == (number if version == "2.0" else None)
    if version == "3.0":
        assert [element.get("valueReference") for element in root.iter("EventIndicator")] == event_indicators(root)
    table = {reference: (name, attributes) for name, reference, attributes, _ in variables(root)}
    derivatives = structure(root)["Derivatives"]
    listed = [int(table[reference][1]["derivative"]) for reference, _ in derivatives]
    assert listed == sorted(set(listed)) and set(listed) == states(root)
    for reference, (name, attributes) in table.items():
        assert (reference in listed) == ("reinit" in attributes), name
        assert reference not in listed or float(attributes["nominal"]) > 0, name
    references = {name: reference for reference, (name, _) in table.items()}
    for (_, dependencies), state in zip(derivatives, listed):
        velocity = references.get(table[state][0] + "_rate")
        assert velocity in dependencies if velocity else dependencies


def test_derivatives_refer_to_what_they_derive(model, version):
    root = description(model, version)
    table = variables(root)
    names = {reference: name for name, reference, _, _ in table}
    for name, reference, attributes, _ in table:
        match = re.fullmatch(r"der\((.+?)(,2)?\)", name)
        if attributes["causality"] == "input":
            continue
        if version == "2.0":  # OMSimulator thinks that all of them are derivatives of states.
            derived = {reference for reference, _ in structure(root)["Derivatives"]}
            assert ("derivative" in attributes) == (reference in derived)
        else:
            assert (match is not None) == ("derivative" in attributes)
        if "derivative" in attributes:
            rate = f"{match[1]}_rate"  # is the state of model exchange, if there is model exchange
            integral = (rate if rate in names.values() else f"der({match[1]})") if match[2] else match[1]
            assert names[int(attributes["derivative"])] == integral


def test_inputs_that_drive_a_motion_are_derivatives_of_each_other(tmp_path):
    (tmp_path / "mechanism.toml").write_text("""
[mechanism]
name = "Crank"
dimension = "planar"
[inputs]
ddu = { unit = "rad/s2" }
u = { unit = "rad" }
du = { unit = "rad/s" }
other = { unit = "N.m" }
[bodies.crank]
mass = 1
inertia = 1
[joints.A]
type = "revolute"
parent = "ground"
child = "crank"
angle = { motion = "u", rate = "du", acceleration = "ddu" }
""", encoding="utf-8")
    subprocess.run([ROOT / "build" / "mechfmu", tmp_path, "--output", tmp_path], check=True)
    for version, derivatives in (("2.0", {}), ("3.0", {"du": "u", "ddu": "du"})):
        with zipfile.ZipFile(tmp_path / version / "Crank.fmu") as archive:
            table = variables(etree.fromstring(archive.read("modelDescription.xml")))
        names = {reference: name for name, reference, _, _ in table}
        assert {name: names[int(attributes["derivative"])] for name, _, attributes, _ in table
                if attributes["causality"] == "input" and "derivative" in attributes} == derivatives


def test_what_is_continuous_can_be_had_between_communication_points(model):
    for name, _, attributes, _ in variables(description(model, "3.0")):
        expected = attributes["causality"] in {"input", "output", "local"} and attributes["variability"] == "continuous"
        assert ("intermediateUpdate" in attributes) == expected, name


def test_inputs_have_a_start_and_no_initial_and_calculated_ones_no_start(model, version):
    for name, _, attributes, _ in variables(description(model, version)):
        if attributes["causality"] == "input":
            assert "start" in attributes and "initial" not in attributes, name
        if attributes.get("initial") == "calculated" or attributes["causality"] == "independent":
            assert "start" not in attributes, name


def test_states_have_a_start_that_is_a_guess_and_nothing_else_has(model, version):
    root = description(model, version)
    known_states = states(root)
    for name, reference, attributes, _ in variables(root):
        assert (attributes.get("initial") == "approx") == (reference in known_states), name
        assert reference not in known_states or "start" in attributes, name


def test_choices_of_the_solver_are_enumerations_with_the_items_of_the_documents(model, version):
    root = description(model, version)
    types = {kind.get("name"): [(item.get("value"), item.get("name")) for item in kind.iter("Item")]
             for kind in root.find("TypeDefinitions")}
    page = (ROOT / "docs" / "fmi.md").read_text(encoding="utf-8")
    choices = [(name, attributes) for name, _, attributes, kind in variables(root) if kind == "Enumeration"]
    assert [name for name, _ in choices] == ["solver.method", "solver.tangent_basis", "solver.drift_correction"]
    for name, attributes in choices:
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` | 1 "))
        items = types[attributes["declaredType"]]
        assert items == re.findall(r"(\d+) `(\w+)`", row)
        assert attributes["description"].endswith(": " + ", ".join(" ".join(item) for item in items))
        chosen = MECHANISMS[model].get("solver", {}).get(name.removeprefix("solver."))
        assert chosen in (None, dict(items)[attributes["start"]])
    assert {kind for *_, kind in variables(root)} == {{"2.0": "Real", "3.0": "Float64"}[version], "Enumeration"}


def test_log_categories_are_in_the_documents(model, version):
    names = [category.get("name") for category in description(model, version).find("LogCategories")]
    page = (ROOT / "docs" / "fmi.md").read_text(encoding="utf-8")
    missing = [name for name in names if f"`{name}`" not in page]
    assert names and missing == [], "docs/fmi.md does not tell these log categories: add them to its section on time"


def test_units_are_defined_once_and_used(model, version):
    root = description(model, version)
    defined = [unit.get("name") for unit in root.find("UnitDefinitions")]
    assert len(defined) == len(set(defined))
    used = {attributes["unit"] for _, _, attributes, _ in variables(root) if "unit" in attributes}
    assert used == set(defined)


def test_flags_say_what_there_is(model, version):
    root = description(model, version)
    element = root.find("CoSimulation")
    state = "FMUstate" if version == "2.0" else "FMUState"
    flags = {"2.0": {"canInterpolateInputs": "true", "providesDirectionalDerivative": "true"},
             "3.0": {"hasEventMode": "true", "providesIntermediateUpdate": "true",
                     "canReturnEarlyAfterIntermediateUpdate": "true", "providesDirectionalDerivatives": "true",
                     "providesAdjointDerivatives": "true"}}[version]
    flags["maxOutputDerivativeOrder"] = "2"
    if version == "3.0" and contact_changes(root):
        flags["mightReturnEarlyFromDoStep"] = "true"
    assert dict(element.attrib) == flags | {
        "modelIdentifier": element.get("modelIdentifier"), "canHandleVariableCommunicationStepSize": "true",
        f"canGetAndSet{state}": "true", f"canSerialize{state}": "true"}
    assert re.fullmatch(r"[A-Za-z_]\w*", element.get("modelIdentifier"))
    assert root.get("variableNamingConvention") == "structured"
    assert root.get("generationTool") == "mechfmu " + (ROOT / "VERSION").read_text().strip()
    assert "generationDateAndTime" not in root.attrib or "SOURCE_DATE_EPOCH" in os.environ
    experiment = root.find("DefaultExperiment")
    assert 0 == float(experiment.get("startTime")) < float(experiment.get("stopTime"))
    assert 0 < float(experiment.get("stepSize")) <= float(experiment.get("stopTime"))
    assert [c.get("name") for c in root.find("LogCategories")] == [
        "logStatusError", "logStatusWarning", "logStatusDiscard"]


def test_variables_come_in_their_order(model, version):
    groups = ["independent", "parameter", "input", "start", "output", "local", "solver"]
    table = variables(description(model, version))
    order = []
    for name, _, attributes, _ in table:
        if name.startswith("solver."):
            order.append("solver")
        elif name.endswith("_start"):
            order.append("start")
        else:
            order.append(attributes["causality"].replace("calculatedParameter", "parameter"))
    firsts = list(dict.fromkeys(order))
    assert [g for g in groups if g in firsts] == firsts


def test_tokens_differ_between_models_and_not_between_versions():
    tokens = [description(model, "2.0").get("guid") for model in MECHANISMS]
    assert len(set(tokens)) == len(tokens)
    assert tokens == [description(model, "3.0").get("instantiationToken") for model in MECHANISMS]


def test_the_archive_is_as_importers_want_it(model, version):
    with zipfile.ZipFile(fmu_path(model, version)) as archive:
        names = archive.namelist()
        assert all(not name.startswith(("/", "./")) and "\\" not in name for name in names)
        assert all((info.external_attr >> 28) in (0, 8) for info in archive.infolist())  # has files, no links
    assert "modelDescription.xml" in names
