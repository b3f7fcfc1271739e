"""Computes reference.csv of Andrews' squeezing mechanism from its index-1 equations, in 40 digits.

M q'' - C' lambda = h, C q'' = -gamma is solved for the accelerations and multipliers, q'' is integrated from the
published start, polished by Newton's method; nothing holds the constraints afterwards, so that their violation at the
end measures the accuracy. The end is compared with an extrapolation in quadruple precision by another program.
"""

import pathlib
import sys

from mpmath import cos, mpf, nstr, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, integrate_checked, solve, write_reference


def numbers(text):
    return [mpf(number) for number in text.split()]


m1, m2, m3, m4, m5, m6, m7 = numbers("0.04325 0.00365 0.02373 0.00706 0.0705 0.00706 0.05498")
I1, I2, I3, I4, I5, I6, I7 = numbers("2.194e-6 4.41e-7 5.255e-6 5.667e-7 1.169e-5 5.667e-7 1.912e-5")
xA, yA, xB, yB, xC, yC = numbers("-0.06934 -0.00227 -0.03635 0.03273 0.014 0.072")
d, da, e, ea, rr, ra, ss, sa, sb = numbers("0.028 0.0115 0.02 0.01421 0.007 0.00092 0.035 0.01874 0.01043")
sc, sd, ta, tb, u, ua, ub, zf, zt, fa = numbers("0.018 0.02 0.02308 0.00916 0.04 0.01228 0.00449 0.02 0.04 0.01421")
c0, l0, torque = numbers("4530 0.07785 0.033")
start = numbers("-0.0617138900142764496 0 0.455279819163070380 0.222668390165885885 0.487364979543842550"
                " -0.222668390165885885 1.23054744454982119")
known_end = numbers("15.8107711951537071 -15.7563710584118395 0.0408222401196458049 -0.534730116342079594"
                    " 0.524409965879954069 0.534730116342079594 1.04808074104193787")
known_end_multipliers = [-value for value in numbers(  # there M q'' = f - C' lambda
    "199.175348104538628 -29.7553099749717633 23.0665436116221511 31.4527252757113771 22.6424947863943786"
    " 11.6173923526112559")]

coordinates = ["beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon"]
constraints = ["loop_B_x", "loop_B_y", "loop_K5_x", "loop_K5_y", "loop_K7_x", "loop_K7_y"]


def loops(q):
    """Returns the loop equations and their Jacobian."""
    be, Th, ga, Ph, de, Om, ep = q
    xP, yP = rr * cos(be) - d * cos(be + Th), rr * sin(be) - d * sin(be + Th)
    residual = [
        xP - ss * sin(ga) - xB, yP + ss * cos(ga) - yB,
        xP - e * sin(Ph + de) - zt * cos(de) - xA, yP + e * cos(Ph + de) - zt * sin(de) - yA,
        xP - zf * cos(Om + ep) - u * sin(ep) - xA, yP - zf * sin(Om + ep) + u * cos(ep) - yA,
    ]
    x = [-yP, d * sin(be + Th)]
    y = [xP, -d * cos(be + Th)]
    jacobian = [
        x + [-ss * cos(ga), 0, 0, 0, 0],
        y + [-ss * sin(ga), 0, 0, 0, 0],
        x + [0, -e * cos(Ph + de), zt * sin(de) - e * cos(Ph + de), 0, 0],
        y + [0, -e * sin(Ph + de), -zt * cos(de) - e * sin(Ph + de), 0, 0],
        x + [0, 0, 0, zf * sin(Om + ep), zf * sin(Om + ep) - u * cos(ep)],
        y + [0, 0, 0, -zf * cos(Om + ep), -zf * cos(Om + ep) - u * sin(ep)],
    ]
    return residual, jacobian


def spring(q):
    """Returns extension of the spring and its derivative with respect to gamma."""
    ga = q[2]
    x, y = sd * cos(ga) + sc * sin(ga) + xB - xC, sd * sin(ga) - sc * cos(ga) + yB - yC
    length = sqrt(x**2 + y**2)
    return length - l0, (x * (sc * cos(ga) - sd * sin(ga)) + y * (sd * cos(ga) + sc * sin(ga))) / length


def accelerations_and_multipliers(q, v):
    be, Th, ga, Ph, de, Om, ep = q
    vbe, vTh, vga, vPh, vde, vOm, vep = v
    M = [[mpf(0)] * 7 for _ in range(7)]
    M[0][0] = m1 * ra**2 + m2 * (rr**2 - 2 * da * rr * cos(Th) + da**2) + I1 + I2
    M[0][1] = M[1][0] = m2 * (da**2 - da * rr * cos(Th)) + I2
    M[1][1] = m2 * da**2 + I2
    M[2][2] = m3 * (sa**2 + sb**2) + I3
    M[3][3] = m4 * (e - ea) ** 2 + I4
    M[3][4] = M[4][3] = m4 * ((e - ea) ** 2 + zt * (e - ea) * sin(Ph)) + I4
    M[4][4] = m4 * (zt**2 + 2 * zt * (e - ea) * sin(Ph) + (e - ea) ** 2) + m5 * (ta**2 + tb**2) + I4 + I5
    M[5][5] = m6 * (zf - fa) ** 2 + I6
    M[5][6] = M[6][5] = m6 * ((zf - fa) ** 2 - u * (zf - fa) * sin(Om)) + I6
    M[6][6] = m6 * ((zf - fa) ** 2 - 2 * u * (zf - fa) * sin(Om) + u**2) + m7 * (ua**2 + ub**2) + I6 + I7
    extension, slope = spring(q)
    h = [torque - m2 * da * rr * vTh * (vTh + 2 * vbe) * sin(Th),
         m2 * da * rr * vbe**2 * sin(Th),
         -c0 * extension * slope,
         m4 * zt * (e - ea) * vde**2 * cos(Ph),
         -m4 * zt * (e - ea) * vPh * (vPh + 2 * vde) * cos(Ph),
         -m6 * u * (zf - fa) * vep**2 * cos(Om),
         m6 * u * (zf - fa) * vOm * (vOm + 2 * vep) * cos(Om)]
    # -gamma: minus the second derivatives of the loop equations without their terms in q''.
    x = rr * cos(be) * vbe**2 - d * cos(be + Th) * (vbe + vTh) ** 2
    y = rr * sin(be) * vbe**2 - d * sin(be + Th) * (vbe + vTh) ** 2
    minus_gamma = [
        x - ss * sin(ga) * vga**2,
        y + ss * cos(ga) * vga**2,
        x - e * sin(Ph + de) * (vPh + vde) ** 2 - zt * cos(de) * vde**2,
        y + e * cos(Ph + de) * (vPh + vde) ** 2 - zt * sin(de) * vde**2,
        x - zf * cos(Om + ep) * (vOm + vep) ** 2 - u * sin(ep) * vep**2,
        y - zf * sin(Om + ep) * (vOm + vep) ** 2 + u * cos(ep) * vep**2,
    ]
    C = loops(q)[1]
    upper = [M[i] + [-C[j][i] for j in range(6)] for i in range(7)]
    solution = solve(upper + [row + [0] * 6 for row in C], h + minus_gamma)
    return solution[:7], solution[7:]


def derivative(t, state):
    return state[7:] + accelerations_and_multipliers(state[:7], state[7:])[0]


def assembled(q):
    """Returns q with Theta kept and the loops closed."""
    free = [0, 2, 3, 4, 5, 6]
    for _ in range(6):
        residual, C = loops(q)
        change = solve([[row[i] for i in free] for row in C], residual)
        q = [q[i] - change[free.index(i)] if i in free else q[i] for i in range(7)]
    return q


times = even_times(mpf("0.03"), 60)
# Accelerations reach 5.7e5: they and the multipliers lose some six digits against the state.
solution, difference = integrate_checked(derivative, times, assembled(start) + [mpf(0)] * 7, accuracy=mpf("1e-18"))
rows, violation = [], 0
for t, state in zip(times, solution):
    q, v = state[:7], state[7:]
    violation = max(violation, *(abs(value) for value in loops(q)[0]))
    a, multipliers = accelerations_and_multipliers(q, v)
    row = {"time": t}
    row.update(zip(coordinates, q))
    row.update((f"der({name})", value) for name, value in zip(coordinates, v))
    row.update((f"der({name},2)", value) for name, value in zip(coordinates, a))
    row.update((f"constraint.{name}.multiplier", value) for name, value in zip(constraints, multipliers))
    row.update({"spring_force": c0 * spring(q)[0], "drive_power": torque * v[0]})
    rows.append(row)

print("two step sizes agree to", nstr(difference, 2))
print("largest violation of the loops, in m", nstr(violation, 2))
print("difference from the known end, positions", nstr(max(abs(a - b) for a, b in zip(solution[-1], known_end)), 2),
      "multipliers", nstr(max(abs(a - b) for a, b in zip(multipliers, known_end_multipliers)), 2))
write_reference(__file__, [
    "Andrews' squeezing mechanism, problem A03 of the IFToMM benchmark library and \"Andrews\" of the IVP test set;",
    "index-1 equations integrated by extrapolation in 40 digits, computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}, relative).",
    "Multipliers have the sign of M q'' = h + C' lambda, opposite to the test set's. The test set's printed",
    "accelerations and multipliers are wrong in digits 6 to 8.",
    "bound = 1e-6",
], rows)
