"""Compares all ways to resolve the constraints, and the drift corrections: methods.py [BUILD]. Writes
docs/methods-compared.md and its figures. `./run_benchmarks methods` builds what it needs and calls it.

Times are the processor's; what is compared is measured in turn, within one program (benchmarks/methods.cpp)."""

import math
import pathlib
import subprocess
import sys

import numpy

import methods_page
from machine import machine
from methods_measured import Drift, Measurements, Run

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build").resolve()

# Every comparison has these mechanisms, and moves them for these seconds. CMakeLists.txt compiles them.
WINDOWS = {1: "four_bar_windows_1", 2: "four_bar_windows", 5: "four_bar_windows_5", 10: "four_bar_windows_10",
           20: "four_bar_windows_20", 40: "four_bar_windows_40"}
STOPS = {**dict.fromkeys(WINDOWS.values(), 2.0), "andrews_squeezer": 0.03, "bricard": 3.0, "stewart_platform": 2.0,
         "slider_crank": 1.0, "chain_2": 0.3, "chain_12": 1.0}
CHAIN = {rods: f"chain_{rods}" for rods in range(0, 15, 2)}  # 16 links; the keys are numbers of rods
# The keys are numbers of links.
OPEN_CHAINS = {4: "chain_of_4", 6: "chain_of_6", 8: "chain_of_8", 12: "chain_of_12", 16: "chain_0"}
INPUTS = {"stewart_platform": ["force_2=90", "force_3=40", "force_4=75", "force_5=50", "force_6=110"],
          "slider_crank": ["crank_torque=5"]}
OPEN_MODELS = ["gyroscope", "excavator_arm", "flyball_governor"]  # also measured without constraints
TOLERANCE = 1e-8
SINGULAR = {"four_bar_windows_1": 10.0, "four_bar_windows": 10.0, "bricard": 10.0}
TOLERANCES = [10.0**-i for i in range(5, 13)]
# The other integrators go through the same positions with these tolerances, rk4 with these steps in seconds.
PASSING = {"dopri5": TOLERANCES, "rodas": TOLERANCES[:5], "rk4": [0.02, 0.01, 0.005, 0.002, 0.001]}
# Bodies that roll or turn freely, and seconds of their motion.
ROLLING = {"rolling_disk": 10.0, "gyroscope": 5.0, "unicycle": 5.0, "excavator_arm": 5.0}
MATRICES = 200  # positions of a motion at which conditions are measured

# The drift is measured over 10^5 steps of rk4 with this step in seconds, for these corrections and gains.
DRIFT = {"four_bar": 1e-2, "four_bar_windows": 1e-2, "bricard": 1e-2, "chain_12": 2e-3}
DRIFT_STEPS = 100_000
CORRECTIONS = [("none", 0, 0), ("projection", 0, 0), ("integral", 20, 100), ("integral", 5, 6.25),
               ("baumgarte", 2, 1), ("baumgarte", 20, 100), ("baumgarte", 100, 2500)]


def lines(mechanism, *words):
    command = [str(word) for word in (BUILD / f"methods_{mechanism}", *words, *INPUTS.get(mechanism, []))]
    print(*command[0:1], *words, file=sys.stderr)
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout.splitlines()


def measure_evaluations(mechanism, stop):
    """Returns by member ns compiled for the sizes, and with sizes at run time; None if it cannot serve the
    mechanism."""
    result = {}
    for line in lines(mechanism, "evaluation", stop):
        member, *numbers = line.split()
        result[member] = None if numbers == ["failed"] else tuple(map(float, numbers))
    return result


def measure_simulations(mechanism, stop, tolerances, *passing):
    """Returns runs by member and tolerance, or step. Words in `passing` ask for another integrator."""
    result = {}
    for line in lines(mechanism, *(("passing", stop, *passing) if passing else ("simulation", stop)), *tolerances):
        member, tolerance, *words = line.split(maxsplit=2)[:2] + line.split(maxsplit=2)[2].split(" ")
        if words[0] == "failed":
            result[member, float(tolerance)] = Run(failure=" ".join(words[1:]))
            continue
        steps, rejected, evaluations, switches = map(int, words[:4])
        ms, error = map(float, words[4:])
        result[member, float(tolerance)] = Run("", steps, rejected, evaluations, switches, ms, error)
    return result


def measure_conditions(mechanism, stop):
    """Returns condition numbers along a motion, by matrix, from numpy's singular values. None means not regular."""
    text = lines(mechanism, "matrices", stop, MATRICES)
    n, r = map(int, text[0].split())
    result: dict[str, list[float]] = {
        name: [] for name in ("C", "C_d", "[C; G]", "Cᵀ C", "C M^−½", "C M⁻¹ Cᵀ", "M", "[M −Cᵀ; C 0]")}
    for i in range(1, len(text), 3):
        M, C = (numpy.array(line.split(), float) for line in text[i:i + 2])
        M, C = M.reshape(n, n), C.reshape(r, n)
        chosen = list(map(int, text[i + 2].split()))
        others = [j for j in range(n) if j not in chosen]
        of_C = numpy.linalg.cond(C)
        result["C"].append(of_C)
        result["C_d"].append(numpy.linalg.cond(C[:, others]))
        result["[C; G]"].append(numpy.linalg.cond(numpy.vstack([C, numpy.eye(n)[chosen]])))
        result["Cᵀ C"].append(of_C**2)  # without its zeros
        of_M = numpy.linalg.cond(M)
        result["M"].append(of_M)
        regular = of_M < 1e14
        product = numpy.linalg.cond(C @ numpy.linalg.solve(M, C.T)) if regular else math.inf
        result["C M⁻¹ Cᵀ"].append(product)
        result["C M^−½"].append(math.sqrt(product))
        result["[M −Cᵀ; C 0]"].append(numpy.linalg.cond(numpy.block([[M, -C.T], [C, numpy.zeros((r, r))]])))
    return {name: (float(numpy.median(values)), max(values)) for name, values in result.items()}


def measure_drift(mechanism, step, kind, gain_1, gain_0):
    found = Drift([])
    for line in lines(mechanism, "drift", step * DRIFT_STEPS, step, kind, gain_1, gain_0):
        words = line.split()
        if words[0] == "failed":
            found.failure = line.removeprefix("failed ").split(" ", 1)[1]
        else:
            found.violations.append((int(words[0]), float(words[1]), float(words[2])))
    return found


def measure_sizes(mechanism, stop):
    return tuple(map(int, lines(mechanism, "matrices", stop, 1)[0].split()))


def main():
    print("measuring; this takes some ten minutes", file=sys.stderr)
    timed = {**dict.fromkeys((*CHAIN.values(), *OPEN_CHAINS.values(), *OPEN_MODELS), 0.3), **STOPS}
    found = Measurements(
        machine=machine(BUILD), windows=WINDOWS, stops=STOPS, chain=CHAIN, open_chains=OPEN_CHAINS,
        open_models=OPEN_MODELS, tolerance=TOLERANCE, tolerances=TOLERANCES, matrices=MATRICES, drift_steps=DRIFT,
        drift_count=DRIFT_STEPS,
        runs={name: measure_simulations(name, stop, [TOLERANCE]) for name, stop in STOPS.items()},
        singular={name: measure_simulations(name, stop, TOLERANCES) for name, stop in SINGULAR.items()},
        passing={(name, method): measure_simulations(name, stop, values, method)
                 for name, stop in SINGULAR.items() for method, values in PASSING.items()},
        rolling={name: measure_simulations(name, stop, [TOLERANCE]) for name, stop in ROLLING.items()},
        conditions={name: measure_conditions(name, stop) for name, stop in STOPS.items()},
        drift={(name, *correction): measure_drift(name, step, *correction)
               for name, step in DRIFT.items() for correction in CORRECTIONS},
        evaluations={name: measure_evaluations(name, stop) for name, stop in timed.items()},
        sizes={name: measure_sizes(name, stop) for name, stop in timed.items()})
    methods_page.write(found, ROOT / "docs")


if __name__ == "__main__":
    main()
