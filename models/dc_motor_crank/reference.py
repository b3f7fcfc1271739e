"""Computes reference.csv of the slider-crank with its DC motor, with 24 V.

The minimal equation in the crank angle is d'Alembert's principle; it is integrated together with Kirchhoff's voltage
law for the winding and with the balance of its heat.
"""

import pathlib
import sys

from mpmath import mpf

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_jets import Jet, asin, cos, sin
from reference_tools import even_times, integrate_checked, write_reference

r, l, J = mpf("0.03"), mpf("0.11"), mpf("0.0025")
m_rod, m_piston, load, g = mpf("0.2"), mpf("0.3"), mpf(8), mpf("9.81")
L, R, rise, k, capacity, cooling = mpf("0.004"), mpf("0.7"), mpf("0.0039"), mpf("0.14"), mpf(25), mpf("0.4")
voltage = mpf(24)


def geometry(angle):
    """Returns the piston's place, the rod's angle, and the rod's centre, as jets in the crank angle."""
    theta = Jet(angle, 1)
    rod = asin(sin(theta) * (-r / l))
    piston = r * cos(theta) + l * cos(rod)
    centre = r * cos(theta) + l / 2 * cos(rod), r * sin(theta) + l / 2 * sin(rod)
    return piston, rod, centre


def equation(angle):
    """Returns the inertia, half its slope, the torque of the weight, and that of the load for the speed."""
    piston, rod, (x, y) = geometry(angle)
    parts = [(m_rod, x), (m_rod, y), (m_rod * l**2 / 12, rod), (m_piston, piston)]
    inertia = J + sum(m * q.first**2 for m, q in parts)
    half_slope = sum(m * q.first * q.second for m, q in parts)
    return inertia, half_slope, -m_rod * g * y.first, -load * piston.first**2


def derivative(t, state):
    angle, speed, current, warmth = state
    inertia, half_slope, weight, drag = equation(angle)
    resistance = R * (1 + rise * warmth)
    return [speed, (weight + drag * speed + k * current - half_slope * speed**2) / inertia,
            (voltage - resistance * current - k * speed) / L,
            (resistance * current**2 - cooling * warmth) / capacity]


times = even_times(1, 25)
solution, error = integrate_checked(derivative, times, [1, 0, 0, 0], accuracy=mpf("1e-16"))
rows = []
for t, state in zip(times, solution):
    angle, speed, current, warmth = state
    piston, rod, (_, y) = geometry(angle)
    rates = derivative(t, state)
    resistance = R * (1 + rise * warmth)
    rows.append({
        "time": t, "A.angle": angle, "der(A.angle)": speed, "der(A.angle,2)": rates[1], "B.angle": rod.value - angle,
        "D.position": piston.value, "der(D.position)": piston.first * speed, "current": current,
        "der(current)": rates[2], "warmth": warmth, "der(warmth)": rates[3], "motor.torque": k * current,
        "energy.kinetic": equation(angle)[0] * speed**2 / 2, "energy.potential": m_rod * g * y.value,
        "electric_power": voltage * current, "heat": resistance * current**2,
        "magnetic_energy": L * current**2 / 2, "load_power": load * (piston.first * speed) ** 2,
    })

write_reference(__file__, [
    "Slider-crank with a DC motor at 24 V: minimal equation in the crank angle, current and temperature of a winding,",
    "integrated by extrapolation in 40 digits; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {float(error):.0e}).",
    "bound = 1e-6",
    "input voltage = 24",
], rows)
