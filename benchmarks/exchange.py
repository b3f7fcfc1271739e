"""Compares model exchange, integrated by FMPy's CVode (backward differentiation), with co-simulation of the same FMUs:
exchange.py [BUILD]. Prints the table of docs/fmi.md; errors are relative to 1 + the largest value, against
co-simulation with a tolerance of 1e-12."""

import pathlib
import subprocess
import sys
import tempfile

import fmpy
import numpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
RUNS = [("four_bar", "FourBar"), ("guided_pendulum", "GuidedPendulum")]
STOP, POINTS = 10, 100


def main():
    print("| model | by | tolerance | evaluations | error of coordinates | error of reactions and other outputs | "
          "largest position violation |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for model, name in RUNS:
            subprocess.run([BUILD / "mechfmu", ROOT / "models" / model, "--fmi", "3", "--output", folder], check=True,
                           stdout=subprocess.DEVNULL)
            compare(model, f"{folder}/3.0/{name}.fmu")


def compare(model, fmu):
    variables = fmpy.read_model_description(fmu, validate=False).modelVariables
    outputs = [v.name for v in variables if v.causality == "output"]
    coordinates = [name for name in outputs if any(v.name == f"{name}_rate" for v in variables)]
    counted = ["solver.evaluations", "solver.position_violation"]

    def run(**options):
        return fmpy.simulate_fmu(fmu, stop_time=STOP, output_interval=STOP / POINTS, output=outputs + counted,
                                 **options)

    def stepped(tolerance):
        return run(fmi_type="CoSimulation", start_values={"solver.tolerance": tolerance})

    def error(rows, names):
        return max(abs(rows[n] - expected[n]).max() / (1 + abs(expected[n]).max()) for n in names)

    expected = stepped(1e-12)
    cases = [("co-simulation", tolerance, stepped(tolerance)) for tolerance in (1e-6, 1e-8)]
    cases += [("model exchange", tolerance, run(fmi_type="ModelExchange", solver="CVode", relative_tolerance=tolerance))
              for tolerance in (1e-8, 1e-10)]
    for number, (kind, tolerance, rows) in enumerate(cases):
        others = [name for name in outputs if name not in coordinates]
        print(f"| {f'`{model}`' if number == 0 else ''} | {kind} | {tolerance:.0e} | {rows[counted[0]].max():.0f} | "
              f"{error(rows, coordinates):.1e} | {error(rows, others):.1e} | "
              f"{numpy.abs(rows[counted[1]]).max():.1e} m |".replace("e-0", "e-"))


if __name__ == "__main__":
    main()
