"""Finds what none of the usual checkers finds in an FMU's XML files (XSD, FMPy, fmusim, VDMCheck): each rule is a
generator of sentences. `faults` collects them; it finds none in a right FMU."""

import math
import re
import zipfile

from lxml import etree

# The SI brochure gives exponents of kg, m, s, rad and the factor to SI, for the units that mechanics needs.
BASES = ("kg", "m", "s", "rad", "A", "K")
# Exponents of trailing bases may be left out.
SYMBOLS = {
    "": ((0, 0, 0, 0), 1.0), "1": ((0, 0, 0, 0), 1.0), "kg": ((1, 0, 0, 0), 1.0), "g": ((1, 0, 0, 0), 1e-3),
    "t": ((1, 0, 0, 0), 1e3), "m": ((0, 1, 0, 0), 1.0), "in": ((0, 1, 0, 0), 0.0254), "s": ((0, 0, 1, 0), 1.0),
    "min": ((0, 0, 1, 0), 60.0), "h": ((0, 0, 1, 0), 3600.0), "rad": ((0, 0, 0, 1), 1.0),
    "deg": ((0, 0, 0, 1), math.pi / 180), "rev": ((0, 0, 0, 1), 2 * math.pi), "rpm": ((0, 0, -1, 1), math.pi / 30),
    "N": ((1, 1, -2, 0), 1.0), "J": ((1, 2, -2, 0), 1.0), "W": ((1, 2, -3, 0), 1.0), "Pa": ((1, -1, -2, 0), 1.0),
    "Hz": ((0, 0, -1, 0), 1.0), "bar": ((1, -1, -2, 0), 1e5), "l": ((0, 3, 0, 0), 1e-3),
    "L": ((0, 3, 0, 0), 1e-3), "A": ((0, 0, 0, 0, 1, 0), 1.0), "K": ((0, 0, 0, 0, 0, 1), 1.0),
    "V": ((1, 2, -3, 0, -1, 0), 1.0), "Ohm": ((1, 2, -3, 0, -2, 0), 1.0), "H": ((1, 2, -2, 0, -2, 0), 1.0),
}
PREFIXES = {"n": 1e-9, "u": 1e-6, "m": 1e-3, "c": 1e-2, "d": 0.1, "h": 100.0, "k": 1e3, "M": 1e6, "G": 1e9}

# The standards have these attributes; others need a namespace, which the schema of FMI 3 does not check.
CO_SIMULATION = {
    "2.0": {"modelIdentifier", "needsExecutionTool", "canHandleVariableCommunicationStepSize", "canInterpolateInputs",
            "maxOutputDerivativeOrder", "canRunAsynchronuously", "canBeInstantiatedOnlyOncePerProcess",
            "canNotUseMemoryManagementFunctions", "canGetAndSetFMUstate", "canSerializeFMUstate",
            "providesDirectionalDerivative"},
    "3.0": {"modelIdentifier", "needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess", "canGetAndSetFMUState",
            "canSerializeFMUState", "providesDirectionalDerivatives", "providesAdjointDerivatives",
            "providesPerElementDependencies", "canHandleVariableCommunicationStepSize", "maxOutputDerivativeOrder",
            "providesIntermediateUpdate", "mightReturnEarlyFromDoStep", "canReturnEarlyAfterIntermediateUpdate",
            "hasEventMode", "providesEvaluateDiscreteStates", "recommendedIntermediateInputSmoothness",
            "fixedInternalStepSize"},
}
NUMBERS = ("Real", "Float64", "Float32")


class Description:
    """Reads modelDescription.xml of both versions: variables by the references that ModelStructure uses."""

    def __init__(self, root):
        self.root = root
        self.version = root.get("fmiVersion")[:1] + ".0"
        self.variables = {}
        for position, element in enumerate(root.find("ModelVariables"), 1):
            attributes = dict(element.attrib)
            attributes["type"] = element.tag
            if self.version == "2.0":
                attributes |= dict(element[0].attrib) | {"type": element[0].tag}
                self.variables[position] = attributes
            else:
                self.variables[int(attributes["valueReference"])] = attributes

    def unknowns(self, kind):
        """Returns (reference, dependencies) of Outputs, Derivatives or InitialUnknowns."""
        structure = self.root.find("ModelStructure")
        if self.version == "2.0":
            group = structure.find(kind)
            elements, key = ([] if group is None else list(group)), "index"
        else:
            tag = "ContinuousStateDerivative" if kind == "Derivatives" else kind.removesuffix("s")
            elements, key = structure.findall(tag), "valueReference"
        return [(int(e.get(key)), [int(x) for x in (e.get("dependencies") or "").split()]) for e in elements]

    def name(self, reference):
        return self.variables[reference]["name"] if reference in self.variables else f"number {reference}"

    def is_true(self, element, attribute):
        return element.get(attribute) in ("true", "1")


def outputs_are_listed_once(d):
    seen = set()
    for reference, _ in d.unknowns("Outputs"):
        if reference in seen:
            yield f"{d.name(reference)} is listed twice as output"
        seen.add(reference)


def dependencies_ascend(d):
    for kind in ("Outputs", "Derivatives", "InitialUnknowns"):
        references = [reference for reference, _ in d.unknowns(kind)]
        if kind != "Derivatives" and references != sorted(references):  # They come in the order of the states.
            yield f"{kind} are not in ascending order"
        for reference, dependencies in d.unknowns(kind):
            if dependencies != sorted(set(dependencies)):
                yield f"dependencies of {d.name(reference)} in {kind} are not ascending"


def initial_unknowns_depend_on_knowns(d):
    unknown = {reference for reference, _ in d.unknowns("InitialUnknowns")}
    for reference, dependencies in d.unknowns("InitialUnknowns"):
        for other in unknown & set(dependencies):
            yield f"the initial unknown {d.name(reference)} depends on {d.name(other)}, an initial unknown too"


def model_exchange_has_states(d):
    exchange, derivatives = d.root.find("ModelExchange") is not None, d.unknowns("Derivatives")
    if exchange != bool(derivatives):
        yield "ModelExchange and derivatives of states are not both there"
    initial = {reference for reference, _ in d.unknowns("InitialUnknowns")}
    for reference, _ in derivatives:
        state = d.variables.get(reference, {}).get("derivative")
        if state is None:
            yield f"{d.name(reference)} is listed as a derivative, but does not say of what"
        elif not {reference, int(state)} <= initial:
            yield f"{d.name(reference)} and its state are not both initial unknowns"


def starts_lie_within_limits(d):
    for variable in d.variables.values():
        if variable["type"] not in NUMBERS:
            continue
        low, high = float(variable.get("min", -math.inf)), float(variable.get("max", math.inf))
        if low > high:
            yield f"{variable['name']}: min is above max"
        if "start" in variable and not low <= float(variable["start"]) <= high:
            yield f"{variable['name']}: the start lies outside its limits"


def enumerations_start_at_an_item(d):
    items = {kind.get("name"): [item.attrib for item in kind.iter("Item")] for kind in d.root.find("TypeDefinitions")}
    for name in set(items) & {variable["name"] for variable in d.variables.values()}:
        yield f"{name} is a type and a variable"
    for name, given in items.items():
        for key in ("name", "value"):
            if len({item[key] for item in given}) != len(given):
                yield f"{name}: two items have the same {key}"
    for variable in d.variables.values():
        given = items.get(variable.get("declaredType"), [])
        if variable["type"] == "Enumeration" and variable["start"] not in [item["value"] for item in given]:
            yield f"{variable['name']}: the start is no item of its type"


def flags_agree(d):
    for element in [e for e in d.root if e.tag in ("CoSimulation", "ModelExchange")]:
        state = "FMUstate" if d.version == "2.0" else "FMUState"
        if d.is_true(element, f"canSerialize{state}") and not d.is_true(element, f"canGetAndSet{state}"):
            yield f"{element.tag}: canSerialize{state} without canGetAndSet{state}"
        if (d.is_true(element, "canReturnEarlyAfterIntermediateUpdate")
                and not d.is_true(element, "providesIntermediateUpdate")):
            yield "canReturnEarlyAfterIntermediateUpdate without providesIntermediateUpdate"
        if d.is_true(element, "providesEvaluateDiscreteStates") and not d.is_true(element, "hasEventMode"):
            yield "providesEvaluateDiscreteStates without hasEventMode"


def attributes_are_known(d):
    for name in d.root.find("CoSimulation").attrib:
        if name not in CO_SIMULATION[d.version] and not name.startswith("{"):
            yield f"CoSimulation has an unknown attribute {name}"


def intermediate_updates_are_of_what_moves(d):
    provided = d.root.find("CoSimulation") is not None and d.is_true(d.root.find("CoSimulation"),
                                                                     "providesIntermediateUpdate")
    for variable in d.variables.values():
        if variable.get("intermediateUpdate") not in ("true", "1"):
            continue
        if variable["causality"] in ("parameter", "calculatedParameter", "structuralParameter", "independent"):
            yield f"{variable['name']} is a {variable['causality']} with intermediateUpdate"
        if not provided:
            yield f"{variable['name']} has intermediateUpdate, but the FMU has no intermediate update"


def unit_of(text):
    """Returns exponents and factor that a unit's name means: factors with '.', then '/' and divisors."""
    exponents, factor = [0] * len(BASES), 1.0
    for position, side in enumerate(text.split("/")):
        sign = -1 if position else 1
        for part in side.strip("()").split("."):
            symbol, power = re.fullmatch(r"([A-Za-z]*|1)(-?\d*)", part).groups()
            power = sign * int(power or 1)
            if symbol in SYMBOLS:
                base, size = SYMBOLS[symbol]
            else:
                base, size = SYMBOLS[symbol[1:]]
                size *= PREFIXES[symbol[0]]
            base = (*base, 0, 0)[:len(BASES)]
            exponents = [a + power * b for a, b in zip(exponents, base)]
            factor *= size ** power
    return exponents, factor


def units_mean_what_their_names_say(d):
    units = {}
    for unit in d.root.find("UnitDefinitions"):
        base = unit.find("BaseUnit")
        exponents = [int(base.get(key, 0)) for key in BASES]
        factor, (wanted, wanted_factor) = float(base.get("factor", 1)), unit_of(unit.get("name"))
        units[unit.get("name")] = exponents, factor
        if exponents != wanted or any(base.get(key) not in (None, "0") for key in ("mol", "cd")):
            yield f"unit {unit.get('name')} has other exponents than its name"
        if not math.isclose(factor, wanted_factor, rel_tol=1e-12) or float(base.get("offset", 0)) != 0:
            yield f"unit {unit.get('name')} has another factor than its name"
    for variable in d.variables.values():  # Radians may be written or left out, so they do not count.
        if "derivative" not in variable:
            continue
        per_second, whole = (units.get(v.get("unit"), ([0] * len(BASES), 1.0))[0][:3]
                             for v in (variable, d.variables[int(variable["derivative"])]))
        if per_second != [whole[0], whole[1], whole[2] - 1]:
            yield f"{variable['name']} does not have the unit of a derivative"


RULES = (outputs_are_listed_once, dependencies_ascend, initial_unknowns_depend_on_knowns, model_exchange_has_states,
         starts_lie_within_limits, enumerations_start_at_an_item, flags_agree, attributes_are_known,
         intermediate_updates_are_of_what_moves, units_mean_what_their_names_say)


def terminal_faults(terminals, names):
    """Checks terminalsAndIcons.xml: members have names of their own, and are variables."""
    for terminal in terminals.iter("Terminal"):
        where = f"terminal {terminal.get('name')}"
        members = terminal.findall("TerminalMemberVariable")
        given = [m.get("memberName") for m in members]
        if terminal.get("matchingRule") in ("plug", "bus") and None in given:
            yield f"{where}: a member has no memberName"
        given = [name for name in given if name is not None]
        if len(given) != len(set(given)):
            yield f"{where}: a memberName comes twice"
        for member in members:
            if member.get("variableName") not in names:
                yield f"{where}: there is no variable {member.get('variableName')}"


def faults(description, terminals=None):
    """Returns the faults in the roots of modelDescription.xml and, if there is one, terminalsAndIcons.xml."""
    d = Description(description)
    found = [fault for rule in RULES for fault in rule(d)]
    if terminals is not None:
        found += terminal_faults(terminals, {variable["name"] for variable in d.variables.values()})
    return found


def read(path):
    """Returns both roots of an FMU; the second is None if it has no terminals."""
    with zipfile.ZipFile(path) as archive:
        place = "terminalsAndIcons/terminalsAndIcons.xml"
        terminals = etree.fromstring(archive.read(place)) if place in archive.namelist() else None
        return etree.fromstring(archive.read("modelDescription.xml")), terminals
