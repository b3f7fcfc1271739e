"""Packs and validates FMUs: finish_fmu.py VERSION… in a folder that has, for each FMI version ("2.0", "3.0"), what goes
into its FMU as the folder VERSION. Writes VERSION.fmu. Says what is wrong and ends with 1 if an FMU is not valid.
"""

import math
import os
import sys
import zipfile

from fmpy.model_description import read_model_description
from fmpy.simulation import simulate_fmu
from fmpy.validation import validate_fmu


def pack(folder, archive):
    """The same content gives the same bytes: sorted names, a fixed time, fixed permissions."""
    names = sorted(
        os.path.relpath(os.path.join(path, file), folder).replace(os.sep, "/")
        for path, _, files in os.walk(folder)
        for file in files
    )
    names.sort(key=lambda name: (name != "modelDescription.xml", name))  # what importers look for first
    with zipfile.ZipFile(archive, "w") as zipped:
        for name in names:
            entry = zipfile.ZipInfo(name, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, which gives the next line its meaning
            entry.external_attr = (0o100755 if name.endswith(".so") else 0o100644) << 16
            with open(os.path.join(folder, name), "rb") as file:
                zipped.writestr(entry, file.read())


def problems_in_one_step(folder):
    """Loads the library, initialises, reads every variable, makes one step, reads again."""
    model = read_model_description(folder, validate=False)
    names = [variable.name for variable in model.modelVariables
             if variable.type in ("Real", "Float64") and variable.causality != "independent"]
    step = float(model.defaultExperiment.stepSize)
    try:
        rows = simulate_fmu(folder, validate=False, model_description=model, start_time=0, stop_time=step,
                            output_interval=step, output=names)
    except Exception as error:
        return [f"initialising and making one step fails: {error}"]
    return [f"{name} is {row[name]} at time {row['time']:g}"
            for row in rows for name in names if not math.isfinite(row[name])]


def main(versions):
    valid = True
    for version in versions:
        archive = f"{version}.fmu"
        pack(version, archive)
        for problem in validate_fmu(archive) or problems_in_one_step(os.path.abspath(version)):
            valid = False
            print(f"the FMU for FMI {version} is not valid: {problem}")
    return 0 if valid else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
