"""Tests that every exported FMU passes our own checker, and that this checker finds faults."""

import math
import os
import subprocess

import pytest
from lxml import etree

import conformity
from fmu import ROOT, Failure, Fmu, fmu_path

EXPORTER = os.environ.get("MECHFMU_EXPORTER", ROOT / "build" / "mechfmu")


def test_nothing_that_no_checker_finds(model, version):
    assert conformity.faults(*conformity.read(fmu_path(model, version))) == []


# --- The checker itself: an FMU with one fault ---------------------------------------------------------------------


def co_simulation(root, **attributes):
    for name, value in attributes.items():
        root.find("CoSimulation").set(name, value)


def unknowns(root, kind):
    structure = root.find("ModelStructure")
    return structure.find(kind) if root.get("fmiVersion") == "2.0" else structure.findall(kind.removesuffix("s"))


def variable(root, **attributes):
    """Returns the first variable with these attributes; attributes of its type in FMI 2 count as its own."""
    for element in root.find("ModelVariables"):
        own = dict(element.attrib) | dict(typed(root, element).attrib)
        if all(own.get(key) == value if value else key in own for key, value in attributes.items()):
            return element
    raise LookupError(attributes)


def typed(root, element):
    return element[0] if root.get("fmiVersion") == "2.0" else element


def output_twice(root):
    first = unknowns(root, "Outputs")[0]
    first.addnext(etree.fromstring(etree.tostring(first)))


def descending_dependencies(root):
    element = next(e for e in unknowns(root, "InitialUnknowns") if len((e.get("dependencies") or "").split()) > 1)
    element.set("dependencies", " ".join(reversed(element.get("dependencies").split())))


def unknown_of_unknown(root):
    first, second = unknowns(root, "InitialUnknowns")[:2]
    key = "index" if root.get("fmiVersion") == "2.0" else "valueReference"
    second.set("dependencies", first.get(key))


def start_too_low(root):
    element = typed(root, variable(root, min=None, start=None))
    element.set("start", str(float(element.get("min")) - 1))


def start_at_no_item(root):
    typed(root, variable(root, declaredType=None)).set("start", "0")


def items_alike(root):
    first, second = list(root.find("TypeDefinitions").iter("Item"))[:2]
    second.set("value", first.get("value"))


def type_named_like_a_variable(root):
    root.find("TypeDefinitions")[0].set("name", "time")


def serialize_only(root):
    state = "FMUstate" if root.get("fmiVersion") == "2.0" else "FMUState"
    co_simulation(root, **{f"canGetAndSet{state}": "false"})


def update_of_a_parameter(root):
    co_simulation(root, providesIntermediateUpdate="true")
    variable(root, causality="parameter").set("intermediateUpdate", "true")


def wrong_exponent(root):
    root.find("UnitDefinitions").find("Unit[@name='N']/BaseUnit").set("s", "-1")


def wrong_factor(root):
    root.find("UnitDefinitions").find("Unit[@name='N']/BaseUnit").set("factor", "1000")


def wrong_unit_of_a_derivative(root):
    typed(root, variable(root, derivative=None)).set("unit", "N")


def derivative_of_nothing(root):
    key = "index" if root.get("fmiVersion") == "2.0" else "valueReference"
    structure = root.find("ModelStructure")
    next(structure.iter("ContinuousStateDerivative" if key == "valueReference" else "Derivatives")).xpath(
        "self::ContinuousStateDerivative | *")[0].set(key, "1")


BOTH = [(output_twice, "listed twice"), (descending_dependencies, "not ascending"),
        (unknown_of_unknown, "an initial unknown too"), (start_too_low, "outside its limits"),
        (start_at_no_item, "no item of its type"), (items_alike, "same value"),
        (type_named_like_a_variable, "a type and a variable"), (serialize_only, "without canGetAndSet"),
        (wrong_exponent, "other exponents"), (wrong_factor, "another factor"),
        (wrong_unit_of_a_derivative, "unit of a derivative"),
        (derivative_of_nothing, "does not say of what"),
        (lambda root: root.remove(root.find("ModelExchange")), "not both there"),
        (lambda root: co_simulation(root, canFly="true"), "unknown attribute")]
ONLY_3 = [(update_of_a_parameter, "parameter with intermediateUpdate"),
          (lambda root: co_simulation(root, canReturnEarlyAfterIntermediateUpdate="true",
                                      providesIntermediateUpdate="false"), "without providesIntermediateUpdate"),
          (lambda root: co_simulation(root, providesEvaluateDiscreteStates="true", hasEventMode="false"),
           "without hasEventMode")]


@pytest.mark.parametrize("of, spoil, said", [(v, *case) for v in ("2.0", "3.0") for case in BOTH]
                         + [("3.0", *case) for case in ONLY_3])
def test_the_checker_finds_a_fault(of, spoil, said):
    root, terminals = conformity.read(fmu_path("four_bar", of))
    spoil(root)
    found = conformity.faults(root, terminals)
    assert any(said in fault for fault in found), found


@pytest.mark.parametrize("members, said", [
    ('<TerminalMemberVariable variableName="a" variableKind="signal"/>', "no memberName"),
    ('<TerminalMemberVariable variableName="a" memberName="x" variableKind="signal"/>'
     '<TerminalMemberVariable variableName="b" memberName="x" variableKind="signal"/>', "comes twice"),
    ('<TerminalMemberVariable variableName="c" memberName="x" variableKind="signal"/>', "no variable c")])
def test_the_checker_finds_a_fault_of_terminals(members, said):
    terminals = etree.fromstring(f'<fmiTerminalsAndIcons fmiVersion="3.0"><Terminals><Terminal name="t" '
                                 f'matchingRule="plug">{members}</Terminal></Terminals></fmiTerminalsAndIcons>')
    found = list(conformity.terminal_faults(terminals, {"a", "b"}))
    assert len(found) == 1 and said in found[0]


def test_the_checker_knows_units():
    assert conformity.unit_of("kN.s/m") == ([1, 0, -1, 0, 0, 0], 1e3)
    assert conformity.unit_of("N.m.s/rad") == ([1, 2, -1, -1, 0, 0], 1.0)
    assert conformity.unit_of("kg.m2") == ([1, 2, 0, 0, 0, 0], 1.0)
    assert conformity.unit_of("1/s2") == ([0, 0, -2, 0, 0, 0], 1.0)
    assert conformity.unit_of("V.s/rad") == ([1, 2, -2, -1, -1, 0], 1.0)
    assert conformity.unit_of("W/K") == ([1, 2, -3, 0, 0, -1], 1.0)
    exponents, factor = conformity.unit_of("mm")
    assert exponents == [0, 1, 0, 0, 0, 0] and math.isclose(factor, 1e-3)


# --- By calls --------------------------------------------------------------------------------------------------------


def check_no_dependency_is_missing(fmu):
    """If a start value, a parameter or an input changes in initialization mode, all values that change depend on it."""
    listed = conformity.Description(conformity.read(fmu.path)[0]).unknowns("InitialUnknowns")
    names = {v.valueReference: v.name for v in fmu.description.modelVariables}
    unknowns = [names[reference] for reference, _ in listed]
    dependencies = [{names[d] for d in given} for _, given in listed]
    knowns = fmu.names(causality="parameter") + fmu.names(causality="input")
    with fmu.instance() as instance:
        instance.enter(tolerance=1e-12)
        before = instance.get(*unknowns)
        for known in knowns:
            if known.startswith("solver."):
                continue
            start = float(fmu.variables[known].start)
            try:
                instance.set_all({known: start + 1e-3 * (abs(start) or 1)})
                after = instance.get(*unknowns)
            except Failure:  # The mechanism does not fit together then.
                instance.reset()
                instance.enter(tolerance=1e-12)
                continue
            for name, given, a, b in zip(unknowns, dependencies, before, after):
                if abs(a - b) > 1e-6 * (1 + abs(a)):
                    assert known in given, f"{name} depends on {known}"
            instance.set_all({known: start})


def test_no_dependency_is_missing(fmu):
    check_no_dependency_is_missing(fmu)


# Two shafts have one speed, so that each rate decides who drives whom; the third one is locked, and stops.
SHAFTS = """
[mechanism]
name = "Shafts"
dimension = "planar"
[inputs]
locked = { start = 1 }
[bodies.a]
inertia = 1
[bodies.b]
inertia = 2
[bodies.c]
inertia = 3
[joints.A]
type = "revolute"
parent = "ground"
child = "a"
angle = { start = 0, fixed = true, rate_start = 2, rate_fixed = true }
[joints.B]
type = "revolute"
parent = "ground"
child = "b"
angle = { start = 0, fixed = true, rate_start = 2, rate_fixed = true }
[joints.C]
type = "revolute"
parent = "ground"
child = "c"
angle = { start = 0, fixed = true, rate_start = 1, rate_fixed = true }
[couplings.freewheel]
type = "one_way"
first = "A.angle"
second = "B.angle"
[couplings.park]
type = "lock"
first = "B.angle"
second = "C.angle"
when = "locked > 0.5"
"""

# Conditions compare at their bounds: a step to either side changes what follows them.
CONDITIONS = """
[mechanism]
name = "Conditions"
expose = "accelerations"
[parameters]
m = { value = 1, unit = "kg" }
weak = { value = 3, unit = "N" }
strong = { value = 4, unit = "N" }
[inputs]
push = { unit = "N", start = 3 }
[coordinates]
x = { unit = "m", start = 0, fixed = true }
y = { unit = "m", start = 0, fixed = true }
[dynamics]
kinetic_energy = "m*(der(x)^2 + der(y)^2)/2"
[dynamics.forces]
x = "if(push > weak, weak, strong)"
y = "if(x > 0, weak, strong)"
[outputs]
side = "if(y > x, 1, 2)"
"""


@pytest.mark.parametrize("text", [SHAFTS, CONDITIONS], ids=["shafts", "conditions"])
def test_no_dependency_on_impacts_and_conditions_is_missing(text, tmp_path):
    file = tmp_path / "mechanism.toml"
    file.write_text(text)
    subprocess.run([EXPORTER, file, "--fmi", "3", "--output", tmp_path], check=True, capture_output=True)
    check_no_dependency_is_missing(Fmu(next(tmp_path.glob("3.0/*.fmu")), tmp_path / "unpacked"))
