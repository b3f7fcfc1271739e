"""Computes reference.csv of the cam and its follower from the minimal equation in the cam's angle.

The height of a flat face over a convex cam turned by theta is H(theta) = max over s of rho(s) sin(s + theta). At the
maximum H' = rho cos(s + theta), where s stays, and s' follows from the condition of the maximum,

    G = rho' sin phi + rho cos phi = 0,  phi = s + theta,   s' = -G_theta / G_s
    H'' = rho' s' cos phi - rho (1 + s') sin phi
    (J + m H'^2) theta'' = torque - m H' H'' theta'^2 - (m g + k (H - h0)) H'

and the contact force from Newton's law for the follower, N = m (H'' theta'^2 + H' theta'') + m g + k (H - h0).
"""

import pathlib
import sys

from mpmath import cos, mpf, nstr, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, integrate_checked, write_reference

R, E = mpf(40) / 1000, mpf(12) / 1000
J, m, k, h0, g, torque = mpf("1e-3"), mpf("0.3"), mpf(800), mpf(20) / 1000, mpf("9.81"), mpf("0.2")


def contact(theta):
    """s where the face touches: near pi/2 - theta, since the cam is nearly a circle."""
    s = 2 * mpf("0.78539816339744830961566084581987572104929234984378") - theta
    for _ in range(60):
        phi = s + theta
        rho, rho1, rho2 = R + E * cos(s), -E * sin(s), -E * cos(s)
        G = rho1 * sin(phi) + rho * cos(phi)
        step = G / (rho2 * sin(phi) + 2 * rho1 * cos(phi) - rho * sin(phi))
        s -= step
        if abs(step) < mpf("1e-38"):
            return s
    raise ArithmeticError("the contact was not found")


def lift(theta):
    """Returns s, H, H', H'' and s'."""
    s = contact(theta)
    phi = s + theta
    rho, rho1, rho2 = R + E * cos(s), -E * sin(s), -E * cos(s)
    by_theta = rho1 * cos(phi) - rho * sin(phi)
    s1 = -by_theta / (rho2 * sin(phi) + 2 * rho1 * cos(phi) - rho * sin(phi))
    return s, rho * sin(phi), rho * cos(phi), rho1 * s1 * cos(phi) - rho * (1 + s1) * sin(phi), s1


def shaft(t, y):
    theta, rate = y
    _, H, H1, H2, _ = lift(theta)
    return [rate, (torque - m * H1 * H2 * rate**2 - (m * g + k * (H - h0)) * H1) / (J + m * H1**2)]


times = even_times(mpf("0.5"), 100)
solution, difference = integrate_checked(shaft, times, [mpf(0), mpf(40)])
rows, works = [], []
for t, (theta, rate) in zip(times, solution):
    acceleration = shaft(t, [theta, rate])[1]
    s, H, H1, H2, s1 = lift(theta)
    force = m * (H2 * rate**2 + H1 * acceleration) + m * g + k * (H - h0)
    energy = (J + m * H1**2) * rate**2 / 2 + m * g * H + k * (H - h0) ** 2 / 2
    works.append(energy - torque * theta)
    rows.append({"time": t, "theta": theta, "height": 1000 * H, "contact": s, "der(theta)": rate,
                 "der(height)": 1000 * H1 * rate, "der(contact)": s1 * rate, "der(theta,2)": acceleration,
                 "contact_force": force, "lift_off": mpf(int(force < 0)), "contact_x": 1000 * H1,
                 "energy.total": energy})

print("two step sizes agree to", nstr(difference, 2))
print("energy balance", nstr(max(abs(w - works[0]) for w in works), 2))
write_reference(__file__, [
    "Cam with a flat-faced follower; minimal equation in the cam's angle, with the height as the largest of the cam's",
    "points, integrated by extrapolation in 40 digits; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
], rows)
