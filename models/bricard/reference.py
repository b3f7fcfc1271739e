"""Computes reference.csv of Bricard's mechanism from its minimal equation in the first angle.

The loop repeats itself after two joints: with a at J0, J2, J4 and c at J1, J3 (and, counted from the ground, -c at J5)
it closes where

    sin a + sin c + sin a sin c = 0                 so c = -asin(sin a/(1 + sin a))

which the script checks with the frames of all rods. A slender rod's kinetic energy needs the velocities of its ends
only, so the minimal equation follows from the positions of the six points. a swings between 0 and pi, where the height
of the mass centre is the same and the mechanism stands still; the formula for c holds there.

Published values of the benchmark library's problem A04, 20 digits of an extrapolation in quadruple precision, are a
second check.
"""

import itertools
import pathlib
import sys

from mpmath import mpf, nstr

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_jets import Jet, asin, cos, jet, plus, rod_equation, scaled, sin
from reference_tools import even_times, integrate_checked, write_reference

gravity = [mpf(0), mpf("-9.81"), mpf(0)]
# P2 of the library's problem, by time
published = {
    mpf("1.25"): ("-3.8141037699879203969e-03", "-8.6602960321277557167e-01", "-4.9999272630621588197e-01"),
    mpf("10"): ("9.9926461008941486379e-01", "-9.9999972979961545713e-01", "-7.3511951142484099939e-04"),
}


def turned(frame, axis, angle):
    """Turns a frame (three unit vectors) about one of its own vectors."""
    following, last = (axis + 1) % 3, (axis + 2) % 3
    result = list(frame)
    result[following] = plus(scaled(cos(angle), frame[following]), scaled(sin(angle), frame[last]))
    result[last] = plus(scaled(cos(angle), frame[last]), scaled(-sin(angle), frame[following]))
    return result


def mechanism(a):
    """Returns second angle, points P0 to P5 and the largest error of the loop, all from the first angle."""
    c = asin(-sin(a) / (1 + sin(a)))
    ground = [[Jet(1), Jet(0), Jet(0)], [Jet(0), Jet(1), Jet(0)], [Jet(0), Jet(0), Jet(1)]]
    frame, points = ground, [[Jet(0)] * 3]
    for axis, angle, along, sign in ((1, a, 0, 1), (2, c, 1, -1), (0, a, 2, 1), (1, c, 0, -1), (2, a, 1, 1)):
        frame = turned(frame, axis, angle)
        points.append(plus(points[-1], scaled(sign, frame[along])))
    last = turned(ground, 0, -c)
    errors = [x - y for u, v in zip(frame + [points[5]], last + [ground[2]]) for x, y in zip(u, v)]
    return c, points, max(max(abs(e.value), abs(e.first), abs(e.second)) for e in errors)


def equation(a):
    _, points, _ = mechanism(Jet(a, 1))
    return rod_equation([(1, A, B) for A, B in itertools.pairwise(points)], gravity)


def motion(t, state):
    a, rate = state
    inertia, half_slope, force, _ = equation(a)
    return [rate, (force - half_slope * rate**2) / inertia]


times = even_times(10, 40)
solution, difference = integrate_checked(motion, times, [0, 0])
rows, loop_error, published_error, energies = [], 0, 0, []
for t, (a, rate) in zip(times, solution):
    acceleration = motion(t, [a, rate])[1]
    inertia, _, _, potential = equation(a)
    c, points, error = mechanism(Jet(a, rate, acceleration))
    loop_error = max(loop_error, error)
    energies.append(inertia * rate**2 / 2 + potential)
    row = {"time": t}
    angles = {f"J{i}.angle": angle for i, angle in enumerate([Jet(a, rate, acceleration), c] * 2
                                                             + [Jet(a, rate, acceleration), -jet(c)])}
    row.update({name: angle.value for name, angle in angles.items()})
    row.update({f"der({name})": angle.first for name, angle in angles.items()})
    row.update({f"der({name},2)": angle.second for name, angle in angles.items()})
    for name, point in (("P2", points[2]), ("P3", points[3])):
        row.update({f"{name}.{axis}": component.value for axis, component in zip("xyz", point)})
    row.update({f"v2.{axis}": component.first for axis, component in zip("xyz", points[2])})
    row["energy.total"] = energies[0]
    rows.append(row)
    for value, axis in zip(published.get(t, ()), "xyz"):
        published_error = max(published_error, abs(mpf(value) - row[f"P2.{axis}"]))

drift = max(abs(e - energies[0]) for e in energies)
print("two step sizes agree to", nstr(difference, 2))
print("loop closed to", nstr(loop_error, 2), " energy drift", nstr(drift, 2))
print("difference from the published values", nstr(published_error, 2))
assert loop_error < mpf("1e-30") and drift < mpf("1e-18") and published_error < mpf("1e-18")
write_reference(__file__, [
    "Bricard's mechanism, problem A04 of the IFToMM benchmark library; minimal equation in the first angle,",
    "integrated by extrapolation in 40 digits, computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}; the library's values are met).",
    "bound = 1e-9",
], rows)
