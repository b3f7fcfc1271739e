"""Tests the command ./build_fmu as a user meets it: what it prints and writes, and what it leaves when it cannot
finish."""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import fmpy.cli
import pytest

from fmu import MECHANISMS, fmu_path

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = "guided_pendulum"
NAME = "GuidedPendulum"
MISTAKES = sorted((ROOT / "tests" / "mistakes").rglob("*.toml"))


@pytest.fixture
def place(tmp_path):
    """Makes a working directory, and a folder for temporary files beside it that must be empty afterwards."""
    (tmp_path / "work").mkdir()
    (tmp_path / "temporary").mkdir()
    yield tmp_path / "work"
    assert list((tmp_path / "temporary").iterdir()) == []


def start(place, *arguments, **options):
    environment = os.environ | {"TMPDIR": str(place.parent / "temporary")}
    return subprocess.Popen([ROOT / "build_fmu", *map(str, arguments)], cwd=place, env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def build_fmu(place, *arguments, **options):
    """Runs the command; returns exit code, standard output, error output."""
    process = start(place, *arguments, **options)
    output, errors = process.communicate()
    return process.returncode, output, errors


def name_and_version():
    return "mechfmu " + (ROOT / "VERSION").read_text().strip()


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Exports the model's two FMUs once."""
    base = tmp_path_factory.mktemp("exported")
    (base / "work").mkdir()
    (base / "temporary").mkdir()
    code, output, errors = build_fmu(base / "work", MODEL)
    assert (code, errors) == (0, "")
    return base / "work" / "fmus", output


def test_help_names_every_option(place):
    code, output, errors = build_fmu(place, "--help")
    assert (code, errors) == (0, "")
    for option in ["--fmi", "--output", "--platform", "--no-sources", "--arrays", "--set", "--run", "--explain",
                   "--symbolic", "--check", "--list", "--verbose", "--version", "--help"]:
        assert f"\n  {option} " in output
    assert build_fmu(place) == (0, output, "")


def test_the_version_is_told_wherever_somebody_asks_for_it(place, exported):
    told = name_and_version()
    assert build_fmu(place, "--version") == (0, told + "\n", "")
    with zipfile.ZipFile(exported[0] / "2.0" / f"{NAME}.fmu") as archive:
        assert f"Made by {told}." in archive.read("documentation/index.html").decode()


def test_list_names_every_model(place):
    code, output, _ = build_fmu(place, "--list")
    assert code == 0
    listed = [line.split()[0] for line in output.splitlines() if line.strip()]
    assert listed == sorted(path.parent.name for path in (ROOT / "models").glob("*/mechanism.toml"))


@pytest.mark.parametrize("arguments, code, message", [
    (["guided_pendulm"], 1, "did you mean 'guided_pendulum'?"),
    (["no/such/file.toml"], 1, "there is no mechanism 'no/such/file.toml'"),
    ([MODEL, "--explian"], 2, "unknown option '--explian'; did you mean '--explain'?"),
    ([MODEL, "--fmi", "1"], 2, "--fmi takes 2 or 3, not '1'"),
    ([MODEL, "--output"], 2, "--output needs DIR"),
    ([MODEL, "--platform", "win32"], 2, "unknown platform 'win32'; known are 'linux64', 'win64' and 'aarch64-linux'"),
    (["--check"], 2, "which mechanism?"),
    ([MODEL, "--set", "rh=2"], 2, "the file has no parameter 'rh'; did you mean 'rho'?"),
    ([MODEL, "--set", "rho"], 2, "--set takes NAME=VALUE, such as --set N=40, not 'rho'"),
    ([MODEL, "--set", "rho=2*"], 1, "--set rho=2*:1:7: "),
    ([MODEL, "knife_edge"], 2, "one mechanism at a time"),
])
def test_what_is_not_understood_is_said(place, arguments, code, message):
    returned, output, errors = build_fmu(place, *arguments)
    assert (returned, output) == (code, "")
    assert message in errors
    assert len(errors.splitlines()) == 1
    assert files_below(place) == []


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda path: path.stem)
def test_mistakes_are_reported_and_leave_nothing(place, mistake):
    shutil.copy(mistake, place / mistake.name)
    code, output, errors = build_fmu(place, mistake.name)
    assert (code, output) == (1, "")
    assert errors == mistake.with_suffix(".txt").read_text()
    assert files_below(place) == [mistake.name]
    assert build_fmu(place, mistake.name, "--check") == (code, output, errors)


def test_there_is_a_catalogue_of_mistakes():
    assert len(MISTAKES) >= 40


def test_loops_that_rounded_data_leave_open_are_remarked(place):
    exact = (ROOT / "models" / "four_bar_in_space" / "mechanism.toml").read_text()
    joint = 'child = "rocker"\naxis = '
    assert joint + "[0, 0, 1]" in exact
    for text, remarked in ((exact, False), (exact.replace(joint + "[0, 0, 1]", joint + "[5e-7, 0, 1]"), True)):
        (place / "loop.toml").write_text(text)
        for option in ("--check", "--explain"):
            code, output, errors = build_fmu(place, "loop.toml", option)
            assert (code, errors) == (0, "")
            remark = re.search(r"The data of closed loops are rounded: at the start they leave (\S+) of the size open, "
                               r"where all constraints hold as nearly as they go. Implied by the others but for that: "
                               r"(.*)\.", output)
            assert (remark is not None) == remarked
            if remarked:
                assert 3e-7 < float(remark[1]) < 1e-6
                # Of five constraints two are independent.
                assert len(remark[2].split(",")) + remark[2].count(" and ") == 3


def test_check_writes_nothing(place):
    code, output, errors = build_fmu(place, MODEL, "--check")
    assert (code, errors) == (0, "")
    assert files_below(place) == []


def test_explain_says_what_was_found(place):
    code, output, errors = build_fmu(place, MODEL, "--explain")
    assert (code, errors) == (0, "")
    for text in ["degrees of freedom", "x1", "x2", "x3", "guide", "position", "guide_force", "partitioned", "dopri5",
                 "\n  1. positions: s_p = 1, n_p = 3 - 1 = 2 free, fixed: x1 and x3\n",
                 "\n  2. velocities: s_v = 0, n_v = 3 - 1 = 2 free, fixed: der(x1) and der(x3)\n",
                 "\n  3. accelerations, above, and multipliers, below: s_a = 0\n"]:
        assert text in output
    assert files_below(place) == []


ARM = """
[mechanism]
name = "Arm"
dimension = "planar"
[inputs]
u = { unit = "rad" }
[bodies.arm]
mass = 1
inertia = 1
[joints.A]
type = "revolute"
parent = "ground"
child = "arm"
angle = { motion = "u", filter = 0.1 }
"""
HAND = """
[bodies.hand]
mass = 1
inertia = 1
[joints.B]
type = "revolute"
parent = "arm"
child = "hand"
"""


def test_a_filter_is_told_among_the_degrees_of_freedom(place):
    (place / "arm.toml").write_text(ARM)
    assert build_fmu(place, "arm.toml", "--check")[1] == (
        "Arm: no errors, 1 degree of freedom (that of the filter of A.angle)\n")
    assert "n_p = 2 - 1 = 1 free, fixed: the filter of A.angle\n" in build_fmu(place, "arm.toml", "--explain")[1]
    (place / "hand.toml").write_text(ARM + HAND)
    assert ("2 degrees of freedom (one is that of the filter of A.angle): 3 coordinates, the filter's among them - 1 "
            "independent constraint of 1\n") in build_fmu(place, "hand.toml", "--explain")[1]


def test_symbolic_is_part_of_explain(place):
    code, output, errors = build_fmu(place, MODEL, "--explain", "--symbolic")
    assert (code, errors) == (0, "")
    assert output.startswith(build_fmu(place, MODEL, "--explain")[1])
    for text in ["guide  0 = -rho*sin(x3) + x2\n", "C(guide, x3)  = -rho*cos(x3)\n", "D(x3, x2)  = rho*cos(x3)\n"]:
        assert text in output
    code, _, errors = build_fmu(place, MODEL, "--symbolic")
    assert code == 2 and "--symbolic is said with --explain" in errors


def test_settings_replace_values_before_reading(place):
    code, output, errors = build_fmu(place, MODEL, "--set", "rho=2*", "--set", "rho=0.25", "--fmi", "2")
    assert (code, errors) == (0, "")
    with zipfile.ZipFile(place / "fmus" / "2.0" / f"{NAME}.fmu") as fmu:
        description = fmu.read("modelDescription.xml").decode()
    assert re.search(r'name="rho"[^>]*>\s*<Real[^>]*start="0.25"', description)


def test_summary_says_where_the_files_are(exported):
    folder, output = exported
    assert files_below(folder) == [f"2.0/{NAME}.fmu", f"3.0/{NAME}.fmu"]
    assert "2 degrees of freedom" in output
    for file in files_below(folder):
        assert f"fmus/{file}" in output


def test_the_printed_line_runs_any_model(exported, model, tmp_path, monkeypatch):
    """Runs the line with another FMU in place of its own; only once in a process, which takes longer than most runs."""
    folder, output = exported
    command = next(line for line in output.splitlines() if line.startswith("run it: ")).removeprefix("run it: ").split()
    assert command[-1] == f"fmus/3.0/{NAME}.fmu" and command[-2] == f"{NAME}.csv"
    command[-2:] = [str(tmp_path / "result.csv"), str(fmu_path(model, "3.0"))]
    if MECHANISMS[model]["mechanism"]["name"] == NAME:
        run = subprocess.run(command, cwd=folder.parent, text=True, capture_output=True)
        assert (run.returncode, run.stderr) == (0, "")
    else:
        assert pathlib.Path(command[0]).name == "fmpy"
        monkeypatch.setattr(sys, "argv", command)
        fmpy.cli.main()
    rows = (tmp_path / "result.csv").read_text().splitlines()
    stop = MECHANISMS[model].get("solver", {}).get("stop_time", 10)
    assert rows[0].startswith('"time"') and float(rows[-1].split(",")[0]) == pytest.approx(stop)


def test_same_input_gives_same_bytes(place, exported):
    folder, _ = exported
    code, _, _ = build_fmu(place, MODEL, "--output", "elsewhere/deep")
    assert code == 0
    assert files_below(place) == [f"elsewhere/deep/{file}" for file in files_below(folder)]
    for file in files_below(folder):
        assert (place / "elsewhere/deep" / file).read_bytes() == (folder / file).read_bytes()


def test_sources_may_be_left_out(place, exported):
    folder, _ = exported
    assert build_fmu(place, MODEL, "--no-sources")[0] == 0
    for version in ("2.0", "3.0"):
        with zipfile.ZipFile(place / "fmus" / version / f"{NAME}.fmu") as without, \
                zipfile.ZipFile(folder / version / f"{NAME}.fmu") as complete:
            kept = [name for name in complete.namelist() if not name.startswith("sources/")]
            assert sorted(without.namelist()) == sorted(kept) != sorted(complete.namelist())
            assert b"SourceFiles" not in without.read("modelDescription.xml")


def test_file_or_folder_may_be_given(place, exported):
    folder, _ = exported
    shutil.copytree(ROOT / "models" / MODEL, place / "mine")
    assert build_fmu(place, "mine/mechanism.toml", "--fmi", "3")[0] == 0
    assert files_below(place / "fmus") == [f"3.0/{NAME}.fmu"]
    assert build_fmu(place, "mine", "--fmi=2")[0] == 0
    for file in files_below(folder):
        assert (place / "fmus" / file).read_bytes() == (folder / file).read_bytes()


def test_archive_is_plain(exported):
    folder, _ = exported
    for file in files_below(folder):
        names = zipfile.ZipFile(folder / file).namelist()
        assert names[0] == "modelDescription.xml" and names[1:] == sorted(names[1:])
        assert not any(name.startswith(("/", ".")) or "\\" in name or name.endswith("/") for name in names)


def test_library_needs_only_libc_and_libm_and_shows_only_fmi(place, exported):
    folder, _ = exported
    for file, prefix in [(f"2.0/{NAME}.fmu", "fmi2"), (f"3.0/{NAME}.fmu", "fmi3")]:
        with zipfile.ZipFile(folder / file) as archive:
            library = [name for name in archive.namelist() if name.endswith(".so")]
            assert len(library) == 1
            (place / "library.so").write_bytes(archive.read(library[0]))
            sizes = {item.filename: item.compress_size for item in archive.infolist()}
        sources = sum(size for name, size in sizes.items() if name.startswith("sources/"))
        assert sources <= 1e6 and sum(sizes.values()) - sources <= 600e3
        dynamic = subprocess.run(["objdump", "-p", place / "library.so"], capture_output=True, text=True).stdout
        needed = [line.split()[1] for line in dynamic.splitlines() if line.startswith("  NEEDED")]
        assert set(needed) <= {"libc.so.6", "libm.so.6"}
        shown = subprocess.run(["nm", "-D", "--defined-only", place / "library.so"], capture_output=True,
                               text=True).stdout
        names = [line.split()[-1] for line in shown.splitlines()]
        assert f"{prefix}DoStep" in names
        assert all(name.startswith(("fmi2", "fmi3")) for name in names)


@pytest.mark.parametrize("seconds", [0.15, 0.5, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_export_leaves_nothing(place, seconds, kind):
    process = start(place, MODEL)
    time.sleep(seconds)
    process.send_signal(kind)
    process.communicate()
    finished = process.returncode == 0
    assert finished or process.returncode == -kind
    assert files_below(place) == ([f"fmus/2.0/{NAME}.fmu", f"fmus/3.0/{NAME}.fmu"] if finished else [])


def test_failed_export_keeps_the_old_files(place):
    old = place / "fmus" / "2.0" / f"{NAME}.fmu"
    old.parent.mkdir(parents=True)
    old.write_text("as it was")

    def no_large_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    code, output, errors = build_fmu(place, MODEL, preexec_fn=no_large_files)
    assert (code, output) == (1, "")
    assert errors
    assert files_below(place) == [f"fmus/2.0/{NAME}.fmu"]
    assert old.read_text() == "as it was"


@pytest.mark.parametrize("folder, message", [
    ("/proc/x", "the folder '/proc/x' cannot be made: "),
    ("file", "the folder 'file' cannot be made: "),
    ("file/below", "the folder 'file/below' cannot be made: "),
    ("/proc", "'/proc/2.0' cannot be written: "),
])
def test_output_that_cannot_be_written_is_told(place, folder, message):
    (place / "file").write_text("as it was")
    code, output, errors = build_fmu(place, MODEL, "--output", folder)
    assert (code, output) == (1, "")
    assert errors.startswith(f"build_fmu: {message}")
    assert errors.endswith(" with --output\n") and len(errors.splitlines()) == 1
    assert files_below(place) == ["file"]
    assert (place / "file").read_text() == "as it was"


BREAKS_OFF = """
[mechanism]
name = "BreaksOff"
[parameters]
m = { value = 1, unit = "kg" }
[coordinates]
x = { unit = "m", start = 1, fixed = true, rate_start = -1, rate_fixed = true }
[definitions]
root = "sqrt(x)"
[dynamics]
kinetic_energy = "m*der(x)^2/2"
[outputs.depth]
value = "root"
[solver]
stop_time = 2
"""


def test_simulation_that_stops_is_told_and_shown(place):
    (place / "breaks_off.toml").write_text(BREAKS_OFF)
    code, output, errors = build_fmu(place, "breaks_off.toml", "--run")
    assert code == 1
    assert re.fullmatch(r"build_fmu: the simulation stopped at t = (0\.99\d*|1) s: .*not a number.*\n", errors)
    assert files_below(place / "fmus") == ["2.0/BreaksOff.fmu", "3.0/BreaksOff.fmu", "BreaksOff.html"]
    for file in files_below(place / "fmus"):
        assert f"fmus/{file}" in output
    page = (place / "fmus" / "BreaksOff.html").read_text()
    assert "The simulation stopped at t = " in page
    time_axis = json.loads(re.search(r"const time = (\[.*?\]);", page).group(1))
    assert len(time_axis) >= 500 and 0.99 < time_axis[-1] <= 1


def test_a_first_step_that_fails_is_told_as_a_mistake_of_the_mechanism(place):
    (place / "breaks_off.toml").write_text(BREAKS_OFF + "communication_step = 1.5\n")
    code, output, errors = build_fmu(place, "breaks_off.toml")
    assert (code, output) == (1, "")
    assert errors == ("breaks_off.toml:2:2: the mechanism has a start, but it does not come through its first "
                      "communication step: depth is not a number at 1.5 s\n")
    assert files_below(place) == ["breaks_off.toml"]


def test_run_writes_a_report_that_needs_no_network(place):
    code, output, errors = build_fmu(place, MODEL, "--run")
    assert (code, errors) == (0, "")
    assert f"fmus/{NAME}.html" in output
    page = (place / "fmus" / f"{NAME}.html").read_text()
    for text in ["Plotly.newPlot", '"name":"x1"', '"name":"constraint.guide.multiplier"', '"name":"energy.kinetic"',
                 '"name":"solver.position_violation"', f"Made by {name_and_version()}."]:
        assert text in page
    assert "<script src" not in page and "<link" not in page
