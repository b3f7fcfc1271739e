"""Computes reference.csv of two four-bar windows from their exact solution.

As parallelograms all vertical links have one angle a from the upright, and the horizontal links do not turn:

    I a'' = W sin a,     I = (N + 1) m l^2/3 + N m l^2,     W = m g l ((N + 1)/2 + N)

With c = W/I, a(0) = 0 and a'(0) = -1 rad/s, w = sqrt(1 + 4 c)/2 and the parameter 4 c/(1 + 4 c), modulus squared:

    a = pi - 2 am(w t + K),     a' = -2 w dn(w t + K)

am is Jacobi's amplitude, with sin am = sn and cos am = cn, and K the quarter period.
"""

import pathlib
import sys

from mpmath import atan2, cos, ellipfun, ellipk, mpf, nint, nstr, pi, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from planar_reference import coordinate, times_constant
from reference_tools import even_times, write_reference

N, m, l, g = 2, mpf(1), mpf(1), mpf("9.81")
inertia = (N + 1) * m * l**2 / 3 + N * m * l**2
weight = m * g * l * (mpf(N + 1) / 2 + N)
c = weight / inertia
w, parameter = sqrt(1 + 4 * c) / 2, 4 * c / (1 + 4 * c)
known_end = [mpf(number) for number in ("0.328458111540815379", "0.944518538178600962", "1.42305147020694412",
                                        "-0.494868845487042959")]

rows, energies = [], []
for t in even_times(10, 100):
    phase = w * t + ellipk(parameter)
    sn, cn, dn = (ellipfun(kind, phase, m=parameter) for kind in ("sn", "cn", "dn"))
    amplitude = atan2(sn, cn) + 2 * pi * nint(phase / (4 * ellipk(parameter)))
    angle = pi - 2 * amplitude, -2 * w * dn, c * sin(pi - 2 * amplitude)
    energies.append(inertia * angle[1] ** 2 / 2 + weight * cos(angle[0]))
    row = {"time": t}
    for i in range(N + 1):
        row.update(coordinate(f"A{i}.angle", angle))
    for i in range(1, N + 1):
        row.update(coordinate(f"B{i}.angle", times_constant(-1, angle)))
        row.update(coordinate(f"C{i}.angle", angle))
    row.update({"B0_position.x": -l * sin(angle[0]), "B0_position.y": l * cos(angle[0]),
                "B0_velocity.x": -l * cos(angle[0]) * angle[1], "B0_velocity.y": -l * sin(angle[0]) * angle[1],
                "energy.total": energies[0]})
    rows.append(row)

end = [rows[-1][f"B0_{what}.{axis}"] for what in ("position", "velocity") for axis in "xy"]
print("energy drift", nstr(max(abs(energy - energies[0]) for energy in energies), 2))
print("difference from the known end", nstr(max(abs(x - known) for x, known in zip(end, known_end)), 2))
assert max(abs(energy - energies[0]) for energy in energies) < mpf("1e-30")
assert max(abs(x - known) for x, known in zip(end, known_end)) < mpf("1e-16")
write_reference(__file__, [
    "Two four-bar windows, problem A02 of the IFToMM benchmark library for rigid multibody dynamics;",
    "exact solution in Jacobi's elliptic functions, evaluated in 40 digits by reference.py.",
    "Accuracy: all digits shown.",
    "bound = 1e-6",
], rows)
