"""Terminals and icons: valid by FMI's schema, of variables that can be connected, an icon that is a picture."""

import pathlib
import struct
import zipfile
import zlib

import fmpy
import pytest
from lxml import etree

from fmu import Fmu, fmu_path

SCHEMAS = pathlib.Path(fmpy.__file__).parent / "schema" / "fmi3"
# Terminals by model: members' variables. A motor, rods whose lengths follow formulas, no terminal.
TERMINALS = {
    "four_bar": {"A.angle": {"phi": "A.angle", "tau": "motor_torque"}},
    "excavator_arm_driven": {f"{name}_cylinder.length": {"s": f"{name}_cylinder.length",
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
    """Width, height, rows of a PNG file without filters; checks its checksums."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    position, chunks = 8, {}
    while position < len(data):
        length, = struct.unpack(">I", data[position:position + 4])
        kind, content = data[position + 4:position + 8], data[position + 8:position + 8 + length]
        assert zlib.crc32(kind + content) == struct.unpack(">I", data[position + 8 + length:position + 12 + length])[0]
        chunks[kind] = content
        position += 12 + length
    width, height, depth, colour = struct.unpack(">IIBB", chunks[b"IHDR"][:10])
    assert (depth, colour) == (8, 2)
    raw = zlib.decompress(chunks[b"IDAT"])
    assert len(raw) == height * (1 + 3 * width)
    return width, height, [raw[i * (1 + 3 * width) + 1:(i + 1) * (1 + 3 * width)] for i in range(height)]


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
    assert all(set(members) in ({"phi", "tau"}, {"s", "f"}) for members in found.values())


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
