"""Measures what exported FMUs cost, and whether they keep the limits: run.py [BUILD]. Prints the results and writes
them to benchmarks/results.md. `./run_benchmarks` builds what it needs and calls it. Other programs always disturb a
machine: times are processor times, the best of many, and one program measures those that are compared in turn."""

import csv
import functools
import pathlib
import re
import shutil
import subprocess
import sys
import time
import tomllib
import zipfile

import fmpy

import results_page
from machine import machine
from results_page import GOALS, LONGEST_EXPORT, LONGEST_REPEATED_EXPORT, METHODS, TOLERANCES, Export, Run

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()
WORK = BUILD / "benchmarks"

# Accuracy is measured for this mechanism; the largest error of these variables counts.
MODELS = {
    "simple_pendulum": ["x", "y"],
    "four_bar_equations": ["theta1", "theta2", "theta3"],
    "andrews_equations": ["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"],
    "four_bar_windows": ["B0_position.x", "B0_position.y"],
    "andrews_squeezer": ["O.angle", "H.angle", "B.angle", "A5.angle", "E.angle", "A7.angle", "G.angle"],
    "bricard": ["P2.x", "P2.y", "P2.z"],
}
EARLIER = {"bricard": [1.25]}  # times that also count, at which the mechanism is back at its start
CRANKS = {"four_bar_equations": "theta1", "four_bar": "A.angle"}  # models of one linkage, and its crank's angle
SINGLE_STEP, READS = "four_bar", 100  # model for the cost of calls: one step of it, reading so many variables
REPEATED = "four_bar_windows", "N=40"  # model and setting of a long export
FINE_TOLERANCES = [10 ** (-i / 4) for i in range(20, 41)]  # show what a given accuracy takes
GROWTH = {  # sizes by model; CMakeLists.txt compiles them
    "four_bar_windows": (5, 10, 20, 40, 100, 200, 400, 1000),  # numbers of windows
    "hanging_chain": (5, 10, 20, 50),  # numbers of links
    "spring_net": (3, 5, 10),  # nodes in a row and in a column
}
ROUNDS = 5  # repetitions of each measurement, with all others between
SECONDS = 0.05  # seconds for which each round repeats a simulation

# --- Running things ---------------------------------------------------------------------------------------------------


def run(*command):
    """Returns numbers or words that a program prints."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def numbers(*command):
    return [[float(word) for word in line.split()] for line in run(*command).splitlines()]


def mechanism_file(model):
    return ROOT / "models" / model / "mechanism.toml"


@functools.cache
def mechanism(model):
    return tomllib.loads(mechanism_file(model).read_text(encoding="utf-8"))


class Fmu:
    """Holds the unpacked FMI 3.0 FMU of a model whose file asks for this method."""

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
        """Returns the best time of all doSteps of a simulation and of one call that reads the names, and the values at
        the end."""
        references = [self.references[name] for name in names]
        row = numbers(BUILD / "host", self.library, self.token, tolerance, stop, steps, SECONDS, *references)[0]
        return row[0], row[1], row[2:]


def reference(model, names):
    """Returns values by time."""
    with open(ROOT / "models" / model / "reference.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {float(row["time"]): [float(row[name]) for name in names] for row in rows}


# --- Measurements -----------------------------------------------------------------------------------------------------


def measure_simulations():
    """Returns runs by (model, method, tolerance, communication steps)."""
    cases = [(model, method, tolerance, steps) for steps in (1, 1000) for model in MODELS for method in METHODS
             for tolerance in TOLERANCES]
    cases += [(goal.model, "dop853", tolerance, 1) for goal in GOALS for tolerance in FINE_TOLERANCES
              if tolerance not in TOLERANCES]
    fmus = {(model, method): Fmu(model, method) for model in MODELS for method in METHODS}
    expected = {model: reference(model, names) for model, names in MODELS.items()}
    runs = {case: Run() for case in cases}
    for _ in range(ROUNDS):
        for (model, method, tolerance, steps), result in runs.items():
            stop = mechanism(model)["solver"]["stop_time"]
            result.error = 0
            for end in (*EARLIER.get(model, ()), stop):
                taken, _, values = fmus[model, method].simulate(
                    tolerance, end, max(1, round(steps * end / stop)), [*MODELS[model], "solver.evaluations"])
                result.error = max(result.error, *(abs(a - b) for a, b in zip(values, expected[model][end])))
            result.time = min(result.time, taken)
            result.evaluations = round(values[-1])
    return runs


def measure_linkage():
    """Returns by model of the four-bar: nanoseconds of the exported and of the minimal equations, the best of several
    runs of the program, and how far apart their solutions are."""
    results = {}
    for model, crank in CRANKS.items():
        rows = [numbers(BUILD / f"evaluation_{model}", crank)[0] for _ in range(ROUNDS)]
        results[model] = min(row[0] for row in rows), min(row[1] for row in rows), rows[0][3]
    return results


def models():
    return sorted(path.parent.name for path in (ROOT / "models").glob("*/mechanism.toml"))


def measure_evaluations():
    """Returns by model: degrees of freedom, velocities, independent constraints, nanoseconds of an evaluation."""
    results = {}
    for model in models():
        lives = [numbers(BUILD / f"evaluation_of_{model}")[0] for _ in range(ROUNDS)]
        results[model] = (*map(round, lives[0][:3]), min(life[3] for life in lives))
    return results


def measure_growth():
    """Returns by model and size: degrees of freedom, nanoseconds of an evaluation."""
    results: dict[str, dict[int, tuple[int, float]]] = {}
    for model, sizes in GROWTH.items():
        results[model] = {}
        for size in sizes:
            lives = [numbers(BUILD / f"evaluation_of_{model}_{size}")[0] for _ in range(ROUNDS)]
            results[model][size] = round(lives[0][0]), min(life[3] for life in lives)
    return results


def measure_overhead():
    """Returns by model: nanoseconds of a step through FMI and directly, for steps alone and with inputs set. Each
    difference comes from one run of the program, in which both have the same memory; the result is the median of
    several runs."""
    results: dict[str, list[list[float]]] = {}
    for model in MODELS:
        lives = [numbers(BUILD / f"overhead_{model}") for _ in range(ROUNDS)]
        assert all(row[2] == 0 for life in lives for row in life), "FMI and the core must compute the same"
        results[model] = []
        for of_lives in zip(*lives):
            rows = sorted(of_lives, key=lambda row: row[0] - row[1])
            results[model].append(rows[len(rows) // 2])
    return results


def measure_calls():
    """Returns nanoseconds of a doStep that is one step of a fixed-step method, and of reading this many states after
    it."""
    fmu, steps = Fmu(SINGLE_STEP, "rk4"), 1000
    states = [name for name in fmu.references if name.endswith(".angle")]
    names = [states[i % len(states)] for i in range(READS)]
    lives = [fmu.simulate(1e-8, steps * 1e-4, steps, names) for _ in range(ROUNDS)]
    return min(life[0] for life in lives) / steps * 1e9, min(life[1] for life in lives) * 1e9


def measure_contacts():
    """Returns by tangential rows, contacts and whether rows depend on each other: nanoseconds of Cholesky's factors,
    how many times longer a cold and a warm solution take, and the most factorisations."""
    lives = [numbers(BUILD / "contacts_cost") for _ in range(ROUNDS)]
    return {tuple(map(round, rows[0][:3])): (min(row[3] for row in rows), min(row[4] for row in rows),
                                             min(row[5] for row in rows), round(rows[0][6]))
            for rows in zip(*lives)}


def fmu_size(path):
    """Returns the bytes of an FMU without sources, and with all."""
    with zipfile.ZipFile(path) as archive:
        # A file is also in the archive's directory, and has a header: 46 and 30 bytes and twice its name.
        sources = sum(entry.compress_size + 76 + 2 * len(entry.filename) for entry in archive.infolist()
                      if entry.filename.startswith("sources/"))
    return path.stat().st_size - sources, path.stat().st_size


def export(model, most, *options):
    """Returns the seconds of an export. If it took longer than allowed, it is repeated at most twice, since the machine
    may have been busy."""
    best = float("inf")
    for _ in range(3):
        begin = time.monotonic()
        run(BUILD / "mechfmu", mechanism_file(model), "--output", WORK / "exports", *options)
        best = min(best, time.monotonic() - begin)
        if best <= most:
            break
    return best


def measure_exports():
    """Returns exports by model."""
    results = {}
    for model in models():
        seconds = export(model, LONGEST_EXPORT)
        name = mechanism(model)["mechanism"]["name"] + ".fmu"
        words = [line.split() for line in run(BUILD / "generate_sources", mechanism_file(model)).splitlines()]
        results[model] = Export(seconds,
                                {version: fmu_size(WORK / "exports" / version / name) for version in ("2.0", "3.0")},
                                {function: int(count) for function, count in words})
    return results


def main():
    print("measuring; this takes some minutes", file=sys.stderr)
    model, setting = REPEATED
    found = results_page.Measurements(
        machine=machine(BUILD), stop_times={name: mechanism(name)["solver"]["stop_time"] for name in MODELS},
        earlier=EARLIER, runs=measure_simulations(), linkage=measure_linkage(), evaluations=measure_evaluations(),
        growth=measure_growth(),
        overhead=measure_overhead(), calls=measure_calls(), contacts=measure_contacts(), exports=measure_exports(),
        repeated=(f"{model} --set {setting}", export(model, LONGEST_REPEATED_EXPORT, "--set", setting)))
    text = results_page.page(found)
    (ROOT / "benchmarks" / "results.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
