"""Holds what benchmarks/methods.py measures, with the names on the page."""

import dataclasses
import math

DEFAULT, WITHOUT_CONSTRAINTS = "partitioned", "null_space_block"  # the exporter's choice
PARTITIONING = "coordinate_partitioning"  # integrates independent coordinates and their rates alone
WITHOUT_BASIS = ("range_space", "null_space_block", "udwadia_kalaba", "kkt")
NAMES = {"four_bar_windows_1": "windows, N = 1", "four_bar_windows": "windows, N = 2",
         "four_bar_windows_5": "windows, N = 5", "four_bar_windows_10": "windows, N = 10",
         "four_bar_windows_20": "windows, N = 20", "four_bar_windows_40": "windows, N = 40",
         "chain_2": "chain, 2 rods", "chain_12": "chain, 12 rods", "andrews_squeezer": "Andrews",
         "bricard": "Bricard", "four_bar": "four-bar", "stewart_platform": "Stewart", "slider_crank": "slider-crank",
         "rolling_disk": "rolling disk", "gyroscope": "gyroscope", "unicycle": "unicycle",
         "excavator_arm": "excavator arm"}
OFF_BRANCH = 0.1  # If the error in m or rad is larger, a motion has left its branch.


@dataclasses.dataclass
class Run:
    """Is a simulation, or the reason why it failed."""

    failure: str = ""
    steps: int = 0
    rejected: int = 0
    evaluations: int = 0
    switches: int = 0
    ms: float = math.nan
    error: float = math.inf

    @property
    def lost(self):
        return bool(self.failure) or self.error > OFF_BRANCH


@dataclasses.dataclass
class Drift:
    """Holds largest violations of positions and velocities up to so many steps, and the reason if it failed."""

    violations: list
    failure: str = ""


@dataclasses.dataclass
class Measurements:
    machine: str
    windows: dict  # mechanism by number of windows
    stops: dict  # s of motion by mechanism; every comparison has these
    chain: dict  # mechanism by number of rods
    open_chains: dict  # mechanism without rods by number of links
    open_models: list  # more mechanisms without constraints
    tolerance: float
    tolerances: list
    matrices: int  # positions of a motion at which conditions are measured
    drift_steps: dict  # s of a step by mechanism
    drift_count: int
    sizes: dict  # n, r by mechanism
    # by mechanism and member: ns compiled, ns with sizes at run time; None if it cannot serve the mechanism
    evaluations: dict
    runs: dict  # by mechanism: Run by (member, tolerance)
    singular: dict  # by mechanism, through singular or redundant positions: Run by (member, tolerance)
    passing: dict  # likewise with other integrators, by (mechanism, method): Run by (member, tolerance or step)
    rolling: dict  # by mechanism that rolls or turns freely: Run by (member, tolerance)
    conditions: dict  # by mechanism and matrix: median, largest
    drift: dict  # Drift by (mechanism, correction, gain 1, gain 0)

    @property
    def members(self):
        return list(next(iter(self.evaluations.values())))

    @property
    def corrections(self):
        return list(dict.fromkeys(key[1:] for key in self.drift))

    def time(self, mechanism, member, at_run_time=False):
        """Returns µs of an evaluation."""
        times = self.evaluations[mechanism][member]
        return math.nan if times is None else times[at_run_time] * 1e-3

    def ratio(self, mechanism, member, other):
        return self.time(mechanism, member) / self.time(mechanism, other)

    def rolling_ratio(self):
        """Returns how many times as fast a disk rolls without a basis."""
        runs = self.rolling["rolling_disk"]
        return runs[DEFAULT, self.tolerance].ms / runs[WITHOUT_CONSTRAINTS, self.tolerance].ms

    def fastest(self, mechanism):
        serving = [member for member in self.members if not math.isnan(self.time(mechanism, member))]
        return min(serving, key=lambda member: self.time(mechanism, member))

    def lost(self, mechanism, member):
        """Returns how many runs through singular positions stopped or left the branch."""
        return sum(run.lost for (name, _), run in self.singular[mechanism].items() if name == member)

    def passed(self, mechanism, method, member):
        """Returns how many runs with this method stopped, how many left the branch, and how many there were."""
        runs = [run for (name, _), run in self.passing[mechanism, method].items() if name == member]
        return (sum(bool(run.failure) for run in runs),
                sum(run.lost and not run.failure for run in runs), len(runs))


def correction_name(kind, gain_1, gain_0):
    gains = {"integral": f", G₁ = {gain_1:g}, G₀ = {gain_0:g}", "baumgarte": f", K_v = {gain_1:g}, K_p = {gain_0:g}"}
    return kind + gains.get(kind, "")
