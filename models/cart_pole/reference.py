"""Computes reference.csv of the cart with pole from Newton's and Euler's laws.

With x the cart, a the pole's angle from the upright, counter-clockwise, c = l/2 and J = m l^2/12, the normal force N
is the third unknown beside x'' and a'':

    (M + m) x'' - m c (cos a a'' - sin a a'^2)  =  push - mu |N| tanh(x'/v_stick)
    (J + m c^2) a'' - m c cos a x''             =  m g c sin a - d a'
    N                                           =  (M + m) g - m c (sin a a'' + cos a a'^2)

N stays positive, as an assertion checks, so the equations are linear. Energy must change by the work of push and
friction.
"""

import pathlib
import sys

from mpmath import cos, mpf, nstr, sin, tanh

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, integrate_checked, solve, write_reference

M, m, l, g = mpf(1), mpf("0.3"), mpf("0.6"), mpf("9.81")
mu, d, v_stick, push = mpf("0.08"), mpf("0.002"), mpf("0.05"), mpf("1.2")
c, J = l / 2, m * l**2 / 12


def accelerations_and_normal_force(v, a, w):
    """x'', a'' and N, by Cramer's rule after N is eliminated."""
    sine, cosine, grip = sin(a), cos(a), mu * tanh(v / v_stick)
    # (M + m) x'' - m c (cos a + mu tanh sin a) a'' = push - mu tanh ((M + m) g - m c cos a a'^2) - m c sin a a'^2
    matrix = [[M + m, -m * c * (cosine + grip * sine)], [-m * c * cosine, J + m * c**2]]
    right_side = [push - grip * ((M + m) * g - m * c * cosine * w**2) - m * c * sine * w**2,
                  m * g * c * sine - d * w]
    ddx, dda = solve(matrix, right_side)
    return ddx, dda, (M + m) * g - m * c * (sine * dda + cosine * w**2)


def derivative(t, y):
    _, a, v, w, _ = y
    ddx, dda, N = accelerations_and_normal_force(v, a, w)
    return [v, w, ddx, dda, push * v - mu * N * tanh(v / v_stick) * v - d * w**2]


times = even_times(3, 60)
solution, difference = integrate_checked(derivative, times, [0, mpf("0.1"), 0, 0, 0], accuracy=mpf("1e-14"))
rows, imbalance, lowest = [], mpf(0), mpf("inf")
for t, (x, a, v, w, work) in zip(times, solution):
    ddx, dda, N = accelerations_and_normal_force(v, a, w)
    # The pole alone: its mass centre is at (x - c sin a, c cos a).
    force_x = m * (ddx - c * (cos(a) * dda - sin(a) * w**2))
    force_y = m * (g - c * (sin(a) * dda + cos(a) * w**2))
    kinetic = M * v**2 / 2 + m * ((v - c * cos(a) * w) ** 2 + (c * sin(a) * w) ** 2) / 2 + J * w**2 / 2
    potential = m * g * c * cos(a)
    friction = -mu * N * tanh(v / v_stick)
    if not rows:
        start_energy = kinetic + potential
    imbalance = max(imbalance, abs(kinetic + potential - start_energy - work),
                    abs(J * dda - (-d * w + c * (cos(a) * force_x + sin(a) * force_y))),
                    abs(M * ddx - (push + friction - force_x)))
    lowest = min(lowest, N)
    rows.append({
        "time": t, "rail.position": x, "der(rail.position)": v, "der(rail.position,2)": ddx,
        "pivot.angle": a, "der(pivot.angle)": w, "der(pivot.angle,2)": dda,
        "rail.reaction.force.x": 0, "rail.reaction.force.y": N, "rail.reaction.torque": -d * w,
        "pivot.reaction.force.x": force_x, "pivot.reaction.force.y": force_y,
        "normal_force": N, "tip.x": x - l * sin(a), "tip.y": l * cos(a),
        "energy.kinetic": kinetic, "energy.potential": potential,
    })

print("two step sizes agree to", nstr(difference, 2), "- balances hold to", nstr(imbalance, 2))
print("smallest normal force", nstr(lowest, 5), "N")
assert imbalance < mpf("1e-13") and lowest > 0
write_reference(__file__, [
    "Cart with pole and friction that depends on the normal force; Newton's and Euler's laws solved for accelerations",
    "and normal force, integrated by extrapolation in 40 digits; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "input push = 1.2",
    "bound = 1e-6",
], rows)
