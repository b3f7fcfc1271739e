"""Tests what a mechanism file can ask for and the models do not: units with factor and offset, calculated and tunable
parameters, texts to escape."""

import math
import os
import pathlib
import re
import subprocess
import zipfile

import fmpy
import fmpy.validation
import pytest
from lxml import etree

from fmu import ROOT, VERSIONS, Failure, Fmu

EXPORTER = os.environ.get("MECHFMU_EXPORTER", ROOT / "build" / "mechfmu")


@pytest.fixture(scope="session")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("features")
    file = pathlib.Path(__file__).with_name("features.toml")
    subprocess.run([EXPORTER, file, "--output", folder], check=True)
    return folder


@pytest.fixture(scope="session")
def features(exported, version, tmp_path_factory):
    return Fmu(exported / version / "Features.fmu", tmp_path_factory.mktemp("unpacked"))


@pytest.fixture
def attributes(exported, version):
    with zipfile.ZipFile(exported / version / "Features.fmu") as archive:
        root = etree.fromstring(archive.read("modelDescription.xml"))
    result = {"model": dict(root.attrib)}
    for element in root.find("ModelVariables"):
        result[element.get("name")] = dict(element.attrib) | (dict(element[0].attrib) if len(element) else {})
    result["units"] = {unit.get("name"): dict(unit.find("BaseUnit").attrib) for unit in root.find("UnitDefinitions")}
    structure = root.find("ModelStructure")
    result["unknowns"] = {
        int(e.get("index") or e.get("valueReference")): [int(d) for d in e.get("dependencies").split()]
        for e in structure.iter("Unknown", "InitialUnknown")
        if e.tag == "InitialUnknown" or e.getparent().tag == "InitialUnknowns"}
    return result


def test_texts_are_escaped(attributes):
    assert attributes["model"]["description"] == 'A bead & its "wire" <bent>, größer als nötig'
    assert attributes["radius"]["description"] == "of the wire < 1 m"


def test_numbers_stand_in_the_declared_unit(attributes):
    assert float(attributes["radius"]["start"]) == 250
    assert (float(attributes["radius"]["min"]), float(attributes["radius"]["max"])) == (100, 1000)
    assert float(attributes["quarter"]["start"]) == pytest.approx(45, rel=1e-15)
    assert float(attributes["push"]["start"]) == 0.001
    assert attributes["der(x)"]["unit"] == "mm/s"
    assert attributes["units"]["mm"] == {"m": "1", "factor": "0.001"}
    assert attributes["units"]["degC"] == {"K": "1", "offset": "273.15"}
    assert attributes["units"]["kN"] == {"kg": "1", "m": "1", "s": "-2", "factor": "1000"}


def test_calculated_parameters_are_declared_as_such(attributes):
    for name, variability in [("diameter", "tunable"), ("weight", "fixed"), ("x_start", "tunable")]:
        assert attributes[name]["causality"] == "calculatedParameter"
        assert attributes[name]["variability"] == variability
        assert "start" not in attributes[name]
    assert attributes["radius"]["variability"] == "tunable"
    assert attributes["quarter"]["causality"] == "parameter"
    reference = {name: int(a["valueReference"]) for name, a in attributes.items() if "valueReference" in a}
    assert attributes["unknowns"][reference["diameter"]] == [reference["radius"]]
    assert attributes["unknowns"][reference["weight"]] == [reference["mass"], reference["gravity"]]
    assert attributes["unknowns"][reference["x_start"]] == [reference["radius"]]
    assert attributes["unknowns"][reference["z"]] == [reference["z_start"]]
    assert attributes["unknowns"][reference["x"]] == [reference["radius"]]


def test_values_are_in_the_declared_unit(features):
    with features.instance() as instance:
        instance.enter()
        assert instance.get("x") == pytest.approx(125)
        assert instance.get("y") == pytest.approx(-250 * math.sqrt(3) / 2)
        assert instance.get("diameter", "weight", "x_start") == pytest.approx([500, 19.62, 125])
        assert instance.get("heat", "climate") == pytest.approx([20, 20])
        assert instance.get("z", "der(z)") == pytest.approx([90, 180])
        assert instance.get("energy.potential") == pytest.approx(-19.62 * 0.25 * math.sqrt(3) / 2)
        assert instance.get("energy.total") == pytest.approx(instance.get("energy.potential") + 0.125 / 2 * math.pi**2)
        instance.set_all({"radius": 400.0, "mass": 1.0})
        assert instance.get("x", "diameter", "weight", "x_start") == pytest.approx([200, 800, 9.81, 200])
        assert instance.get("radius") == 400
        instance.exit()
        instance.step(0.5)
        assert instance.get("z") == pytest.approx(180)
        assert math.hypot(*instance.get("x", "y")) == pytest.approx(400)


def test_a_tunable_parameter_takes_effect_at_the_next_step(features):
    with features.instance() as instance:
        instance.start()
        instance.step(0.5)
        before = instance.everything()
        instance.set_all({"radius": 260.0})
        assert instance.everything() == before | {"radius": 260}
        instance.step(0.1)
        assert math.hypot(*instance.get("x", "y")) == pytest.approx(260, rel=1e-12)
        assert instance.get("diameter") == pytest.approx(520)
        with pytest.raises(Failure, match="mass is fixed"):
            instance.set_all({"mass": 1.0})


def test_calculated_parameters_cannot_be_set(features):
    with features.instance() as instance, pytest.raises(Failure, match="weight is calculated"):
        instance.set_all({"weight": 1.0})


def test_expose_declared_keeps_only_declared_outputs(tmp_path, version):
    text = (ROOT / "models" / "four_bar" / "mechanism.toml").read_text()
    file = tmp_path / "mechanism.toml"
    file.write_text(text.replace("[mechanism]\n", '[mechanism]\nexpose = "declared"\n', 1))
    subprocess.run([EXPORTER, file, "--output", tmp_path], check=True)
    declared = Fmu(tmp_path / version / "FourBar.fmu", tmp_path / "declared")
    assert declared.names(causality="output") == ["coupler_x", "coupler_y", "pin_load", "power"]
    assert declared.variables["A.angle"].causality == "local"
    assert declared.variables["A.reaction.force.x"].causality == "local"
    assert fmpy.validation.validate_fmu(str(tmp_path / version / "FourBar.fmu")) == []
    with declared.instance() as instance:
        instance.start()
        instance.step(0.1)
        assert math.isfinite(instance.get("A.reaction.force.x"))


def test_an_acceleration_that_is_declared_is_the_coordinates_own(fmus, version):
    with fmus("quick_return", version).instance() as instance:
        instance.start()
        for _ in range(5):
            instance.step(0.1)
            declared, own = instance.get("ram_acceleration", "der(R.position,2)")
            assert declared == pytest.approx(own, rel=1e-12) and own != 0


def documented(path):
    """Returns names of variables in the documentation page."""
    with zipfile.ZipFile(path) as opened:
        page = opened.read("documentation/index.html").decode()
    return set(re.findall(r"<tr><td>([^<]+)</td>", page[page.index("<h2>Variables"):]))


def test_arrays_hold_what_the_scalars_do(tmp_path):
    for name, options in [("scalars", []), ("arrays", ["--arrays"])]:
        subprocess.run([EXPORTER, ROOT / "models" / "gyroscope", "--output", tmp_path / name, *options], check=True)
        assert fmpy.validation.validate_fmu(str(tmp_path / name / "3.0" / "Gyroscope.fmu")) == []
    scalars, arrays = (Fmu(tmp_path / name / "3.0" / "Gyroscope.fmu", tmp_path / f"{name}_unpacked")
                       for name in ("scalars", "arrays"))
    vectors = {v.name: v for v in arrays.description.modelVariables if v.dimensions}
    assert {"point.reaction.force", "finger.force", "top.position", "top.orientation", "tip"} <= set(vectors)
    assert scalars.description.guid != arrays.description.guid
    components = {name: [f"{name}.{c}" for c in ("wxyz" if "orientation" in name else "xyz")] for name in vectors}
    for name, scalar in components.items():
        assert vectors[name].valueReference == scalars.references[scalar[0]]
        assert not set(scalar) & set(arrays.references)
    pages = {version: documented(tmp_path / "arrays" / version / "Gyroscope.fmu") for version in VERSIONS}
    assert pages["2.0"] == documented(tmp_path / "scalars" / "3.0" / "Gyroscope.fmu")
    assert {name for name in pages["3.0"] if name.endswith("]")} == {
        f"{name}[{len(scalar)}]" for name, scalar in components.items()}
    assert not {c for names in components.values() for c in names} & pages["3.0"]
    rest = [name for name in arrays.names() if name not in vectors]
    assert set(rest) | {c for names in components.values() for c in names} == set(scalars.names())
    with scalars.instance() as one, arrays.instance() as other:
        for instance in (one, other):
            instance.start()
            instance.step(0.3)
        for name, scalar in components.items():
            values = other.slave.getFloat64([arrays.references[name]], nValues=len(scalar))
            assert list(values) == one.get(*scalar), name
        assert other.get(*rest) == one.get(*rest)
    result = fmpy.simulate_fmu(str(tmp_path / "arrays" / "3.0" / "Gyroscope.fmu"), stop_time=0.1,
                               output=["time", "point.reaction.force"])
    assert result["point.reaction.force"].shape[1] == 3
