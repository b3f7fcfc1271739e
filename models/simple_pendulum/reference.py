"""Computes reference.csv of the simple pendulum from its exact solution.

With the angle a from the downward vertical, a(0) = -pi/2 at rest, k = sin(pi/4) and w = sqrt(g/L):

    sin(a/2) = k sn(w t - K),   a' = 2 k w cn(w t - K),   a'' = -(g/L) sin a,   tension = m (g cos a + L a'^2)

sn and cn are Jacobi's elliptic functions of modulus k, K is their quarter period.
"""

import pathlib
import sys

from mpmath import asin, cos, ellipfun, ellipk, mpf, nstr, pi, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

m, L, g = mpf(1), mpf(1), mpf("9.81")
k, w = sin(pi / 4), sqrt(g / L)

rows, energy_error = [], 0
for t in sorted(even_times(10, 100) + [mpf("9.99")]):
    phase = w * t - ellipk(k**2)
    angle = 2 * asin(k * ellipfun("sn", phase, k=k))
    rate = 2 * k * w * ellipfun("cn", phase, k=k)
    acceleration = -g / L * sin(angle)
    tension = m * (g * cos(angle) + L * rate**2)
    energy = m * (L * rate) ** 2 / 2 - m * g * L * cos(angle)
    energy_error = max(energy_error, abs(energy))
    rows.append({
        "time": t, "x": L * sin(angle), "y": -L * cos(angle),
        "der(x)": L * cos(angle) * rate, "der(y)": L * sin(angle) * rate,
        "der(x,2)": L * (cos(angle) * acceleration - sin(angle) * rate**2),
        "der(y,2)": L * (sin(angle) * acceleration + cos(angle) * rate**2),
        "constraint.bar.multiplier": -tension, "tension": tension, "angle": angle, "energy.total": 0,
    })

print("largest energy", nstr(energy_error, 2))
print("t = 10:", *(f"{name} = {nstr(rows[-1][name], 18)}" for name in ("x", "y", "tension")))
write_reference(__file__, [
    "Simple pendulum, problem A01 of the IFToMM benchmark library for rigid multibody dynamics;",
    "exact solution in Jacobi's elliptic functions, evaluated in 40 digits by reference.py.",
    "Accuracy: all digits shown.",
    "bound = 1e-9",
], rows)
