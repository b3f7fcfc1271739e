"""Packs and validates an FMU: finish_fmu.py DRAWING [--sources FOLDER] VERSION in a folder that has what goes into the
FMU for this version of FMI ("2.0", "3.0") as the folder VERSION; FOLDER has as VERSION.zip what goes into every FMU
besides. The icons are made here from the drawing (icon.py). Writes VERSION.fmu. Says what is wrong and ends with 1 if
the FMU is not valid. If the FMU itself refuses its first step, what it says goes into stopped.txt.
"""

import argparse
import functools
import json
import os
import pathlib
import re
import sys
from typing import Any

import lark
import numpy as np
from fmpy.model_description import read_model_description
from fmpy.simulation import simulate_fmu
from fmpy.validation import validate_fmu

from archive import write_archive
from icon import icon


def content(folder: str) -> dict[str, bytes]:
    """Returns the files of a folder, by their names in an archive."""
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in pathlib.Path(folder).rglob("*") if path.is_file()}


def icons(png: bytes, svg: bytes, version: str) -> dict[str, bytes]:
    """Returns files by name. FMI 2's own icon is model.png; both versions have the others."""
    files = {"terminalsAndIcons/icon.png": png, "terminalsAndIcons/icon.svg": svg}
    return files | ({"model.png": png} if version == "2.0" else {})


def parse_names_once() -> None:
    """Makes FMPy parse names that differ only in numbers once. FMPy parses the name of every variable, which takes
    milliseconds each; a large mechanism has tens of thousands, most of which differ only in their numbers."""
    parse = functools.cache(lark.Lark.parse)

    def parse_without_numbers(parser: lark.Lark, name: str) -> Any:
        return parse(parser, re.sub(r"[0-9]+", "1", name))

    lark.Lark.parse = parse_without_numbers  # type: ignore[assignment, method-assign]


def problems_in_one_step(folder: str) -> list[str]:
    """Loads the library, initialises, reads every variable, makes one step, reads again; returns what went wrong."""
    said: list[str] = []

    def log(*arguments: Any) -> None:
        said.append(arguments[-1].decode())

    model = read_model_description(folder, validate=False)
    names = [variable.name for variable in model.modelVariables
             if variable.type in ("Real", "Float64") and variable.causality != "independent"]
    step = float(model.defaultExperiment.stepSize)
    try:
        rows = simulate_fmu(folder, validate=False, model_description=model, start_time=0, stop_time=step,
                            output_interval=step, output=names, logger=log)
    except Exception as error:
        if said:
            without_function = re.sub(r"^fmi\w+: ", "", said[-1])
            pathlib.Path("stopped.txt").write_text(without_function, encoding="utf-8")
        return [f"initialising and making one step fails: {error}", *said]
    return [f"{name} is {row[name]} at time {row['time']:g}"
            for row in rows for name in names if not np.all(np.isfinite(row[name]))]


def sources_of(version: str, folder: pathlib.Path) -> pathlib.Path:
    """Returns the folder of the archive with what the FMU is made of beside its own files."""
    equations = (pathlib.Path(version) / "sources" / "equations.cpp").read_text(encoding="utf-8")
    return folder / "contacts" if re.search(r"make_\w+_changes", equations) else folder


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("drawing", type=pathlib.Path)
    parser.add_argument("--sources", metavar="FOLDER", type=pathlib.Path)
    parser.add_argument("version")
    options = parser.parse_args(arguments)
    png, svg = icon(json.loads(options.drawing.read_text(encoding="utf-8")))
    parse_names_once()
    version, archive = options.version, f"{options.version}.fmu"
    write_archive(archive, content(version) | icons(png, svg, version),
                  options.sources and sources_of(version, options.sources) / f"{version}.zip")
    problems = validate_fmu(archive) or problems_in_one_step(os.path.abspath(version))
    for problem in problems:
        print(f"the FMU for FMI {version} is not valid: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
