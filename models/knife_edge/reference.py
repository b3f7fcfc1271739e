"""Computes reference.csv of the knife edge from its closed-form solution.

No torque turns the blade, so phi = phi_0 + omega t. Along the blade only gravity acts, V' = G cos phi with
G = g sin(slope), so

    V = V_0 + (G/omega) (sin phi - sin phi_0) = w + (G/omega) sin phi

and x' = V cos phi, y' = V sin phi are integrated once more:

    x - x_0 = (w/omega) (sin phi - sin phi_0) + (G/(2 omega^2)) (sin^2 phi - sin^2 phi_0)
    y - y_0 = -(w/omega) (cos phi - cos phi_0) + (G/(2 omega^2)) (phi - phi_0 - sin phi cos phi + sin phi_0 cos phi_0)

The side force balances gravity across the blade and turns the velocity: lambda = m (V omega + G sin phi).
"""

import pathlib
import sys

from mpmath import cos, diff, mpf, nstr, radians, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

m, g, slope = mpf(2), mpf("9.81"), radians(mpf(20))
x_0, y_0, phi_0, x_rate, omega = mpf(0), mpf(0), mpf("0.5"), mpf("0.6"), mpf(2)
G = g * sin(slope)
V_0 = x_rate / cos(phi_0)
w = V_0 - G / omega * sin(phi_0)


def angle(t):
    return phi_0 + omega * t


def speed(t):
    return w + G / omega * sin(angle(t))


def x(t):
    phi = angle(t)
    return x_0 + w / omega * (sin(phi) - sin(phi_0)) + G / (2 * omega**2) * (sin(phi) ** 2 - sin(phi_0) ** 2)


def y(t):
    phi = angle(t)
    swept = phi - phi_0 - sin(phi) * cos(phi) + sin(phi_0) * cos(phi_0)
    return y_0 - w / omega * (cos(phi) - cos(phi_0)) + G / (2 * omega**2) * swept


rows, error = [], 0
for t in even_times(10, 100):
    phi, V = angle(t), speed(t)
    V_dot = G * cos(phi)
    side_force = m * (V * omega + G * sin(phi))
    row = {
        "time": t, "x": x(t), "y": y(t), "phi": phi,
        "der(x)": V * cos(phi), "der(y)": V * sin(phi), "der(phi)": omega,
        "der(x,2)": V_dot * cos(phi) - V * omega * sin(phi), "der(y,2)": V_dot * sin(phi) + V * omega * cos(phi),
        "der(phi,2)": mpf(0), "constraint.blade.multiplier": side_force, "side_force": side_force, "speed": V,
    }
    rows.append(row)
    # the equations of motion, with the accelerations by differentiating x(t) and y(t) numerically
    error = max(error, abs(diff(x, t) - row["der(x)"]), abs(diff(y, t) - row["der(y)"]),
                abs(m * diff(x, t, 2) - m * G + side_force * sin(phi)), abs(m * diff(y, t, 2) - side_force * cos(phi)))

print("the closed form satisfies the equations of motion to", nstr(error, 2))
write_reference(__file__, [
    "A knife edge on an inclined plane: closed-form solution, computed by reference.py in 40 digits.",
    f"Accuracy: all digits shown (equations of motion satisfied to {nstr(error, 1)}).",
    "bound = 1e-7",
    "input turning_torque = 0",
], rows)
