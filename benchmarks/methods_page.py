"""docs/methods-compared.md from what benchmarks/methods.py has measured, and its figures."""

import dataclasses
import math

from chart import COLORS, GREY, INK, Axis, Line, legend, panel, picture
from results_page import table

DEFAULT = "partitioned"
WITHOUT_BASIS = ("range_space", "null_space_block", "udwadia_kalaba", "kkt")
NAMES = {"four_bar_windows_1": "windows, N = 1", "four_bar_windows": "windows, N = 2",
         "four_bar_windows_5": "windows, N = 5", "four_bar_windows_10": "windows, N = 10",
         "four_bar_windows_20": "windows, N = 20", "four_bar_windows_40": "windows, N = 40",
         "chain_2": "chain, 2 rods", "chain_12": "chain, 12 rods", "andrews_squeezer": "Andrews",
         "bricard": "Bricard", "stewart_platform": "Stewart", "slider_crank": "slider-crank"}
STAND_OUT = {"partitioned": COLORS[0], "local_frames": COLORS[3], "qr": COLORS[1], "lu": COLORS[5],
             "range_space": COLORS[2], "null_space_block": COLORS[4], "kkt": COLORS[6], "gram_schmidt": COLORS[7]}
# CPU times in s that Pennestrì and Valentini 2007 report.
REVIEW = {"lu": 11.45, "qr": 2.64, "putd": 4.83, "svd": 2.73, "zero_eigenvalue": 2.72, "schur": 2.74,
          "udwadia_kalaba": 3.17}
# What a member factors, as benchmarks/methods.py names it.
FACTORED = {"partitioned": "C_d", "gram_schmidt": "C M⁻¹ Cᵀ", "qr": "C", "lu": "C", "svd": "C", "zero_eigenvalue": "C Cᵀ",
            "schur": "C Cᵀ", "putd": "C", "qtz": "C", "local_frames": "[C; G]", "successive_orthogonal": "C",
            "range_space": "C M⁻¹ Cᵀ", "null_space_block": "C", "udwadia_kalaba": "C M⁻¹ Cᵀ", "kkt": "[M −Cᵀ; C 0]"}
OFF_BRANCH = 0.1  # error in m or rad beyond which a motion has left its branch


@dataclasses.dataclass
class Measurements:
    machine: str
    windows: dict  # by number of windows: mechanism
    stops: dict  # by mechanism: s
    chain: dict  # by number of rods: mechanism
    tolerance: float
    tolerances: list
    singular_stops: dict
    matrices: int
    drift_steps: dict  # by mechanism: s of a step
    drift_count: int
    sizes: dict  # by mechanism: n, r
    evaluations: dict  # by mechanism: by member: ns compiled, ns with sizes at run time; None
    runs: dict  # by mechanism: Run by (member, tolerance)
    singular: dict  # the same
    conditions: dict  # by mechanism: by matrix: median, largest
    drift: dict  # Drift by (mechanism, correction, gain 1, gain 0)


def significant(value, digits=3):
    if not math.isfinite(value):
        return "—"
    if value == 0:
        return "0"
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"


def code(name):
    return f"`{name}`"


def members(found):
    return list(next(iter(found.evaluations.values())))


def ns(found, mechanism, member, at_run_time=False):
    times = found.evaluations[mechanism][member]
    return math.nan if times is None else times[at_run_time]


def fastest(found, mechanism):
    return min(members(found), key=lambda member: ns(found, mechanism, member)
               if not math.isnan(ns(found, mechanism, member)) else math.inf)


# --- Tables -----------------------------------------------------------------------------------------------------------


def time_table(found):
    rows = []
    for mechanism in found.stops:
        n, r = found.sizes[mechanism]
        rows.append([NAMES[mechanism], str(n), str(r)])
    head = ["", *(NAMES[mechanism] for mechanism in found.stops)]
    body = [["n; m of which are independent", *(f"{n}; {r}" for n, r in (found.sizes[m] for m in found.stops))]]
    for member in members(found):
        cells = []
        for mechanism in found.stops:
            value = significant(ns(found, mechanism, member) * 1e-3)
            cells.append(f"**{value}**" if member == fastest(found, mechanism) else value)
        body.append([code(member), *cells])
    return table(head, body)


def sizes_table(found, mechanisms):
    head = ["", *(text for m in mechanisms for text in (NAMES[m], "at run time"))]
    body = [[code(member), *(significant(ns(found, m, member, late) * 1e-3) for m in mechanisms for late in (False, True))]
            for member in members(found)]
    return table(head, body)


def runs_table(found, mechanism):
    head = ["", "steps", "rejected", "evaluations", "changes of E*", "ms", "error"]
    body = []
    for member in members(found):
        run = found.runs[mechanism][member, found.tolerance]
        if run.failure:
            body.append([code(member), "—", "", "", "", "", short(run.failure)])
        else:
            body.append([code(member), str(run.steps), str(run.rejected), str(run.evaluations), str(run.switches),
                         significant(run.ms), f"{run.error:.0e}"])
    return table(head, body)


def simulations_table(found):
    """Evaluations and ms of all mechanisms."""
    body = []
    for member in members(found):
        cells = []
        for mechanism in found.stops:
            run = found.runs[mechanism][member, found.tolerance]
            cells.append("fails" if run.failure else f"{run.evaluations}; {significant(run.ms)}; {run.error:.0e}")
        body.append([code(member), *cells])
    return table(["", *(NAMES[mechanism] for mechanism in found.stops)], body)


def switches_sentence(found):
    counted = {NAMES[m]: max(run.switches for run in found.runs[m].values()) for m in found.stops}
    return ", ".join(f"{name} {count}" for name, count in counted.items() if count) or "none"


def short(failure):
    """Why a simulation failed, in a cell."""
    for words, brief in (("regular", "M is singular"), ("mass matrix is singular", "M is singular"), ("needs", "refuses"),
                         ("get on", "does not get on")):
        if words in failure:
            return brief
    return "stops"


def singular_cell(run):
    if run.failure:
        return short(run.failure)
    return "off the branch" if run.error > OFF_BRANCH else f"{run.error:.0e}"


def singular_table(found, mechanism):
    head = ["", *(f"{tolerance:.0e}" for tolerance in found.tolerances)]
    body = [[code(member), *(singular_cell(found.singular[mechanism][member, t]) for t in found.tolerances)]
            for member in members(found)]
    return table(head, body)


def conditions_table(found):
    matrices = list(next(iter(found.conditions.values())))
    used = {matrix: [member for member, factored in FACTORED.items() if factored == matrix] for matrix in matrices}
    body = []
    for mechanism in found.stops:
        cells = []
        for matrix in matrices:
            median, largest = found.conditions[mechanism][matrix]
            cells.append("singular" if math.isinf(median) else f"{median:.0e}; {largest:.0e}")
        body.append([NAMES[mechanism], *cells])
    explained = "\n".join(f"* {code(matrix)}: {', '.join(map(code, names))}" for matrix, names in used.items() if names)
    return explained + "\n\n" + table(["", *map(code, matrices)], body)


def review_table(found, mechanism="slider_crank"):
    own = {member: found.runs[mechanism][member, found.tolerance].ms for member in members(found)}
    rows = []
    for member, seconds in REVIEW.items():
        rows.append([code(member), f"{seconds:.2f}", f"{seconds / REVIEW['qr']:.2f}",
                     significant(own[member] * 1e3), f"{own[member] / own['qr']:.2f}",
                     f"{ns(found, mechanism, member) / ns(found, mechanism, 'qr'):.2f}"])
    for member in members(found):
        if member not in REVIEW:
            rows.append([code(member), "", "", significant(own[member] * 1e3), f"{own[member] / own['qr']:.2f}",
                         f"{ns(found, mechanism, member) / ns(found, mechanism, 'qr'):.2f}"])
    return table(["", "review, s", "to QR", "here, µs", "to `qr`", "one evaluation, to `qr`"], rows)


def chain_table(found):
    head = ["rods", "m/n", *(code(m) for m in (DEFAULT, "qr", *WITHOUT_BASIS)), "fastest"]
    body = []
    for rods, mechanism in found.chain.items():
        n, r = found.sizes[mechanism]
        body.append([str(rods), f"{r / n:.2f}",
                     *(significant(ns(found, mechanism, m) * 1e-3) for m in (DEFAULT, "qr", *WITHOUT_BASIS)),
                     code(fastest(found, mechanism))])
    return table(head, body)


def correction_name(kind, gain_1, gain_0):
    gains = {"integral": f", G₁ = {gain_1:g}, G₀ = {gain_0:g}", "baumgarte": f", K_v = {gain_1:g}, K_p = {gain_0:g}"}
    return kind + gains.get(kind, "")


def drift_table(found):
    mechanisms = list(found.drift_steps)
    head = ["", *(text for m in mechanisms for text in (f"{NAMES[m]}: positions", "velocities", "error"))]
    body = []
    for correction in dict.fromkeys(key[1:] for key in found.drift):
        cells = []
        for mechanism in mechanisms:
            run = found.drift[mechanism, *correction]
            _, position, velocity = run.violations[-1] if run.violations else (0, math.nan, math.nan)
            cells += ["stops" if run.failure else f"{position:.0e}", f"{velocity:.0e}", f"{run.error:.0e}"]
        body.append([correction_name(*correction), *cells])
    return table(head, body)


# --- Figures ----------------------------------------------------------------------------------------------------------


def member_line(member, points):
    color = STAND_OUT.get(member, GREY)
    return Line(member, points, color, "5 3" if member in WITHOUT_BASIS else "", 2.4 if member == DEFAULT else 1.5)


def growth_figure(found):
    lines = [member_line(member, [(count, ns(found, mechanism, member) * 1e-3)
                                  for count, mechanism in found.windows.items()
                                  if not math.isnan(ns(found, mechanism, member))])
             for member in members(found)]
    chart = panel(70, 40, 600, 420, "Four-bar windows in a row: µs of one evaluation",
                  Axis("number of windows N; 2 N + 1 velocities, 2 N constraints", True, 1, 40, list(found.windows)),
                  Axis("µs", True), [line for line in lines if line.points])
    return picture("Time of an evaluation against the number of windows", 860, 520, chart)


def shape_figure(found):
    lines = []
    for member in members(found):
        points = []
        for mechanism in found.chain.values():
            n, r = found.sizes[mechanism]
            points.append((r / n, ns(found, mechanism, member) * 1e-3))
        lines.append(member_line(member, points))
    chart = panel(70, 40, 600, 420, "A chain of 16 links with more and more rods: µs of one evaluation",
                  Axis("m/n, share of constraints", False, 0, 0.9, [0, 0.25, 0.5, 0.75]),
                  Axis("µs", True, 1, 100), lines)
    return picture("Time of an evaluation against the share of constraints", 860, 520, chart)


def drift_figure(found):
    elements, lines = [], []
    for i, (mechanism, step) in enumerate(found.drift_steps.items()):
        lines = []
        for j, correction in enumerate(dict.fromkeys(key[1:] for key in found.drift)):
            run = found.drift[mechanism, *correction]
            points = [(steps, max(position, 1e-17)) for steps, position, _ in run.violations if math.isfinite(position)]
            color = INK if correction[0] == "none" else COLORS[j - 1]
            lines.append(Line(correction_name(*correction), points, color, "6 3" if correction[0] == "integral" else "", 2))
        elements += panel(70 + 330 * i, 40, 250, 300, f"{NAMES[mechanism]}, steps of {step:g} s", Axis("steps of rk4", True, 1, 1e5),
                          Axis("largest violation of a position constraint" if i == 0 else "", True, 1e-17, 10,
                               [10.0**e for e in range(-16, 2, 4)]),
                          [line for line in lines if line.points], names=False)
    elements += legend(70, 405, lines, 4, 240)
    return picture("Violation of the constraints over many steps", 1040, 440, elements)


# --- The page ---------------------------------------------------------------------------------------------------------


def write(found, folder):
    figures = {"methods-windows.svg": growth_figure, "methods-shape.svg": shape_figure, "methods-drift.svg": drift_figure}
    for name, draw in figures.items():
        (folder / "images" / name).write_text(draw(found), encoding="utf-8")
    (folder / "methods-compared.md").write_text(page(found), encoding="utf-8")


def page(found):
    return "\n\n".join(["# Methods compared", time_table(found), simulations_table(found), switches_sentence(found), chain_table(found),
        review_table(found), conditions_table(found), drift_table(found), *(singular_table(found, m) for m in found.singular)]) + "\n"
