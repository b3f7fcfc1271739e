"""Writes docs/methods-compared.md and its figures from the measurements of benchmarks/methods.py."""

import methods_tables as tables
from methods_figures import FIGURES
from methods_measured import DEFAULT, NAMES, PARTITIONING, WITHOUT_BASIS, WITHOUT_CONSTRAINTS

FLAT = ["four_bar_windows_1", "four_bar_windows"]  # go through singular positions
LARGEST = "four_bar_windows_40"
PASSING_RUNS = ("`dopri5` with the same tolerances, `rodas` with those down to 1e-09, `rk4` with five steps from 20 ms to "
                "1 ms")


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
    bases = [member for member in found.members if member not in (PARTITIONING, *WITHOUT_BASIS)]
    lost = {member: sum(found.lost(mechanism, member) for mechanism in FLAT) for member in found.members}
    tried = len(FLAT) * len(found.tolerances)
    return f"""\
* **Leave `tangent_basis` out.** A mechanism with constraints then gets `{DEFAULT}`. In the closed mechanisms below the
  best of all others takes {span(next_best)} times as long for an evaluation, and `qr`, with 40 windows,
  {found.ratio(LARGEST, "qr", DEFAULT):.0f} times as long, since `{DEFAULT}` leaves out the zeros of C.
* Without constraints the exporter chooses `{WITHOUT_CONSTRAINTS}`, which then factors M along its nonzeros and does nothing else:
  {found.ratio("chain_0", DEFAULT, WITHOUT_CONSTRAINTS):.1f} times as fast for a chain of 16 links. `--explain` says what
  it chose and why. It does so, too, for [bodies that roll](#bodies-that-roll): {found.rolling_ratio():.1f} times as fast for a disk.
* With many degrees of freedom and few constraints the methods without a basis are faster, too
  ({found.ratio("chain_2", DEFAULT, "range_space"):.1f} times with 16 links and two rods, `range_space`). The exporter
  does not choose them by itself, since they may fail at a singular position: of {tried * len(WITHOUT_BASIS)} runs through
  the flat positions of one and two windows {sum(lost[m] for m in WITHOUT_BASIS)} stopped or left the branch. Of
  {tried * len(bases)} runs with bases, the number was {sum(lost[m] for m in bases)}; of {tried} with
  `{PARTITIONING}` it was {lost[PARTITIONING]}. Choose them in the file if the mechanism
  stays away from such positions.
* Accuracy is no reason to choose: with one tolerance all bases take nearly equal steps and end with nearly equal
  errors. The condition of the factored matrices is no reason either, if C is regular.
* Keep `drift_correction = "projection"`. It alone keeps positions at round-off, and it has no gains."""


def evaluations(found):
    return ["## Time of an evaluation",
            "The table shows the time of one evaluation of the equations of motion in µs, the fastest in bold. All "
            "members are compiled for the mechanism's sizes.",
            tables.times(found), "The sizes:", tables.sizes(found),
            "![Time against the number of windows](images/methods-windows.svg)",
            f"`{DEFAULT}` grows like N, since it follows the nonzeros of C. `local_frames` leaves out most of the "
            "zeros, too. All others work on full matrices, n³, and those that iterate (`svd`, `zero_eigenvalue`, "
            "`schur`, `udwadia_kalaba`) go over them many times.",
            "The next table compares code that is compiled for the sizes with code whose sizes are known at run "
            "time only. The latter runs if the importer chooses the member, and not the file.",
            tables.run_time_sizes(found, ["slider_crank", "andrews_squeezer", "stewart_platform"]),
            "Compiling for the sizes saves up to half of the time for small mechanisms, and almost nothing for "
            "large ones. The four without a basis gain less, since the code around their solver, reactions for any "
            "kind of constraint, has its sizes at run time."]


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
            "The largest number of changes of E* (only for bases of unit vectors; the others carry theirs along): "
            f"{switched}.",
            "Largest error of a coordinate at the end, in m or rad:",
            tables.simulations(found, lambda run: f"{run.error:.0e}"),
            "The evaluations differ between (q, u) and (q, v): without a basis a simulation mostly takes more "
            "steps, since the error of all of v counts, and in other units."]


def singular(found):
    return ["## Singular and redundant positions",
            "The tables show the error after ten seconds for each tolerance. One window is a parallelogram that "
            "lies flat twice a turn. There C loses a rank, and the motion might continue as that of an "
            "antiparallelogram.",
            tables.singular(found, FLAT[0]), "Two windows:", tables.singular(found, FLAT[1]),
            "Bricard's mechanism has a redundant row everywhere. The program chooses the kept rows before a member "
            "sees them.",
            tables.singular(found, "bricard"),
            f"`{PARTITIONING}` needs a regular C_d in every evaluation. It goes across the flat position in a step that is so "
            "short that both ends tell the same branch, or stops; its steps are rejected before that. "
            "A basis needs no v̇ to continue. Without a basis v̇ follows from C, which does not determine it in "
            "the flat position: the nearer a step ends to it, the more v̇ is rounding divided by a small number. "
            "Chance decides whether a run passes.",
            "These are runs of `dop853`. Steps of other integrators end elsewhere. The next tables count for each "
            f"of them the runs that stop with an error or leave the branch: {PASSING_RUNS}. One window:",
            tables.passing(found, FLAT[0]), "Two windows:", tables.passing(found, FLAT[1]), "Bricard:",
            tables.passing(found, "bricard"), passing_summary(found)]


def passing_summary(found):
    """Says how many runs of all other integrators were lost, with a basis and without one."""
    def lost(members):
        counts = [found.passed(mechanism, method, member) for mechanism, method in found.passing for member in members]
        stopped, left, count = map(sum, zip(*counts, strict=True))
        return stopped, count, left

    bases = [member for member in found.members if member not in (PARTITIONING, *WITHOUT_BASIS)]
    return ("With a basis {} of these {} runs stop and {} leave the branch; without one {} of {} stop and {} leave it; "
            "with `{}` {} of {} stop and {} leave it.".format(*lost(bases), *lost(WITHOUT_BASIS), PARTITIONING,
                                                             *lost([PARTITIONING])))


def rolling(found):
    return ["## Bodies that roll",
            "Angular velocities turn with their bodies. If the mass matrix turns with them, as that of a disk about "
            "its point of contact, directions that are orthonormal in M turn about twice as fast, and the steps "
            f"become shorter. The table shows steps of `dop853` to the tolerance {found.tolerance:.0e}, accepted and "
            "rejected, and processor times:",
            tables.rolling(found),
            "So where bodies with quaternions have velocity constraints only, the exporter chooses "
            f"`{WITHOUT_CONSTRAINTS}`: no position is singular there. It does so without constraints, too, if there "
            "are two velocities or more."]


def conditions(found):
    return ["## Conditions",
            "The first table says which member factors which matrix. The second shows the condition of these "
            f"matrices, in SI units: the median and the largest at {found.matrices} positions of the motions above.",
            tables.factored(), tables.conditions(found),
            "C_d is about as well conditioned as C, since E* is chosen by pivoting and judged at every step. The "
            "condition of a product like Cᵀ C is the square of that of C. This costs digits near singular "
            "positions. Therefore `zero_eigenvalue` and `schur` refine their vectors by C itself; `range_space` "
            "does not. The full matrix contains M, C and all their units, and has the largest condition for "
            "Andrews and the chain."]


def review(found):
    return ["## The review's table",
            "Pennestrì and Valentini 2007 give processor times for seven methods, without the mechanism, the "
            "program or the machine. The table compares them with a driven slider-crank, "
            f"{found.stops['slider_crank']:g} s:",
            tables.review(found),
            f"There coordinate partitioning is the slowest by far. Here `{PARTITIONING}`, which finds the dependent "
            "coordinates in every evaluation by iteration as the review lists its steps, takes "
            f"{found.ratio('slider_crank', PARTITIONING, DEFAULT):.1f} times as long for an evaluation as `{DEFAULT}`, whose "
            "basis it has: iteration is dear beside what else an evaluation does, but the review's distance to QR does "
            "not come from it alone. `lu` and `partitioned` divide the coordinates, too, but integrate all of q and "
            "project it once a step. The review's times of QR, SVD and both eigenvector methods lie within 4 % of each "
            "other there, though their operations differ several times: most of that time must be spent on what "
            "they share, the equations or an interpreter. Here the equations are compiled and cost little, so that "
            "the decompositions show: iterations (`svd`, `zero_eigenvalue`, `schur`) take longer than reflections, "
            f"and no decomposition at all, `{DEFAULT}`, is the fastest. Udwadia and Kalaba's way also takes more "
            "steps here, since it is integrated in (q, v). Both tables agree that PUTD costs more than QR."]


def shapes(found):
    compared = {rods: found.ratio(mechanism, "range_space", "null_space_block") for rods, mechanism in found.chain.items()}
    return ["## Range space or null space",
            "The review's rule is: take range space if m < n/2, else null space. In the leading order, with x = "
            "m/n, their operations are, in n³,",
            "    range space   1/3 + x + x² + x³/3          null space   1/3 + 3 x − 3 x² + x³/3",
            "which are equal exactly at x = 1/2. `tests/core/constraints/operations.cpp` counts the operations of the "
            "program's own code and finds both formulas and the rule. (The null space's products are symmetric. A "
            "program that uses this needs 1/3 + x + x² − 5 x³/3, which is less at any x.) The table shows the time "
            "of an evaluation in µs for a chain of 16 links, whose M is full, with 0 to 14 rods:",
            tables.chain(found),
            "![Time against the share of constraints](images/methods-shape.svg)",
            f"Range space takes {span(compared.values(), 2)} times the time of null space, so the rule does not "
            "show in times at this size: the equations themselves, the same for both, take much of them, and null "
            "space searches all of C for each pivot and brings M into their order, which is no arithmetic. The "
            "difference between a basis and none is larger. A basis needs its derivative, about 10 n k² "
            "operations, so that it costs much with many degrees of freedom k and little with few.",
            "Without any constraint all members factor M along its nonzeros (in the row of no rods, too). A basis "
            "also needs Ṁ and the derivative of the factors:",
            tables.without_constraints(found)]


def drift(found):
    return ["## Corrections of the drift",
            f"{found.drift_count} steps of `rk4`, without error control and so long that drift shows. The table "
            "shows the largest violation of a position constraint, in m or rad, and of a velocity constraint; * "
            "marks motions that ended before.",
            tables.drift(found), "![Violation over the steps](images/methods-drift.svg)",
            "With `projection` (Blajer 1993, 4.5a) positions stay on the constraints up to rounding. With `none` "
            "each step adds its error; velocities do not drift, since v = W_d u + ξ (but in the dropped row of "
            "Bricard's mechanism, which follows from the others on the constraints only). `integral` (4.6a) keeps "
            "the violation of positions at a size that depends on its gains; in singular positions its inverse "
            "lets it overshoot, so that two windows, which keep their symmetry and hardly drift by themselves, "
            "drift more than without it. `baumgarte` (Blajer, Bestle and Schiehlen 1994, 34) depends on gains, "
            "step and mechanism together, and lets velocities drift as well: weak gains lose Bricard's branch and "
            "end the motion in a flat position of the windows, strong ones let a four-bar drift more than no "
            "correction at all."]


def page(found):
    return "\n\n".join([
        "# Methods compared",
        "This page compares the resolutions, that is, the ways to resolve the constraints, and the corrections of "
        "the drift. [The method](method.md#ways-to-resolve-the-constraints) explains the members. "
        "`./run_benchmarks methods` writes this page.",
        "## In short", short_answer(found),
        *evaluations(found), *simulations(found), *rolling(found), *singular(found), *conditions(found), *review(found), *shapes(found),
        *drift(found),
        "## How it was measured",
        f"{found.machine}. `benchmarks/methods.cpp` is compiled for each mechanism with all members and with an "
        "FMU's own options. Times are processor times. The time of an evaluation is the median of at least 15 "
        "rounds after a tenth of the motion, at two places within the next two hundredth of it, in turn, as stages of a step "
        "go to and fro; in each round every member has its turn. The time of a simulation is "
        f"the best of five. Errors are taken against `{DEFAULT}` at the tolerance 1e-13, or the finest that "
        "rounding leaves; the tests compare it with each model's reference. Numpy computes the conditions. The "
        "mechanisms are those of `models/`, and `benchmarks/chain`.",
    ]) + "\n"
