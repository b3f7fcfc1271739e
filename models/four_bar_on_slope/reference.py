"""Computes reference.csv of four_bar_on_slope and of its twin four_bar_on_slope_minimal, which move alike.

The angle of the middle link follows from the outer two, sin(theta2 - alpha) = -(c + l1 sin(theta1 - alpha)
+ l3 sin(theta3 - alpha))/l2, so q' = K w with w = (theta1', theta3'); the minimal equations K'M K w' = K'(h - M k)
are integrated, k being the part of the accelerations that does not contain w'. The force of the slope follows from
Newton's and Euler's laws for the three links taken apart.
"""

import pathlib
import sys

from mpmath import asin, cos, mpf, nstr, pi, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import chain_forces, even_times, integrate_checked, write_reference

lengths = [mpf(1), mpf("2.5"), mpf(1)]
masses = [mpf(1), mpf("2.5"), mpf(1)]
c, alpha, g = mpf("0.4"), pi / 6, mpf("9.81")
start = [mpf("-1.5"), mpf("2.8"), mpf(0), mpf(0)]
links = range(3)

# Link i turns itself with half its length and carries all later links with its whole length.
carried = [sum(masses[i + 1:]) for i in links]
static_moment = [lengths[i] * (masses[i] / 2 + carried[i]) for i in links]


def coupling(i, j):
    """M_ij = coupling cos(theta_i - theta_j)."""
    if i == j:
        return lengths[i] ** 2 * (masses[i] / 3 + carried[i])
    return lengths[min(i, j)] * static_moment[max(i, j)]


couplings = [[coupling(i, j) for j in links] for i in links]


def angles_and_rates(theta1, theta3, rate1, rate3):
    theta2 = alpha + asin(-(c + lengths[0] * sin(theta1 - alpha) + lengths[2] * sin(theta3 - alpha)) / lengths[1])
    angles = [theta1, theta2, theta3]
    along = [l * cos(theta - alpha) for l, theta in zip(lengths, angles)]
    rate2 = -(along[0] * rate1 + along[2] * rate3) / along[1]
    return angles, [rate1, rate2, rate3], along


def accelerations(state):
    """Returns second derivatives of the three angles."""
    angles, rates, along = angles_and_rates(*state)
    sines = [[sin(x - y) for y in angles] for x in angles]
    M = [[couplings[i][j] * cos(angles[i] - angles[j]) for j in links] for i in links]
    h = [-sum(couplings[i][j] * sines[i][j] * rates[j] ** 2 for j in links) - static_moment[i] * g * cos(angles[i])
         for i in links]
    K = [(mpf(1), mpf(0)), (-along[0] / along[1], -along[2] / along[1]), (mpf(0), mpf(1))]
    k2 = sum(l * sin(theta - alpha) * w**2 for l, theta, w in zip(lengths, angles, rates)) / along[1]
    right = [h[i] - M[i][1] * k2 for i in links]
    A = [[sum(K[i][r] * M[i][j] * K[j][s] for i in links for j in links) for s in range(2)] for r in range(2)]
    b = [sum(K[i][r] * right[i] for i in links) for r in range(2)]
    determinant = A[0][0] * A[1][1] - A[0][1] * A[1][0]
    first = (b[0] * A[1][1] - b[1] * A[0][1]) / determinant
    third = (b[1] * A[0][0] - b[0] * A[1][0]) / determinant
    return [first, K[1][0] * first + K[1][1] * third + k2, third]


def derivative(t, state):
    first, _, third = accelerations(state)
    return [state[2], state[3], first, third]


times = even_times(10, 100)
solution, difference = integrate_checked(derivative, times, start)
rows, minimal_rows, balance_error, energies, smallest_cosine = [], [], 0, [], 1
for t, state in zip(times, solution):
    angles, rates, along = angles_and_rates(*state)
    smallest_cosine = min(smallest_cosine, abs(along[1]) / lengths[1])
    angular = accelerations(state)
    point, velocity, acceleration = [mpf(0)] * 2, [mpf(0)] * 2, [mpf(0)] * 2  # of the pin, going along the chain
    centre_accelerations, energy = [], mpf(0)
    for m, l, theta, w, a in zip(masses, lengths, angles, rates, angular):
        arm = [l * cos(theta), l * sin(theta)]
        arm_velocity = [-arm[1] * w, arm[0] * w]
        arm_acceleration = [-arm[1] * a - arm[0] * w**2, arm[0] * a - arm[1] * w**2]
        centre_velocity = [p + r / 2 for p, r in zip(velocity, arm_velocity)]
        centre_accelerations.append([p + r / 2 for p, r in zip(acceleration, arm_acceleration)])
        energy += m * sum(p**2 for p in centre_velocity) / 2 + m * l**2 / 24 * w**2 + m * g * (point[1] + arm[1] / 2)
        point = [p + r for p, r in zip(point, arm)]
        velocity = [p + r for p, r in zip(velocity, arm_velocity)]
        acceleration = [p + r for p, r in zip(acceleration, arm_acceleration)]
    energies.append(energy)
    (normal_force,), residual = chain_forces(list(zip(masses, lengths)), angles, angular, centre_accelerations, g,
                                             [(-sin(alpha), cos(alpha))])
    balance_error = max(balance_error, residual)
    row = {"time": t}
    row.update({f"theta{i + 1}": value for i, value in enumerate(angles)})
    row.update({f"der(theta{i + 1})": value for i, value in enumerate(rates)})
    row.update({f"der(theta{i + 1},2)": value for i, value in enumerate(angular)})
    outputs = {"normal_force": normal_force, "travel": point[0] * cos(alpha) + point[1] * sin(alpha),
               "energy.total": energies[0]}
    force = [-normal_force * sin(alpha), normal_force * cos(alpha)]  # on the end A
    efforts = {f"constraint.slope.effort.theta{i + 1}": l * (cos(theta) * force[1] - sin(theta) * force[0])
               for i, (l, theta) in enumerate(zip(lengths, angles))}  # the power of that force per rate
    rows.append({**row, "constraint.slope.multiplier": normal_force * cos(alpha),
                 "constraint.slope.reaction.xA": force[0], "constraint.slope.reaction.yA": force[1], **efforts,
                 **outputs})
    minimal_rows.append({**row, "constraint.slope.multiplier": -normal_force, **outputs})

print("two step sizes agree to", nstr(difference, 2))
print("energy drift", nstr(max(abs(e - energies[0]) for e in energies), 2))
print("largest residual of Newton's and Euler's laws", nstr(balance_error, 2))
print("smallest |cos(theta2 - alpha)|, where the two minimal coordinates would fail", nstr(smallest_cosine, 3))
for script_rows, form, folder in ((rows, "(26a)", None), (minimal_rows, "(26b)", "four_bar_on_slope_minimal")):
    write_reference(__file__, [
        f"Chain of three uniform links on a slope, Blajer, Bestle, Schiehlen 1994, example 2, constraint as {form};",
        "minimal equations in theta1 and theta3, integrated by extrapolation in 40 digits, force of the slope from",
        "Newton and Euler for the links taken apart; computed by models/four_bar_on_slope/reference.py.",
        f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
        "bound = 1e-6",
    ], script_rows, folder)
