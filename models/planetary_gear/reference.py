"""Computes reference.csv of the planetary gear from its exact solution, and its loads by hand.

With w the speed of the carrier, i = 1 + r_ring/r_sun the ratio, w_sun = i w and w (1 - r_ring/r_planet) the speed of
a planet:

    I w' = i T - B - d w,     I = i^2 J_sun + J_carrier + 3 (m_planet r^2 + J_planet (1 - r_ring/r_planet)^2)

so that w = w_end (1 - exp(-t d/I)) from rest, w_end = (i T - B)/d. Tooth forces: each of the three planets takes a
third of the torque at the sun, its own law of moments gives the force at the ring, and the bearing carries both
together with the planet's weight and acceleration. Newton's and Euler's laws for carrier and sun, the moments of the
whole and the power balance are checks.
"""

import pathlib
import sys

from mpmath import exp, expj, mpf, nstr, pi

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from planar_reference import conj, coordinate, imag
from reference_tools import even_times, write_reference

r_sun, r_planet, g = mpf("0.03"), mpf("0.024"), mpf("9.81")
r_ring, r = r_sun + 2 * r_planet, r_sun + r_planet
m_sun, J_sun, m_carrier, J_carrier, m_planet = mpf("0.8"), mpf("6e-4"), mpf("1.5"), mpf("8e-3"), mpf("0.4")
J_planet, damping = m_planet * r_planet**2 / 2, mpf("0.15")
torque, brake = mpf(2), mpf(1)

i = 1 + r_ring / r_sun
planet_ratio = 1 - r_ring / r_planet  # absolute speed of a planet for that of the carrier
inertia = i**2 * J_sun + J_carrier + 3 * (m_planet * r**2 + J_planet * planet_ratio**2)
w_end = (i * torque - brake) / damping

rows, imbalance = [], mpf(0)
for t in even_times(2, 100):
    fading = exp(-t * damping / inertia)
    w, dw = w_end * (1 - fading), w_end * damping / inertia * fading
    carrier = w_end * (t - inertia / damping * (1 - fading)), w, dw
    sun = tuple(i * value for value in carrier)
    planet = tuple((planet_ratio - 1) * value for value in carrier)  # against the carrier
    # On a planet: tangential forces from sun and ring, counter-clockwise about the gear's axis.
    from_sun = (torque - J_sun * sun[2]) / (3 * r_sun)
    from_ring = from_sun + J_planet * planet_ratio * dw / r_planet
    row = {"time": t}
    row.update(coordinate("S.angle", sun))
    row.update(coordinate("C.angle", carrier))
    force_on_carrier, moment_on_carrier = mpf(0), mpf(0)
    for k in range(3):
        row.update(coordinate(f"P{k + 1}.angle", planet))
        place = expj(2 * pi * k / 3)  # in the carrier's frame
        weight = -1j * m_planet * g * expj(-carrier[0])
        acceleration = (1j * dw - w**2) * r * place
        bearing = m_planet * acceleration - weight - (from_sun + from_ring) * 1j * place
        row[f"P{k + 1}.reaction.force.x"], row[f"P{k + 1}.reaction.force.y"] = bearing.real, bearing.imag
        force_on_carrier -= bearing
        moment_on_carrier -= imag(conj(r * place) * bearing)
    load = brake + damping * w
    force = 1j * m_carrier * g - force_on_carrier * expj(carrier[0])
    row.update({"C.reaction.force.x": force.real, "C.reaction.force.y": force.imag,
                "S.reaction.force.x": 0, "S.reaction.force.y": m_sun * g, "R.reaction.torque": 3 * from_ring * r_ring})
    kinetic = inertia * w**2 / 2
    row.update({"bearing_load": abs(row["P1.reaction.force.x"] + 1j * row["P1.reaction.force.y"]),
                "ring_torque": row["R.reaction.torque"], "load_power": load * w, "energy.kinetic": kinetic})
    imbalance = max(imbalance, abs(moment_on_carrier - load - J_carrier * dw),
                    abs(force - 1j * g * (m_carrier + 3 * m_planet)),
                    abs(torque * sun[1] - load * w - inertia * w * dw),
                    abs(torque + row["R.reaction.torque"] - load - J_sun * sun[2]
                        - (J_carrier + 3 * m_planet * r**2 + 3 * J_planet * planet_ratio) * dw))
    rows.append(row)

print("largest violation of the balances", nstr(imbalance, 2))
print("time constant", nstr(inertia / damping, 5), "s, tooth force in the end", nstr(torque / (3 * r_sun), 5), "N")
assert imbalance < mpf("1e-30")
write_reference(__file__, [
    "Planetary gear under a constant torque of the sun; exact solution, tooth forces and bearing loads by hand,",
    "evaluated in 40 digits by reference.py.",
    "Accuracy: all digits shown.",
    "input sun_torque = 2",
    "input brake_torque = 1",
    "bound = 1e-7",
], rows)
