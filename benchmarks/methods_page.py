"""docs/methods-compared.md from what benchmarks/methods.py has measured, and its figures."""

import methods_tables as tables
from methods_figures import FIGURES
from methods_measured import DEFAULT, NAMES, WITHOUT_BASIS, WITHOUT_CONSTRAINTS

FLAT = ["four_bar_windows_1", "four_bar_windows"]  # through singular positions
LARGEST = "four_bar_windows_40"


def write(found, folder):
    for name, draw in FIGURES.items():
        (folder / "images" / name).write_text(draw(found), encoding="utf-8")
    (folder / "methods-compared.md").write_text(page(found), encoding="utf-8")


def span(values, digits=1):
    return f"{min(values):.{digits}f} to {max(values):.{digits}f}"


def names(members):
    return ", ".join(f"`{member}`" for member in members) or "none"


def short_answer(found):
    closed = [mechanism for mechanism in found.stops if not mechanism.startswith("chain")]
    next_best = [min(found.ratio(mechanism, member, DEFAULT) for member in found.members
                     if member != DEFAULT and found.time(mechanism, member) > 0) for mechanism in closed]
    bases = [member for member in found.members if member not in WITHOUT_BASIS]
    lost = {member: sum(found.lost(mechanism, member) for mechanism in FLAT) for member in found.members}
    tried = len(FLAT) * len(found.tolerances)
    return f"""\
* **Leave `tangent_basis` out.** A mechanism with constraints then gets `{DEFAULT}`. In the closed mechanisms below the
  best of all others takes {span(next_best)} times as long for an evaluation, and `qr`, with 40 windows,
  {found.ratio(LARGEST, "qr", DEFAULT):.0f} times as long, since `{DEFAULT}` leaves out the zeros of C.
* Without constraints the exporter chooses `{WITHOUT_CONSTRAINTS}`, which then factors M along its nonzeros and does nothing else:
  {found.ratio("chain_0", DEFAULT, WITHOUT_CONSTRAINTS):.1f} times as fast for a chain of 16 links. `--explain` says what
  was chosen and why.
* With many degrees of freedom and few constraints the methods without a basis are faster, too
  ({found.ratio("chain_2", DEFAULT, "range_space"):.1f} times with 16 links and two rods, `range_space`). They are not
  chosen by themselves, since they are not sure to pass a singular position: of {tried * len(WITHOUT_BASIS)} runs through
  the flat positions of one and two windows {sum(lost[m] for m in WITHOUT_BASIS)} stopped or left the branch. Of
  {tried * len(bases)} runs with bases it was {sum(lost[m] for m in bases)}. A file may choose them where its mechanism
  stays clear of such positions.
* Accuracy is no reason to choose: to one tolerance all bases take nearly the same steps and end with nearly the same
  error. Neither is the condition of what is factored, where C is regular.
* Keep `drift_correction = "projection"`. It alone keeps positions at round-off, and it has no gains."""


def evaluations(found):
    return ["## Time of an evaluation",
            "Of the equations of motion with everything that belongs to it, in µs, the fastest in bold. All members are "
            "compiled for the mechanism's sizes.",
            tables.times(found), "The sizes:", tables.sizes(found),
            "![Time against the number of windows](images/methods-windows.svg)",
            f"`{DEFAULT}` grows like N, since it follows the nonzeros of C. `local_frames` leaves out most of the zeros, "
            "too. All others work on full matrices, n³, and those that iterate (`svd`, `zero_eigenvalue`, `schur`, "
            "`udwadia_kalaba`) go over them many times.",
            "What compiling for the sizes gives, beside the same code with sizes at run time, as it runs when an importer "
            "and not the file has chosen:",
            tables.run_time_sizes(found, ["slider_crank", "andrews_squeezer", "stewart_platform"]),
            "It is up to half of the time for small mechanisms and next to nothing for large ones. The four without a basis gain "
            "less, since what surrounds their solver, reactions for any kind of constraint, has its sizes at run time."]


def simulations(found):
    switches = {NAMES[m]: max(run.switches for run in found.runs[m].values()) for m in found.stops}
    switched = ", ".join(f"{name}: {count}" for name, count in switches.items() if count) or "none"
    others = ", ".join(f"{NAMES[m]} {stop:g} s" for m, stop in found.stops.items() if m not in found.windows.values())
    stops = f"windows {found.stops[LARGEST]:g} s, {others}"
    return ["## Simulations",
            f"`dop853` to the tolerance {found.tolerance:.0e}: {stops}. Processor time in ms:",
            tables.simulations(found, lambda run: tables.significant(run.ms)),
            "Evaluations:", tables.simulations(found, lambda run: str(run.evaluations)),
            "Steps, accepted + rejected:", tables.simulations(found, lambda run: f"{run.steps} + {run.rejected}"),
            f"The most changes of E* (bases of unit vectors only; the others carry theirs along): {switched}.",
            "Largest error of a coordinate at the end, in m or rad:",
            tables.simulations(found, lambda run: f"{run.error:.0e}"),
            "Evaluations are what differs between (q, u) and (q, v): without a basis more steps are taken, mostly, since "
            "the error of all of v counts, and in other units."]


def singular(found):
    return ["## Singular and redundant positions",
            "Error at the end, after ten seconds, by tolerance. One window is a parallelogram that lies flat twice a turn. "
            "There C loses a rank, and the motion might go on as that of an antiparallelogram.",
            tables.singular(found, FLAT[0]), "Two windows:", tables.singular(found, FLAT[1]),
            "Bricard's mechanism has a redundant row everywhere. Which rows are kept is decided before a member sees them.",
            tables.singular(found, "bricard"),
            "A basis needs no v̇ to go on. Without one v̇ follows from C, which leaves it open in the flat position: the "
            "nearer a step lands to it, the more of v̇ is rounding over a small number. Whether a run passes is luck.",
            "All runs of this section are those of `dop853`, whose steps are long. Other integrators land elsewhere, and "
            "a basis alone does not decide whether a run passes: what `dopri5`, `rodas` and `rk4` do here was not "
            "measured."]


def conditions(found):
    return ["## Conditions",
            f"Of what is factored, in SI units: median; largest of {found.matrices} positions of the motions above. "
            "Who factors what:",
            tables.factored(), tables.conditions(found),
            "C_d is about as well conditioned as C, since E* is chosen by pivoting and judged at every step. Products have "
            "squares. That costs digits near singular positions, where `zero_eigenvalue` and `schur` therefore refine what "
            "they find by C itself, and `range_space` does not. The full matrix has M, C and their units in one, and is the "
            "worst for Andrews and the chain."]


def review(found):
    return ["## The review's table",
            "Pennestrì and Valentini 2007 give processor times for seven methods, without the mechanism, the program or the "
            f"machine. Beside them a driven slider-crank, {found.stops['slider_crank']:g} s:",
            tables.review(found),
            "There coordinate partitioning is the slowest by far, here it is no slower than QR. Two things may explain that. "
            "Partitioning as the review lists its steps solves the constraints for the dependent coordinates in every "
            "evaluation, by iteration; here all of q is integrated and projected once a step, whatever the basis. And the "
            "times of QR, SVD and both eigenvector methods lie within 4 % of each other there, though their operations "
            "differ several times: most of that time must be spent on what they share, the equations or an "
            "interpreter. Here the equations are compiled and cost little, so that the decompositions show: iterations "
            "(`svd`, `zero_eigenvalue`, `schur`) take longer than reflections, and no decomposition at all, "
            f"`{DEFAULT}`, is the fastest. Udwadia and Kalaba's way also takes more steps here, since it is integrated in "
            "(q, v). What agrees is that PUTD is dearer than QR."]


def shapes(found):
    compared = {rods: found.ratio(mechanism, "range_space", "null_space_block") for rods, mechanism in found.chain.items()}
    return ["## Range space or null space",
            "The review's rule: range space while m < n/2, null space above. In the leading order, with x = m/n, their "
            "operations are, in n³,",
            "    range space   1/3 + x + x² + x³/3          null space   1/3 + 3 x − 3 x² + x³/3",
            "which are equal at x = 1/2 exactly. `tests/core/operations.cpp` counts the operations of the program's own "
            "code and finds both formulas and the rule. (Whoever also uses that the null space's products are symmetric has "
            "1/3 + x + x² − 5 x³/3, less at any x.) Measured, µs of an evaluation of a chain of 16 links, whose M is full, "
            "with 0 to 14 rods:",
            tables.chain(found),
            "![Time against the share of constraints](images/methods-shape.svg)",
            f"Range space takes {span(compared.values(), 2)} times the time of null space, so the rule does not show in "
            "times at this size: the equations themselves, the same for both, take much of them, and null space searches "
            "all of C for each pivot and brings M into their order, which is no arithmetic. The difference between a basis "
            "and none is larger. A basis needs its derivative, about 10 n k² operations, so that it is dear with many "
            "degrees of freedom k and cheap with few.",
            "Without any constraint all ways factor M along its nonzeros (in the row of no rods, too). Beside that a basis has "
            "Ṁ and the derivative of the factors to take:",
            tables.without_constraints(found)]


def drift(found):
    return ["## Corrections of the drift",
            f"{found.drift_count} steps of `rk4`, without error control and so long that drift shows. The largest violation "
            "of a position constraint, in m or rad, and of a velocity constraint; * where the motion ended before.",
            tables.drift(found), "![Violation over the steps](images/methods-drift.svg)",
            "With `projection` (Blajer 1993, 4.5a) positions stay where rounding leaves them. With `none` each step adds its "
            "error; velocities do not drift, since v = W_d u + ξ (but in the dropped row of Bricard's mechanism, which follows from "
            "the others on the constraints only). `integral` (4.6a) holds positions within what its gains let "
            "through; in singular positions its inverse lets it overshoot, so that two windows, which keep their symmetry and "
            "hardly drift by themselves, are kept worse than without it. `baumgarte` (Blajer, Bestle and Schiehlen 1994, 34) depends "
            "on gains, step and mechanism together, and lets velocities go as well: weak gains lose Bricard's branch and end "
            "the motion in a flat position of the windows, strong ones hold a four-bar worse than no correction at all."]


def page(found):
    return "\n\n".join([
        "# Methods compared",
        "Which way to resolve the constraints, and which correction of the drift? What the members are is in "
        "[the method](method.md#ways-to-resolve-the-constraints). Written by `./run_benchmarks methods`.",
        "## In short", short_answer(found),
        *evaluations(found), *simulations(found), *singular(found), *conditions(found), *review(found), *shapes(found),
        *drift(found),
        "## How it was measured",
        f"{found.machine}. `benchmarks/methods.cpp` is compiled for each mechanism with all members and with an FMU's own "
        "options. Times are the processor's: of an evaluation the median of at least 15 rounds, in each of which every "
        "member has its turn, after a tenth of the motion; of a simulation the best of five. Errors are taken against "
        f"`{DEFAULT}` at the tolerance 1e-13, or the finest that rounding leaves; that this is right is tested against "
        "each model's reference. Conditions are numpy's. Mechanisms are those of `models/`, and `benchmarks/chain`.",
    ]) + "\n"
