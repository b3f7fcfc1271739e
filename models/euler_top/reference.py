"""Computes reference.csv of the free rigid body from Jacobi's elliptic functions (Landau, Lifshitz, section 37).

omega = (a cn, b sn, c dn) of p t with the parameter m. With the angular momentum L along z, Euler's angles follow from
L sin(theta) sin(psi) = I1 omega_1, L sin(theta) cos(psi) = I2 omega_2, L cos(theta) = I3 omega_3, and the precession
from d(phi)/dt = L (I1 omega_1^2 + I2 omega_2^2)/(I1^2 omega_1^2 + I2^2 omega_2^2), which is integrated by quadrature.
"""

import pathlib
import sys

from mpmath import acos, atan2, ellipfun, floor, mp, mpf, nstr, pi, quad, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

mp.dps = 30
I1, I2, I3 = mpf(1), mpf("1.6"), mpf("2.2")
a, c = mpf("1.5"), mpf(2)
b = a * sqrt((I3 - I1) * I1 / (I2 * (I3 - I2)))
p = c * sqrt((I3 - I1) * (I3 - I2) / (I1 * I2))
m = (I2 - I1) * I1 * a**2 / (I3 * (I3 - I2) * c**2)
L = sqrt((I1 * a)**2 + (I3 * c)**2)


def angular_velocity(t):
    return [a * ellipfun("cn", p * t, m=m), b * ellipfun("sn", p * t, m=m), c * ellipfun("dn", p * t, m=m)]


def precession(t):
    w1, w2, _ = angular_velocity(t)
    return L * (I1 * w1**2 + I2 * w2**2) / ((I1 * w1)**2 + (I2 * w2)**2)


times = even_times(20, 200)
rows, phi, psi, residual = [], mpf(0), pi / 2, mpf(0)
for i, t in enumerate(times):
    w = angular_velocity(t)
    accelerations = [(I2 - I3) / I1 * w[1] * w[2], (I3 - I1) / I2 * w[2] * w[0], (I1 - I2) / I3 * w[0] * w[1]]
    if i > 0:
        phi += quad(precession, [times[i - 1], t])
    raw = atan2(I1 * w[0], I2 * w[1])
    psi = raw + 2 * pi * floor((psi - raw) / (2 * pi) + mpf(1) / 2)  # turns by less than half a turn between two times
    theta = acos(I3 * w[2] / L)
    residual = max(residual, abs((I1 * w[0])**2 + (I2 * w[1])**2 + (I3 * w[2])**2 - L**2))
    rows.append({"time": t, "phi": phi, "theta": theta, "psi": psi, "omega_1": w[0], "omega_2": w[1], "omega_3": w[2],
                 "der(omega_1)": accelerations[0], "der(omega_2)": accelerations[1], "der(omega_3)": accelerations[2],
                 "der(phi)": precession(t), "momentum_z": L,
                 "energy.kinetic": (I1 * a**2 + I3 * c**2) / 2})

print("largest change of the angular momentum's square", nstr(residual, 2))
write_reference(__file__, [
    "Free rigid body: angular velocity by Jacobi's elliptic functions, Euler's angles from the constant "
    "angular momentum,",
    "precession by quadrature, in 30 digits; computed by reference.py.",
    "Accuracy: all digits shown.",
    "bound = 1e-8",
], rows)
