"""Has what the reference.py scripts of the models share: integration in 40 digits and the writing of reference.csv.

A reference must not repeat the method it judges. These scripts therefore integrate minimal or index-1 equations,
written by hand, with extrapolation (Gragg, Bulirsch, Stoer) in multiple precision; they know nothing of tangent
bases, projection or generated code. They need Python 3.9 and mpmath (gmpy2, if installed, makes them faster).
"""

import csv
import dataclasses
import itertools
import pathlib
from collections.abc import Callable

import mpmath
from mpmath import mp, mpf

mp.dps = 40


def extrapolation_step(derivative, t, y, step, columns):
    """Makes one step of Gragg's midpoint rule with 2, 4, …, 2*columns substeps, extrapolated to substep zero."""
    table = []
    for row in range(1, columns + 1):
        count = 2 * row
        h = step / count
        before, now = y, [a + h * b for a, b in zip(y, derivative(t, y))]
        for i in range(1, count):
            slope = derivative(t + i * h, now)
            before, now = now, [a + 2 * h * b for a, b in zip(before, slope)]
        slope = derivative(t + step, now)
        new_row = [[(a + b + h * c) / 2 for a, b, c in zip(before, now, slope)]]
        for k in range(1, row):
            factor = 1 / ((mpf(row) / (row - k)) ** 2 - 1)
            new_row.append([a + (a - b) * factor for a, b in zip(new_row[-1], table[-1][k - 1])])
        table.append(new_row)
    return table[-1][-1]


def integrate(derivative, times, start, steps, columns=12):
    """The solution of y' = derivative(t, y) at the given times, with so many extrapolation steps between two."""
    y = [mpf(value) for value in start]
    solution = [y]
    for t, end in itertools.pairwise(times):
        step = (mpf(end) - mpf(t)) / steps
        for i in range(steps):
            y = extrapolation_step(derivative, t + i * step, y, step, columns)
        solution.append(y)
    return solution


def integrate_checked(derivative, times, start, accuracy=mpf("1e-20")):
    """The solution with steps halved until two runs agree, absolutely and relatively, and their difference."""
    steps, fine = 1, integrate(derivative, times, start, 1)
    while True:
        steps, coarse = 2 * steps, fine
        fine = integrate(derivative, times, start, steps)
        difference = max(abs(a - b) / (1 + abs(b)) for x, y in zip(coarse, fine) for a, b in zip(x, y))
        if difference < accuracy:
            return fine, difference


@dataclasses.dataclass
class Phase:
    """Is a part of a motion with its own equations y' = derivative(t, y). Each of its events is a pair of functions of
    t and y: the first one is positive until the event, the second one returns the next phase and the y that it begins
    with."""

    derivative: Callable
    events: list
    name: str = ""


def first_zero(function, width):
    """Returns where a function that is positive behind 0, and negative at the width, falls through zero."""
    low = width
    while function(low) <= 0:
        low /= 2
        assert low > mpf("1e-25") * width, "an event happens again at once"
    return mpmath.findroot(function, (low, width), solver="anderson", tol=mpf("1e-34"), maxsteps=100, verify=False)


def integrate_phases(phase, times, start, step, columns=10):
    """Follows a motion through its phases, with steps of at most `step`; returns the phase and the solution at each of
    the times, and all events as pairs of a time and the phase that begins there."""
    t, y = mpf(times[0]), [mpf(value) for value in start]
    solution, events = [(phase, y)], []
    for end in times[1:]:
        while t < end:
            h = min(mpf(step), end - t)
            after = extrapolation_step(phase.derivative, t, y, h, columns)
            fallen = []
            for event, then in phase.events:
                if event(t + h, after) < 0:
                    def value(s, event=event, derivative=phase.derivative, t=t, y=y):
                        return event(t + s, extrapolation_step(derivative, t, y, s, columns))

                    fallen.append((first_zero(value, h), then))
            if not fallen:
                t, y = (end, after) if end - t <= step else (t + h, after)
                continue
            h, then = min(fallen, key=lambda one: one[0])
            y = extrapolation_step(phase.derivative, t, y, h, columns)
            t += h
            phase, y = then(t, y)
            events.append((t, phase))
        solution.append((phase, y))
    return solution, events


def integrate_phases_checked(phase, times, start, step, accuracy=mpf("1e-18"), clearance=mpf("1e-4")):
    """Returns what integrate_phases does, with steps halved until two runs agree, absolutely and relatively, and their
    difference. No time may lie near an event, where values jump."""
    fine, events = integrate_phases(phase, times, start, step)
    near = [(t, event) for t in times for event, _ in events if abs(t - event) < clearance]
    assert not near, f"a row lies at an event: {near}"
    while True:
        step, coarse = step / 2, fine
        fine, events = integrate_phases(phase, times, start, step)
        difference = max(abs(a - b) / (1 + abs(b)) for (_, x), (_, y) in zip(coarse, fine) for a, b in zip(x, y))
        if difference < accuracy:
            return fine, events, difference


def solve(matrix, right_side):
    """Returns the solution of a regular system by Gaussian elimination with row pivoting."""
    rows = [list(row) + [value] for row, value in zip(matrix, right_side)]
    size = len(rows)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, size):
            if rows[k][i]:
                factor = rows[k][i] / rows[i][i]
                rows[k][i + 1:] = [x - factor * y if y else x for x, y in zip(rows[k][i + 1:], rows[i][i + 1:])]
    solution = [mpf(0)] * size
    for i in reversed(range(size)):
        known = sum(rows[i][j] * solution[j] for j in range(i + 1, size))
        solution[i] = (rows[i][size] - known) / rows[i][i]
    return solution


def least_squares(matrix, right_side):
    """The solution of an over-determined system and its largest residual; zero to round-off if it is consistent."""
    columns = list(zip(*matrix))
    product = [[sum(x * y for x, y in zip(a, b)) for b in columns] for a in columns]
    solution = solve(product, [sum(x * y for x, y in zip(a, right_side)) for a in columns])
    residual = max(abs(sum(x * y for x, y in zip(row, solution)) - value) for row, value in zip(matrix, right_side))
    return solution, residual


def chain_forces(links, angles, angular_accelerations, centre_accelerations, gravity, end_directions):
    """Forces on the end of a planar chain of uniform links (mass, length), pinned to ground at its other end.

    Newton's and Euler's laws for each link taken apart, solved for all pin forces and for the end's force components
    along end_directions, which are returned with the equations' largest residual.
    """
    count = len(links)
    size = 2 * count + len(end_directions)
    matrix, right_side = [], []
    for i, ((mass, length), angle) in enumerate(zip(links, angles)):
        near = [(2 * i, (1, 0)), (2 * i + 1, (0, 1))]
        if i + 1 < count:
            far = [(2 * i + 2, (-1, 0)), (2 * i + 3, (0, -1))]
        else:
            far = [(2 * count + k, direction) for k, direction in enumerate(end_directions)]
        x, y = length / 2 * mpmath.cos(angle), length / 2 * mpmath.sin(angle)
        force_x, force_y, moment = [mpf(0)] * size, [mpf(0)] * size, [mpf(0)] * size
        for sign, unknowns in ((-1, near), (1, far)):
            for column, (direction_x, direction_y) in unknowns:
                force_x[column], force_y[column] = direction_x, direction_y
                moment[column] = sign * (x * direction_y - y * direction_x)
        matrix += [force_x, force_y, moment]
        acceleration_x, acceleration_y = centre_accelerations[i]
        right_side += [mass * acceleration_x, mass * (acceleration_y + gravity),
                       mass * length**2 / 12 * angular_accelerations[i]]
    forces, residual = least_squares(matrix, right_side)
    return forces[2 * count:], residual


def even_times(stop_time, intervals):
    """Evenly spaced times from 0 to stop_time, exact in the working precision."""
    return [mpf(stop_time) * i / intervals for i in range(intervals + 1)]


def write_reference(script, comments, rows, folder=None):
    """Writes rows, dictionaries by variable name, into reference.csv beside the script (or in the named model).

    Values below 1e-30 are round-off of the working precision and written as 0."""
    here = pathlib.Path(script).resolve().parent
    target = (here.parent / folder if folder else here) / "reference.csv"
    with open(target, "w", newline="") as file:
        file.writelines(f"# {line}\n" for line in comments)
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(rows[0])
        for row in rows:
            writer.writerow(f"{float(value) if abs(value) > 1e-30 else 0.0:.17g}" for value in row.values())
