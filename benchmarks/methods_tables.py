"""Makes the tables of docs/methods-compared.md."""

import math

from methods_measured import DEFAULT, NAMES, WITHOUT_BASIS, WITHOUT_CONSTRAINTS, correction_name
from results_page import table

# Pennestrì and Valentini 2007 report these CPU times in s.
REVIEW = {"coordinate_partitioning": 11.45, "qr": 2.64, "putd": 4.83, "svd": 2.73, "zero_eigenvalue": 2.72,
          "schur": 2.74, "udwadia_kalaba": 3.17}
# A member factors these matrices, with their names in benchmarks/methods.py.
FACTORED = {"partitioned": "C_d", "gram_schmidt": "C M^−½", "qr": "C", "lu": "C", "svd": "C",
            "zero_eigenvalue": "Cᵀ C", "schur": "Cᵀ C", "putd": "C", "qtz": "C", "local_frames": "[C; G]",
            "successive_orthogonal": "C", "coordinate_partitioning": "C_d", "range_space": "C M⁻¹ Cᵀ",
            "null_space_block": "C",
            "udwadia_kalaba": "C M^−½", "kkt": "[M −Cᵀ; C 0]"}
# These words of a message go into a cell to say why a simulation failed.
REASONS = (("needs ideal", "refuses"), ("restricts velocities", "refuses"), ("needs it so", "refuses"),
           ("get on", "does not get on"))


def code(name):
    return f"`{name}`"


def significant(value, digits=3):
    if not math.isfinite(value):
        return "—"
    if value == 0:
        return "0"
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"


def outcome(run, show):
    """Returns the result of a run, or why it failed."""
    if run.failure:
        return next((brief for words, brief in REASONS if words in run.failure), "stops")
    return "off the branch" if run.lost else show(run)


def by_mechanism(found, cell):
    """Returns a table with a row for each member and a column for each mechanism."""
    return table(["", *(NAMES[mechanism] for mechanism in found.stops)],
                 [[code(member), *(cell(mechanism, member) for mechanism in found.stops)] for member in found.members])


def times(found):
    def cell(mechanism, member):
        value = significant(found.time(mechanism, member))
        return f"**{value}**" if member == found.fastest(mechanism) else value

    return by_mechanism(found, cell)


def sizes(found):
    return table(["", *(NAMES[mechanism] for mechanism in found.stops)],
                 [["n", *(str(found.sizes[mechanism][0]) for mechanism in found.stops)],
                  ["independent constraints", *(str(found.sizes[mechanism][1]) for mechanism in found.stops)]])


def run_time_sizes(found, mechanisms):
    head = ["", *(text for mechanism in mechanisms for text in (NAMES[mechanism], "at run time"))]
    return table(head, [[code(member), *(significant(found.time(mechanism, member, late))
                                         for mechanism in mechanisms for late in (False, True))]
                        for member in found.members])


def simulations(found, show):
    """Returns a table with one number of each run to the tolerance."""
    return by_mechanism(found, lambda mechanism, member: outcome(found.runs[mechanism][member, found.tolerance], show))


def singular(found, mechanism):
    runs = found.singular[mechanism]
    return table(["", *(f"{tolerance:.0e}" for tolerance in found.tolerances)],
                 [[code(member), *(outcome(runs[member, t], lambda run: f"{run.error:.0e}") for t in found.tolerances)]
                  for member in found.members])


def passing(found, mechanism):
    """Says of each integrator how many runs stopped or left the branch."""
    def cell(method, member):
        stopped, left, count = found.passed(mechanism, method, member)
        told = [f"{stopped} stop" if stopped else "", f"{left} off the branch" if left else ""]
        return ", ".join(filter(None, told)) or f"all {count} pass"

    methods = [method for name, method in found.passing if name == mechanism]
    return table(["", *map(code, methods)],
                 [[code(member), *(cell(method, member) for method in methods)] for member in found.members])


def rolling(found):
    """Shows steps and the time of a simulation with a basis and without one."""
    members = [DEFAULT, "qr", WITHOUT_CONSTRAINTS]
    rows = []
    for mechanism, runs in found.rolling.items():
        of = {member: runs[member, found.tolerance] for member in members}
        rows.append([NAMES[mechanism], *(outcome(of[m], lambda run: str(run.steps + run.rejected)) for m in members),
                     *(outcome(of[m], lambda run: significant(run.ms)) for m in (DEFAULT, WITHOUT_CONSTRAINTS))])
    return table(["", *(f"{code(m)}, steps" for m in members),
                  *(f"{code(m)}, ms" for m in (DEFAULT, WITHOUT_CONSTRAINTS))], rows)


def conditions(found):
    matrices = list(next(iter(found.conditions.values())))

    def cell(mechanism, matrix):
        median, largest = found.conditions[mechanism][matrix]
        return "singular" if math.isinf(median) else f"{median:.0e}; {largest:.0e}"

    return table(["", *map(code, matrices)], [[NAMES[mechanism], *(cell(mechanism, matrix) for matrix in matrices)]
                                              for mechanism in found.stops])


def factored():
    matrices = dict.fromkeys(FACTORED.values())
    return "\n".join(f"* {code(matrix)}: " + ", ".join(code(m) for m, what in FACTORED.items() if what == matrix)
                     for matrix in matrices)


def review(found, mechanism="slider_crank"):
    run_of = {member: found.runs[mechanism][member, found.tolerance] for member in found.members}
    rows = []
    for member in [*REVIEW, *(member for member in found.members if member not in REVIEW)]:
        theirs = ([f"{REVIEW[member]:.2f}", f"{REVIEW[member] / REVIEW['qr']:.2f}"] if member in REVIEW else ["", ""])
        run = run_of[member]
        rows.append([code(member), *theirs, significant(run.ms), f"{run.ms / run_of['qr'].ms:.2f}",
                     f"{found.ratio(mechanism, member, 'qr'):.2f}"])
    return table(["", "review, s", "to QR", "here, ms", "to `qr`", "one evaluation, to `qr`"], rows)


def chain(found):
    shown = (DEFAULT, "qr", *WITHOUT_BASIS)
    rows = []
    for rods, mechanism in found.chain.items():
        n, r = found.sizes[mechanism]
        rows.append([str(rods), f"{r / n:.2f}", *(significant(found.time(mechanism, member)) for member in shown),
                     code(found.fastest(mechanism))])
    return table(["rods", "m/n", *map(code, shown), "fastest of all"], rows)


def without_constraints(found):
    names = {f"chain of {links}": mechanism for links, mechanism in found.open_chains.items()}
    names |= {code(mechanism): mechanism for mechanism in found.open_models}
    return table(["", "n", f"{code(DEFAULT)}, µs", f"{code(WITHOUT_CONSTRAINTS)}, µs", "ratio"],
                 [[name, str(found.sizes[m][0]), significant(found.time(m, DEFAULT)),
                   significant(found.time(m, WITHOUT_CONSTRAINTS)),
                   f"{found.ratio(m, DEFAULT, WITHOUT_CONSTRAINTS):.1f}"] for name, m in names.items()])


def drift(found):
    head = ["", *(text for m in found.drift_steps for text in (f"{NAMES[m]}: positions", "velocities"))]
    rows = []
    for correction in found.corrections:
        cells = []
        for mechanism in found.drift_steps:
            run = found.drift[mechanism, *correction]
            _, position, velocity = run.violations[-1]
            cells += [f"{position:.0e}" + (" *" if run.failure else ""), f"{velocity:.0e}"]
        rows.append([correction_name(*correction), *cells])
    return table(head, rows)
