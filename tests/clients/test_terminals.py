"""Tests terminals and icons: they are valid by FMI's schema, members can be connected, and the icon is a picture."""

import pathlib
import struct
import subprocess
import zipfile
import zlib

import fmpy
import pytest
from lxml import etree

from fmu import ROOT, Fmu, fmu_path

SCHEMAS = pathlib.Path(fmpy.__file__).parent / "schema" / "fmi3"
# These are the members' variables of terminals by model: a motor, rods whose lengths follow formulas, no terminal.
TERMINALS = {
    "four_bar": {"A.angle": {"phi": "A.angle", "w": "der(A.angle)", "tau": "motor_torque"}},
    "slider_crank": {"A.angle": {"phi": "A.angle", "w": "der(A.angle)", "a": "der(A.angle,2)", "tau": "crank_torque"}},
    "excavator_arm_driven": {f"{name}_cylinder.length": {"s": f"{name}_cylinder.length",
                                                         "v": f"der({name}_cylinder.length)",
                                                         "a": f"der({name}_cylinder.length,2)",
                                                         "f": f"{name}_cylinder.length.drive"}
                             for name in ("boom", "stick", "bucket")},
    "rolling_disk": {},
}


@pytest.fixture
def archive(model, version):
    with zipfile.ZipFile(fmu_path(model, version)) as opened:
        yield opened


def terminals(archive):
    root = etree.fromstring(archive.read("terminalsAndIcons/terminalsAndIcons.xml"))
    return root, {terminal.get("name"): {member.get("memberName"): member.get("variableName") for member in terminal}
                  for terminal in root.iter("Terminal")}


def pixels(data):
    """Returns width, height, rows of a PNG file without filters; checks its checksums."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, chunks = 8, {}
    while position < len(data):
        length, = struct.unpack(">I", data[position:position + 4])
        kind, content = data[position + 4:position + 8], data[position + 8:position + 8 + length]
        assert zlib.crc32(kind + content) == struct.unpack(">I", data[position + 8 + length:position + 12 + length])[0]
        chunks[kind] = content
        position += 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert depth == 8
    size = {2: 3, 3: 1}[colour]  # bytes of a pixel: its colour, or its place in the palette
    raw = zlib.decompress(chunks[b"IDAT"])
    assert len(raw) == height * (1 + size * width)
    rows = [raw[i * (1 + size * width) + 1:(i + 1) * (1 + size * width)] for i in range(height)]
    if size == 1:
        palette = chunks[b"PLTE"]
        rows = [b"".join(palette[3 * index:3 * index + 3] for index in row) for row in rows]
    return width, height, rows


def test_terminals_fit_the_schema(archive):
    root, _ = terminals(archive)
    schema = etree.XMLSchema(file=str(SCHEMAS / "fmi3TerminalsAndIcons.xsd"))
    assert schema.validate(root), schema.error_log


def test_members_can_be_connected(archive, fmu):
    _, found = terminals(archive)
    for members in found.values():
        for variable in members.values():
            assert fmu.variables[variable].causality in ("input", "output")


def test_driven_joints_have_terminals(archive, model):
    _, found = terminals(archive)
    if model in TERMINALS:
        assert found == TERMINALS[model]
    for members in found.values():
        assert list(members) in [[name for name in names if name in members]
                                 for names in (("phi", "w", "a", "tau"), ("s", "v", "a", "f"))]
        assert {"phi", "w", "tau"} <= set(members) or {"s", "v", "f"} <= set(members)


CRANKS = """
[mechanism]
name = "Cranks"
dimension = "planar"
EXPOSE
[inputs]
u = { unit = "rad" }
du = { unit = "rad/s" }
ddu = { unit = "rad/s2" }
smooth = { unit = "rad" }
[outputs]
done = "time"
"""
MOTIONS = {"led": 'motion = "u", rate = "du", acceleration = "ddu"',
           "half": 'motion = "u", rate = "du", acceleration = "2*ddu"',
           "filtered": 'motion = "smooth", filter = 0.1', "timed": 'motion = "sin(3*time)"'}
MEMBERS = {"led": ("u", "du", "ddu"), "half": ("u", "du", "der(half.angle,2)"),
           "filtered": ("filtered.angle", "der(filtered.angle)", "der(filtered.angle,2)"),
           "timed": ("timed.angle", "der(timed.angle)", "der(timed.angle,2)")}


@pytest.mark.parametrize("expose", ["all", "declared"])
def test_members_of_a_driven_coordinate_are_its_inputs_or_what_it_does(expose, tmp_path):
    text = CRANKS.replace("EXPOSE", f'expose = "{expose}"')
    for name, motion in MOTIONS.items():
        text += (f'[bodies.crank_{name}]\nmass = 1\ninertia = 1\n'
                 f'[joints.{name}]\ntype = "revolute"\nparent = "ground"\n'
                 f'child = "crank_{name}"\nangle = {{ {motion} }}\n')
    (tmp_path / "mechanism.toml").write_text(text, encoding="utf-8")
    subprocess.run([ROOT / "build" / "mechfmu", tmp_path, "--output", tmp_path], check=True)
    with zipfile.ZipFile(tmp_path / "3.0" / "Cranks.fmu") as archive:
        _, found = terminals(archive)
    expected = {f"{name}.angle": dict(zip(("phi", "w", "a"), MEMBERS[name])) | {"tau": f"{name}.angle.drive"}
                for name in MOTIONS}
    assert found == (expected if expose == "all" else {})


def test_the_icon_shows_something(archive, version):
    width, height, rows = pixels(archive.read("terminalsAndIcons/icon.png"))
    assert width == height == 256
    background = rows[0][:3]
    drawn = sum(row[i:i + 3] != background for row in rows for i in range(0, len(row), 3))
    assert 500 < drawn < 0.5 * width * height
    assert etree.fromstring(archive.read("terminalsAndIcons/icon.svg")).tag.endswith("svg")
    assert ("model.png" in archive.namelist()) == (version == "2.0")
    if version == "2.0":
        assert archive.read("model.png") == archive.read("terminalsAndIcons/icon.png")


def test_the_rod_of_a_terminal_is_pushed_by_what_drives_it(version, tmp_path):
    driven = Fmu(fmu_path("excavator_arm_driven", version), tmp_path)
    with driven.instance() as instance:
        instance.start()
        lengths = []
        for _ in range(2):
            instance.step(0.01)
            length, drive, tension = instance.get(*(f"boom_cylinder.{what}"
                                                    for what in ("length", "length.drive", "tension")))
            assert drive == -tension != 0
            lengths.append(length)
        assert 0.1 < lengths[0] != lengths[1]


def test_rates_and_accelerations_of_a_driven_rod_are_those_of_its_length(version, tmp_path):
    driven = Fmu(fmu_path("excavator_arm_driven", version), tmp_path)
    names = ("boom_cylinder.length", "der(boom_cylinder.length)", "der(boom_cylinder.length,2)")
    h = 1e-4
    with driven.instance() as instance:
        instance.start()
        instance.step(0.5)
        before = instance.get(*names)
        instance.step(h)
        middle = instance.get(*names)
        instance.step(h)
        after = instance.get(*names)
    for i in (0, 1):
        assert middle[i + 1] == pytest.approx((after[i] - before[i]) / (2 * h), rel=1e-5, abs=1e-9)
    assert abs(middle[1]) > 1e-3 < abs(middle[2])
