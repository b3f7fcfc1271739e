"""Computes reference.csv of the pendulum from its exact solution.

With the angle a from the downward vertical, a(0) = -pi/2 at rest, k = sin(pi/4) and w = sqrt(g/L):

    sin(a/2) = k sn(w t - K),   a' = 2 k w cn(w t - K),   a'' = -(g/L) sin a,   tension = m (g cos a + L a'^2)

sn and cn are Jacobi's elliptic functions of modulus k, K is their quarter period. The pivot pulls with the tension
along the bar and with nothing across it.
"""

import pathlib
import sys

from mpmath import asin, cos, ellipfun, ellipk, mpf, nstr, pi, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

m, L, g = mpf(1), mpf(1), mpf("9.81")
k, w = sin(pi / 4), sqrt(g / L)
known_end = [mpf("-0.27508746257611686"), mpf("-0.961419205099125064"), mpf("28.2945672060672506")]

rows, energy_error, newton_error = [], 0, 0
for t in sorted(even_times(10, 100) + [mpf("9.99")]):
    phase = w * t - ellipk(k**2)
    angle = 2 * asin(k * ellipfun("sn", phase, k=k))
    rate = 2 * k * w * ellipfun("cn", phase, k=k)
    acceleration = -g / L * sin(angle)
    tension = m * (g * cos(angle) + L * rate**2)
    force_x, force_y = -tension * sin(angle), tension * cos(angle)
    newton_error = max(newton_error,
                       abs(force_x - m * L * (cos(angle) * acceleration - sin(angle) * rate**2)),
                       abs(force_y - m * g - m * L * (sin(angle) * acceleration + cos(angle) * rate**2)))
    energy_error = max(energy_error, abs(m * (L * rate) ** 2 / 2 - m * g * L * cos(angle)))
    rows.append({
        "time": t, "A.angle": angle, "der(A.angle)": rate, "der(A.angle,2)": acceleration,
        "A.reaction.force.x": force_x, "A.reaction.force.y": force_y,
        "bob.x": L * sin(angle), "bob.y": -L * cos(angle), "tension": tension, "energy.total": 0,
    })

end_error = max(abs(rows[-1][name] - known) for name, known in zip(("bob.x", "bob.y", "tension"), known_end))
print("largest energy", nstr(energy_error, 2), "and violation of Newton's law", nstr(newton_error, 2))
print("difference from the known end", nstr(end_error, 2))
assert energy_error < mpf("1e-30") and newton_error < mpf("1e-30") and end_error < mpf("1e-15")
write_reference(__file__, [
    "Pendulum, problem A01 of the IFToMM benchmark library for rigid multibody dynamics, as a body and a joint;",
    "exact solution in Jacobi's elliptic functions, evaluated in 40 digits by reference.py.",
    "Accuracy: all digits shown.",
    "bound = 1e-9",
], rows)
