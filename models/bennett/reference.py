"""Computes reference.csv of Bennett's linkage from its minimal equation in the crank angle.

u is the angle at A between AB and DA, v the one at B between BC and AB; Bennett's relation is

    tan(u/2) tan(v/2) = K,          K from the drawn pose

It gives the positions of B and C as jets in the crank angle; the loop's remaining conditions (the length of CD, its
right angle with the axis at D, the twist between the axes at C and D) are checked. The rods are slender, so the
positions of their ends give the minimal equation I phi'' + I'/2 phi'^2 = -U' + torque.
"""

import pathlib
import sys

from mpmath import atan2, cos as cosine, mpf, nstr, radians, sin as sine, sqrt, tan

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_jets import Jet, chain, cos, jet, plus, rod_equation, scaled, sin
from reference_tools import even_times, integrate_checked, write_reference

p, q, h, e = mpf("0.5"), mpf("0.8"), mpf("0.2"), radians(mpf(60))
mass_per_length, torque = mpf(2), mpf(0)
gravity = [mpf(0), mpf(0), mpf("-9.81")]
qx, qy = q * cosine(e), q * sine(e)
drawn = {"A": [p, mpf(0), h], "B": [qx, qy, -h], "C": [-p, mpf(0), h], "D": [-qx, -qy, -h]}


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def unit(a):
    return scaled(1 / sqrt(dot(a, a)), a)


def side(start, end):
    return [y - x for x, y in zip(drawn[start], drawn[end])]


short, long = sqrt(dot(side("A", "B"), side("A", "B"))), sqrt(dot(side("B", "C"), side("B", "C")))
n_A, n_B = unit(cross(side("A", "B"), side("A", "D"))), unit(cross(side("B", "C"), side("B", "A")))
n_C, n_D = unit(cross(side("C", "D"), side("C", "B"))), unit(cross(side("D", "A"), side("D", "C")))


def angle(axis, start, end):
    return atan2(dot(axis, cross(start, end)), dot(start, end))


u_drawn, v_drawn = angle(n_A, side("A", "B"), side("A", "D")), angle(n_B, side("B", "C"), side("B", "A"))
K = tan(u_drawn / 2) * tan(v_drawn / 2)
twist_B = angle(unit(side("A", "B")), n_A, n_B)
twist_C = angle(unit(side("B", "C")), n_B, n_C)
along, across = unit(side("A", "D")), cross(n_A, unit(side("A", "D")))


def other_angle(u):
    """v by Bennett's relation, without a jump where u passes 0 or pi."""
    c, s = cosine(u.value / 2), sine(u.value / 2)
    width = s**2 + K**2 * c**2
    return chain(u, 2 * atan2(K * c, s), -K / width, K * (1 - K**2) * s * c / width**2)


def mechanism(phi):
    """Returns v, the points B and C, and the errors of the loop, from the crank angle."""
    u = u_drawn - phi
    v = other_angle(u)
    AB = plus(scaled(cos(u), along), scaled(-sin(u), across))
    axis_B = plus(scaled(cosine(twist_B), n_A), scaled(sine(twist_B), cross(AB, n_A)))
    BC = plus(scaled(-cos(v), AB), scaled(sin(v), cross(axis_B, AB)))
    axis_C = plus(scaled(cosine(twist_C), axis_B), scaled(sine(twist_C), cross(BC, axis_B)))
    B = plus(drawn["A"], scaled(short, AB))
    C = plus(B, scaled(long, BC))
    DC = plus(C, scaled(-1, drawn["D"]))
    errors = [dot(DC, DC) - short**2, dot(DC, n_D), dot(DC, axis_C), dot(axis_C, n_D) - dot(n_C, n_D)]
    return v, B, C, max(max(abs(x.value), abs(x.first), abs(x.second)) for x in errors)


def equation(phi):
    _, B, C, _ = mechanism(Jet(phi, 1))
    return rod_equation([(mass_per_length * short, drawn["A"], B), (mass_per_length * long, B, C),
                         (mass_per_length * short, C, drawn["D"])], gravity)


def motion(t, state):
    phi, rate = state
    inertia, half_slope, force, _ = equation(phi)
    return [rate, (force + torque - half_slope * rate**2) / inertia]


times = even_times(10, 50)
solution, difference = integrate_checked(motion, times, [0, 0], mpf("1e-18"))
rows, loop_error, energies = [], 0, []
for t, (phi, rate) in zip(times, solution):
    acceleration = motion(t, [phi, rate])[1]
    inertia, _, _, potential = equation(phi)
    crank = Jet(phi, rate, acceleration)
    v, B, C, error = mechanism(crank)
    loop_error = max(loop_error, error)
    energies.append(inertia * rate**2 / 2 + potential)
    angles = {"J_A.angle": crank, "J_B.angle": v_drawn - v, "J_C.angle": crank, "J_D.angle": v - v_drawn}
    row = {"time": t}
    row.update({name: jet(value).value for name, value in angles.items()})
    row.update({f"der({name})": value.first for name, value in angles.items()})
    row.update({f"der({name},2)": value.second for name, value in angles.items()})
    for name, point in (("B", B), ("C", C)):
        row.update({f"{name}.{axis}": value.value for axis, value in zip("xyz", point)})
    row["energy.total"] = energies[0]
    rows.append(row)

drift = max(abs(x - energies[0]) for x in energies)
print("two step sizes agree to", nstr(difference, 2))
print("loop closed to", nstr(loop_error, 2), " energy drift", nstr(drift, 2))
print("twists", nstr(twist_B, 6), nstr(twist_C, 6), "sides", nstr(short, 6), nstr(long, 6), "K", nstr(K, 6))
print("sin(twist)/side differ by", nstr(abs(sine(twist_B)) / short - abs(sine(twist_C)) / long, 2))
assert loop_error < mpf("1e-30") and drift < mpf("1e-15")
write_reference(__file__, [
    "Bennett's linkage: minimal equation in the crank angle, with Bennett's relation of the joint angles in closed",
    "form; integrated by extrapolation in 40 digits, computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
    "input crank_torque = 0",
], rows)
