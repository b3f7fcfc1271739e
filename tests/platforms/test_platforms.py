"""Tests FMUs on Linux, Windows and 64-bit ARM: libraries are loaded and run there, Windows by wine, ARM by qemu."""

import os
import pathlib
import re
import subprocess

import fmpy
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = pathlib.Path(fmpy.__file__).parent / "c-code"
MODELS = {"four_bar": "FourBar", "guided_pendulum": "GuidedPendulum", "slider_crank": "SliderCrank",
          "stewart_platform": "StewartPlatform"}
# Each has its compiler, the program that runs others, the library's folder in both FMI versions, the end of its name.
PLATFORMS = {
    "linux64": ("gcc", [], {"2.0": "linux64", "3.0": "x86_64-linux"}, ".so"),
    "win64": ("x86_64-w64-mingw32-gcc", ["/usr/lib/wine/wine64"], {"2.0": "win64", "3.0": "x86_64-windows"}, ".dll"),
    "aarch64-linux": ("aarch64-linux-gnu-gcc", ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
                      {"2.0": "aarch64-linux", "3.0": "aarch64-linux"}, ".so"),
}
OTHERS = [platform for platform in PLATFORMS if platform != "linux64"]


def run(*command, **options):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


@pytest.fixture(scope="session")
def drivers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drivers")
    result = {}
    for platform, (compiler, *_) in PLATFORMS.items():
        result[platform] = folder / f"driver-{platform}.exe"
        run(compiler, "-std=c11", "-O1", "-isystem", HEADERS, pathlib.Path(__file__).with_name("driver.c"), "-o",
            result[platform], *([] if platform == "win64" else ["-ldl"]))
    return result


@pytest.fixture(scope="session")
def fmus(tmp_path_factory):
    """Unpacks FMUs with the libraries of all platforms: fmus(model, version)."""
    folder = tmp_path_factory.mktemp("fmus")
    unpacked = {}

    def unpack(model, version):
        if (model, version) not in unpacked:
            name = MODELS[model]
            if not (folder / version / f"{name}.fmu").exists():
                run(ROOT / "build" / "mechfmu", model, "--platform", ",".join(PLATFORMS), "--output", folder)
            target = folder / version / name
            fmpy.extract(str(folder / version / f"{name}.fmu"), unzipdir=str(target))
            unpacked[model, version] = target
        return unpacked[model, version]

    return unpack


def library(folder, model, version, platform):
    _, _, folders, extension = PLATFORMS[platform]
    return folder / "binaries" / folders[version] / (MODELS[model] + extension)


def result_on(platform, drivers, folder, model, version):
    """Returns all outputs at the start and in a hundred steps."""
    description = fmpy.read_model_description(str(folder), validate=False)
    references = [v.valueReference for v in description.modelVariables if v.causality == "output"]
    _, runner, _, _ = PLATFORMS[platform]
    environment = os.environ | {"WINEDEBUG": "-all", "WINEPREFIX": str(drivers[platform].parent / "wine")}
    text = run(*runner, drivers[platform], version[0], library(folder, model, version, platform), description.guid,
               "0.01", "100", *references, env=environment)
    return np.array([[float(word) for word in line.split()] for line in text.splitlines()])


@pytest.mark.parametrize("platform", OTHERS)
@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("model", MODELS)
def test_results_are_those_of_linux(drivers, fmus, model, version, platform):
    folder = fmus(model, version)
    here = result_on("linux64", drivers, folder, model, version)
    there = result_on(platform, drivers, folder, model, version)
    assert here.shape == there.shape and here.shape[0] == 101
    size = 1 + np.abs(here).max(axis=0)
    assert (np.abs(here - there) / size).max() < 1e-9


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_a_windows_library_needs_the_system_only(fmus, version):
    text = run("x86_64-w64-mingw32-objdump", "-p", library(fmus("four_bar", version), "four_bar", version, "win64"))
    assert {name.lower() for name in re.findall(r"DLL Name: (\S+)", text)} <= {"kernel32.dll", "msvcrt.dll"}


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_a_windows_library_shows_functions_of_fmi_only(fmus, version):
    text = run("x86_64-w64-mingw32-objdump", "-p", library(fmus("four_bar", version), "four_bar", version, "win64"))
    names = re.findall(r"^\s*\[\s*\d+\] (\S+)$", text.split("[Ordinal/Name Pointer] Table")[1], re.MULTILINE)
    assert sum(name.startswith("fmi2") for name in names) == 44
    assert sum(name.startswith("fmi3") for name in names) == 75
    assert len(names) == 44 + 75


@pytest.mark.parametrize("model", MODELS)
def test_the_first_glibc_for_arm_is_enough(fmus, model):
    path = library(fmus(model, "3.0"), model, "3.0", "aarch64-linux")
    assert set(re.findall(r"GLIBC_([\d.]+)", run("aarch64-linux-gnu-nm", "-D", path))) == {"2.17"}
    needed = {re.search(r"\[(.*)\]", line)[1] for line in run("aarch64-linux-gnu-readelf", "-d", path).splitlines()
              if "NEEDED" in line}
    assert needed <= {"libc.so.6", "libm.so.6"}


def test_both_versions_have_all_libraries(fmus):
    for version in ("2.0", "3.0"):
        for platform in PLATFORMS:
            assert library(fmus("four_bar", version), "four_bar", version, platform).is_file()
