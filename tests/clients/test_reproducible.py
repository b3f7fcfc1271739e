"""The same mechanism gives the same bytes, whoever exports it, wherever and when."""

import os
import shutil
import subprocess

from fmu import ROOT, VERSIONS

MODEL, NAME = "four_bar", "FourBar"


def export(folder, umask=-1, **environment):
    """The bytes of both FMUs, exported from a copy of the model's folder in `folder`, where temporary files go too."""
    folder.mkdir()
    shutil.copytree(ROOT / "models" / MODEL, folder / "mine")
    (folder / "temporary").mkdir()
    variables = {**os.environ, "TMPDIR": str(folder / "temporary"), **environment}
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
