"""Tests that a mechanism always gives the same bytes, whoever exports it, wherever and when."""

import io
import os
import shutil
import struct
import subprocess
import zipfile

from fmu import ROOT, VERSIONS

MODEL, NAME = "four_bar", "FourBar"


def export(folder, umask=-1, **environment):
    """Returns the bytes of both FMUs, exported from a copy of the model's folder in `folder`, which also has the
    temporary files."""
    folder.mkdir()
    shutil.copytree(ROOT / "models" / MODEL, folder / "mine")
    (folder / "temporary").mkdir()
    undated = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
    variables = {**undated, "TMPDIR": str(folder / "temporary"), **environment}
    subprocess.run([ROOT / "build" / "mechfmu", "mine/mechanism.toml"], cwd=folder, env=variables, umask=umask,
                   check=True, capture_output=True)
    return [(folder / "fmus" / version / f"{NAME}.fmu").read_bytes() for version in VERSIONS]


def test_place_user_and_zone_do_not_matter(tmp_path):
    (tmp_path / "home").mkdir()
    first = export(tmp_path / "first", umask=0o022)
    second = export(tmp_path / "a second, longer place", umask=0o077, HOME=str(tmp_path / "home"), USER="nobody",
                    TZ="Pacific/Auckland", LC_ALL="C", LANG="de_DE.UTF-8")
    assert first == second


def test_a_source_date_is_the_only_date(tmp_path):
    dated = [export(tmp_path / name, SOURCE_DATE_EPOCH="1700000000", TZ=name) for name in ("UTC", "Asia")]
    assert dated[0] == dated[1]
    assert all(b"2023-11-14" not in fmu for fmu in export(tmp_path / "undated"))


def times(fmu):
    """Returns all times in the archive: those in its directory, and those beside each file."""
    with zipfile.ZipFile(io.BytesIO(fmu)) as opened:
        entries = opened.infolist()
        assert opened.testzip() is None
    beside = {struct.unpack("<HH", fmu[entry.header_offset + 10:entry.header_offset + 14]) for entry in entries}
    assert len(beside) == 1
    clock, date = beside.pop()
    said = {entry.date_time for entry in entries}
    assert said == {((date >> 9) + 1980, date >> 5 & 15, date & 31, clock >> 11, clock >> 5 & 63, (clock & 31) * 2)}
    return said.pop()


def test_files_have_the_source_date_as_far_as_zip_can_say_it(tmp_path):
    cases = {"none": (None, (1980, 1, 1, 0, 0, 0)), "odd": ("1700000001", (2023, 11, 14, 22, 13, 20)),
             "early": ("0", (1980, 1, 1, 0, 0, 0)), "late": ("9999999999", (2107, 12, 31, 23, 59, 58))}
    for name, (epoch, expected) in cases.items():
        environment = {} if epoch is None else {"SOURCE_DATE_EPOCH": epoch}
        for fmu in export(tmp_path / name, **environment):
            assert times(fmu) == expected
