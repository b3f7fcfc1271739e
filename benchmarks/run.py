"""Measures what exported FMUs cost, and whether they are as good as they have to be: run.py [BUILD]. Prints what it
found and writes it to benchmarks/results.md. `./run_benchmarks` builds what it needs and calls it.

A machine is never quiet: times are the processor's, the best of many, and those that are compared are measured in turn,
within one program."""

import csv
import dataclasses
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import tomllib
import zipfile

import fmpy

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
WORK = BUILD / "benchmarks"

# What is measured for accuracy: the mechanism, and the coordinates whose largest error at the stop time counts.
MODELS = {
    "simple_pendulum": ["x", "y"],
    "four_bar_equations": ["theta1", "theta2", "theta3"],
    "andrews_equations": ["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"],
}
METHODS = ("dopri5", "dop853")
TOLERANCES = [10.0**-i for i in range(5, 13)]
FINE_TOLERANCES = [10 ** (-i / 4) for i in range(28, 41)]  # to find what a given accuracy takes
ROUNDS = 5  # each measurement is repeated this often, with all others between
SECONDS = 0.05  # that a simulation is repeated for in each round

LARGEST_RATIO = 0.9
ANDREWS_ERROR, ANDREWS_TIME = 1.8e-8, 0.6e-3
LARGEST_OVERHEAD = 0.5e-6
LARGEST_FMU = 600e3
LONGEST_EXPORT = 8.0


# --- Running things ---------------------------------------------------------------------------------------------------


def run(*command):
    """Numbers or words that a program prints."""
    command = [str(word) for word in command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def numbers(*command):
    return [[float(word) for word in line.split()] for line in run(*command).splitlines()]


def mechanism_file(model):
    return ROOT / "models" / model / "mechanism.toml"


@functools.cache
def mechanism(model):
    return tomllib.loads(mechanism_file(model).read_text(encoding="utf-8"))


class Fmu:
    """The FMI 3.0 FMU of a model whose file asks for this method, unpacked."""

    def __init__(self, model, method):
        folder = WORK / f"{model}-{method}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        text = mechanism_file(model).read_text(encoding="utf-8")
        text, count = re.subn(r'^method = ".*"', f'method = "{method}"', text, flags=re.MULTILINE)
        assert count == 1
        (folder / "mechanism.toml").write_text(text, encoding="utf-8")
        run(BUILD / "mechfmu", folder, "--fmi", "3", "--output", folder)
        archive = folder / "3.0" / (mechanism(model)["mechanism"]["name"] + ".fmu")
        fmpy.extract(str(archive), unzipdir=str(folder))
        description = fmpy.read_model_description(str(folder), validate=False)
        self.token = description.guid
        self.references = {variable.name: variable.valueReference for variable in description.modelVariables}
        self.library = next((folder / "binaries").glob("*/*.so"))

    def simulate(self, tolerance, stop, steps, names):
        """Best time of all doSteps of a simulation, and the values at the end."""
        references = [self.references[name] for name in names]
        row = numbers(BUILD / "host", self.library, self.token, tolerance, stop, steps, SECONDS, *references)[0]
        return row[0], row[1:]


def reference_at_end(model, names):
    with open(ROOT / "models" / model / "reference.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert float(rows[-1]["time"]) == mechanism(model)["solver"]["stop_time"]
    return [float(rows[-1][name]) for name in names]


# --- Measurements -----------------------------------------------------------------------------------------------------


@dataclasses.dataclass
class Run:
    """A simulation: best time of its doSteps, error at the end, evaluations of the equations."""

    time: float = float("inf")
    error: float = 0
    evaluations: int = 0


def measure_simulations():
    """Runs by (model, method, tolerance, communication steps)."""
    cases = [(model, method, tolerance, steps) for steps in (1, 1000) for model in MODELS for method in METHODS
             for tolerance in TOLERANCES]
    cases += [("andrews_equations", "dop853", tolerance, 1) for tolerance in FINE_TOLERANCES]
    fmus = {(model, method): Fmu(model, method) for model in MODELS for method in METHODS}
    expected = {model: reference_at_end(model, names) for model, names in MODELS.items()}
    runs = {case: Run() for case in cases}
    for _ in range(ROUNDS):
        for (model, method, tolerance, steps), result in runs.items():
            taken, values = fmus[model, method].simulate(
                tolerance, mechanism(model)["solver"]["stop_time"], steps, [*MODELS[model], "solver.evaluations"])
            result.time = min(result.time, taken)
            result.error = max(abs(a - b) for a, b in zip(values, expected[model]))
            result.evaluations = round(values[-1])
    return runs


def andrews_run(runs):
    """The loosest tolerance from which on the error stays within ANDREWS_ERROR, and its run."""
    found = None, Run()
    for (model, method, tolerance, steps), result in sorted(runs.items(), key=lambda item: item[0][2]):
        if (model, method, steps) == ("andrews_equations", "dop853", 1):
            if result.error > ANDREWS_ERROR:
                break
            found = tolerance, result
    return found


def measure_evaluation():
    """Nanoseconds of the exported and of the minimal equations of the four-bar, best of several programs' lives, and
    how far apart their solutions are."""
    rows = [numbers(BUILD / "evaluation")[0] for _ in range(ROUNDS)]
    return min(row[0] for row in rows), min(row[1] for row in rows), rows[0][3]


def measure_overhead():
    """By model: nanoseconds of a step through FMI and directly, for steps alone and with inputs set. The difference is
    taken within a program's life, where both find the same memory; the median of several lives."""
    results = {}
    for model in MODELS:
        lives = [numbers(BUILD / f"overhead_{model}") for _ in range(ROUNDS)]
        assert all(row[2] == 0 for life in lives for row in life), "FMI and the core must compute the same"
        results[model] = []
        for rows in zip(*lives):
            rows = sorted(rows, key=lambda row: row[0] - row[1])
            results[model].append(rows[len(rows) // 2])
    return results


def fmu_size(path):
    """Bytes of an FMU that are not sources."""
    with zipfile.ZipFile(path) as archive:
        sources = sum(entry.compress_size for entry in archive.infolist() if entry.filename.startswith("sources/"))
    return path.stat().st_size - sources


@dataclasses.dataclass
class Export:
    seconds: float
    sizes: dict  # by FMI version
    operations: dict  # by function


def measure_exports():
    """By model. An export that took too long is repeated twice at most, since the machine may have been busy."""
    results = {}
    for model in sorted(path.parent.name for path in (ROOT / "models").glob("*/mechanism.toml")):
        folder = WORK / "exports"
        best = float("inf")
        for _ in range(3):
            begin = time.monotonic()
            run(BUILD / "mechfmu", mechanism_file(model), "--output", folder)
            best = min(best, time.monotonic() - begin)
            if best <= LONGEST_EXPORT:
                break
        name = mechanism(model)["mechanism"]["name"] + ".fmu"
        words = [line.split() for line in run(BUILD / "generate_sources", mechanism_file(model)).splitlines()]
        results[model] = Export(best, {version: fmu_size(folder / version / name) for version in ("2.0", "3.0")},
                                {function: int(count) for function, count in words})
    return results


# --- The page ---------------------------------------------------------------------------------------------------------


def table(head, rows):
    """Markdown that can be read as it is, too. The first column is text, the others are numbers."""
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]

    def line(first, *others):
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(others, widths[1:]))]
        return "| " + " | ".join(cells) + " |"

    rule = line("-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:]))
    return "\n".join([line(*head), rule, *(line(*row) for row in rows)])


def milliseconds(seconds):
    return f"{seconds * 1e3:.3f}"


def accuracy_table(model, runs):
    head = ["tolerance"]
    for method in METHODS:
        head += [f"{method}: error", "evaluations", "ms", "ms in 1000 steps"]
    rows = []
    for tolerance in TOLERANCES:
        row = [f"{tolerance:.0e}"]
        for method in METHODS:
            one, many = (runs[model, method, tolerance, steps] for steps in (1, 1000))
            row += [f"{one.error:.1e}", str(one.evaluations), milliseconds(one.time), milliseconds(many.time)]
        rows.append(row)
    return table(head, rows)


def machine():
    model = re.search(r"^model name\s*:\s*(.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    compiler = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)[1]
    version = run(compiler, "--version").splitlines()[0]
    return f"{model[1] if model else 'unknown processor'}, {os.cpu_count()} processors; {version}"


def requirements_table(runs, evaluation, overhead, exports):
    rows = []

    def require(what, measured, most, text):
        rows.append([what, text.format(measured), text.format(most), "yes" if measured <= most else "NO"])

    require("evaluation of the four-bar's equations, against the minimal equation", evaluation[0] / evaluation[1],
            LARGEST_RATIO, "{:.2f}")
    require(f"Andrews to {ANDREWS_ERROR:.1e}, dop853, one communication step", andrews_run(runs)[1].time * 1e3,
            ANDREWS_TIME * 1e3, "{:.3f} ms")
    added = {model: rows[0][0] - rows[0][1] for model, rows in overhead.items()}
    model = max(added, key=added.get)
    require(f"what FMI adds to a step ({model})", added[model] * 1e-3, LARGEST_OVERHEAD * 1e6, "{:.3f} µs")
    size, model, version = max((size, model, version) for model, export in exports.items()
                               for version, size in export.sizes.items())
    require(f"largest FMU ({model}, FMI {version})", size * 1e-3, LARGEST_FMU * 1e-3, "{:.0f} kB")
    model = max(exports, key=lambda model: exports[model].seconds)
    require(f"longest export ({model}), both FMI versions, validated", exports[model].seconds, LONGEST_EXPORT,
            "{:.1f} s")
    return table(["what", "measured", "at most", "met"], rows)


def page(runs, evaluation, overhead, exports):
    exported, minimal, difference = evaluation
    tolerance, andrews = andrews_run(runs)
    functions = list(next(iter(exports.values())).operations)
    parts = [
        "# Measurements",
        f"{machine()}. Processor times, the best of many; exports in seconds of the clock. Written by "
        "`./run_benchmarks`.",
        requirements_table(runs, evaluation, overhead, exports),
        "## Evaluation of the equations of motion",
        f"One evaluation of `four_bar_equations` as exported takes {exported:.0f} ns; of the minimal equation in the "
        f"crank angle, derived and simplified by hand, {minimal:.0f} ns. Both run in one program, under the same "
        f"Runge–Kutta steps; in the end their angles differ by {difference:.0e}.",
        "## Accuracy and time",
        "Through the FMU's own doStep, called by a program in C: the largest error of the coordinates at the stop time "
        "against `reference.csv`, evaluations of the equations and time of the whole simulation in one communication "
        "step; time in 1000 equal communication steps. Each method is the one that the mechanism file asks for.",
    ]
    for model in MODELS:
        stop = mechanism(model)["solver"]["stop_time"]
        parts += [f"### {model}, {stop:g} s", accuracy_table(model, runs)]
    if tolerance is not None:
        parts.append(
            f"dop853 stays within {ANDREWS_ERROR:.1e} from tolerance {tolerance:.1e} on: {milliseconds(andrews.time)} "
            f"ms, {andrews.evaluations} evaluations, {andrews.time / andrews.evaluations * 1e9:.0f} ns for each with "
            "all that a step needs. For comparison, on such a machine hand-written C++ for the index-1 equations takes "
            "1.6 ms to the same error, Simbody 3.7 about 400 ms.")
    parts += [
        "## What FMI adds to a step",
        "fmi3DoStep against the same step called on the core, in one program, in turn; a step is one of the "
        "integrator. With inputs set, both sides set all inputs before each step. In nanoseconds.",
        table(["model", "doStep", "core", "FMI adds", "with inputs: doStep", "core", "FMI adds"],
              [[model, *(f"{value:.0f}" for row in rows for value in (row[0], row[1], row[0] - row[1]))]
               for model, rows in overhead.items()]),
        "## Exports",
        "Both FMI versions together, compiled and validated; the size of an FMU for one platform, without sources; and "
        "the arithmetic operations of the generated functions.",
        table(["model", "s", "FMI 2.0, kB", "FMI 3.0, kB", *functions],
              [[model, f"{export.seconds:.1f}", *(f"{size / 1e3:.0f}" for size in export.sizes.values()),
                *(str(export.operations[function]) for function in functions)]
               for model, export in exports.items()]),
    ]
    return "\n\n".join(parts) + "\n"


def main():
    print("measuring; this takes some minutes", file=sys.stderr)
    text = page(measure_simulations(), measure_evaluation(), measure_overhead(), measure_exports())
    (ROOT / "benchmarks" / "results.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
