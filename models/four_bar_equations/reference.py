"""Computes reference.csv of the four-bar linkage from its minimal equation in the crank angle.

Elementary kinematics gives the other two angles and the ratios k_i = d theta_i / d theta_1, and with them each mass
centre's derivatives x', y' with respect to the crank angle. Eksergian's equation is then

    I theta_1'' + I'/2 theta_1'^2 = -sum m_i g y_i',     I = sum m_i (x_i'^2 + y_i'^2) + J_i k_i^2

The force on the rocker at A follows from Newton's and Euler's laws for the three links taken apart: nine equations
for the eight components of the pin forces, so that their residual is a check of the whole. The script also writes the
reference of four_bar_cut_in_the_middle, which moves alike.
"""

import pathlib
import sys

from mpmath import acos, atan2, cos, hypot, mpf, nstr, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import chain_forces, even_times, integrate_checked, write_reference

lengths = [mpf(1), mpf("2.5"), mpf(2)]
masses = [mpf(1), mpf("2.5"), mpf(2)]
a, b, g = mpf(3), mpf(0), mpf("9.81")
theta1_start, theta1_rate = mpf(1), mpf("0.5")


def kinematics(theta1):
    """Angles, first and second ratios of the links, and positions with two derivatives of their mass centres."""
    l1, l2, l3 = lengths
    X, Y = a - l1 * cos(theta1), b - l1 * sin(theta1)
    distance = hypot(X, Y)
    theta2 = atan2(Y, X) + acos((l2**2 + distance**2 - l3**2) / (2 * l2 * distance))
    theta3 = atan2(Y - l2 * sin(theta2), X - l2 * cos(theta2))
    angles = [theta1, theta2, theta3]
    k = [mpf(1), l1 * sin(theta1 - theta3) / (l2 * sin(theta3 - theta2)),
         l1 * sin(theta2 - theta1) / (l3 * sin(theta3 - theta2))]
    # The closure sum l_i e^(i theta_i) = a + i b, differentiated twice, projected across link 3 and across link 2.
    along_3 = sum(l * ki**2 * cos(theta - theta3) for l, ki, theta in zip(lengths, k, angles))
    along_2 = sum(l * ki**2 * cos(theta - theta2) for l, ki, theta in zip(lengths, k, angles))
    kk = [mpf(0), along_3 / (l2 * sin(theta3 - theta2)), -along_2 / (l3 * sin(theta3 - theta2))]
    centres, pin = [], [[mpf(0)] * 2 for _ in range(3)]
    for l, theta, k1, k2 in zip(lengths, angles, k, kk):
        arm = [[l * cos(theta), l * sin(theta)],
               [-l * sin(theta) * k1, l * cos(theta) * k1],
               [-l * sin(theta) * k2 - l * cos(theta) * k1**2, l * cos(theta) * k2 - l * sin(theta) * k1**2]]
        centres.append([[p + r / 2 for p, r in zip(*pair)] for pair in zip(pin, arm)])
        pin = [[p + r for p, r in zip(*pair)] for pair in zip(pin, arm)]
    return angles, k, kk, centres


def crank(t, y):
    """Evaluates Eksergian's equation."""
    theta1, rate = y
    _, k, kk, centres = kinematics(theta1)
    inertia, half_slope, moment = mpf(0), mpf(0), mpf(0)
    for m, l, k1, k2, (_, (dx, dy), (ddx, ddy)) in zip(masses, lengths, k, kk, centres):
        inertia += m * (dx**2 + dy**2) + m * l**2 / 12 * k1**2
        half_slope += m * (dx * ddx + dy * ddy) + m * l**2 / 12 * k1 * k2
        moment -= m * g * dy
    return [rate, (moment - half_slope * rate**2) / inertia]


times = even_times(10, 100)
solution, difference = integrate_checked(crank, times, [theta1_start, theta1_rate])
rows, cut_rows, balance_error, energies = [], [], 0, []
for t, (theta1, rate) in zip(times, solution):
    acceleration = crank(t, [theta1, rate])[1]
    angles, k, kk, centres = kinematics(theta1)
    rates = [k1 * rate for k1 in k]
    accelerations = [k1 * acceleration + k2 * rate**2 for k1, k2 in zip(k, kk)]
    centre_accelerations = [[d1 * acceleration + d2 * rate**2 for d1, d2 in zip(d, dd)] for _, d, dd in centres]
    force, residual = chain_forces(list(zip(masses, lengths)), angles, accelerations, centre_accelerations, g,
                                   [(1, 0), (0, 1)])
    balance_error = max(balance_error, residual)
    energies.append(sum(m * rate**2 * (dx**2 + dy**2) / 2 + m * l**2 / 24 * w**2 + m * g * y
                        for m, l, w, ((_, y), (dx, dy), _) in zip(masses, lengths, rates, centres)))
    row = {"time": t}
    row.update({f"theta{i + 1}": value for i, value in enumerate(angles)})
    row.update({f"der(theta{i + 1})": value for i, value in enumerate(rates)})
    row.update({f"der(theta{i + 1},2)": value for i, value in enumerate(accelerations)})
    row.update({"constraint.closure_x.multiplier": force[0], "constraint.closure_y.multiplier": force[1],
                "pin_load": sqrt(force[0] ** 2 + force[1] ** 2),
                "coupler_x": centres[1][0][0], "coupler_y": centres[1][0][1], "energy.total": energies[0]})
    rows.append(row)
    # In the twin the rocker's angle has the other sign. Newton's law for the rocker gives the force at its upper pin.
    cut = {name: -value if name in ("theta3", "der(theta3)", "der(theta3,2)") else value
           for name, value in row.items() if name.startswith(("time", "theta", "der"))}
    pin = [force[0] - masses[2] * centre_accelerations[2][0],
           force[1] - masses[2] * (g + centre_accelerations[2][1])]  # on the coupler
    cut.update({"constraint.closure_x.multiplier": pin[0], "constraint.closure_y.multiplier": pin[1],
                "pin_load": sqrt(pin[0] ** 2 + pin[1] ** 2), "energy.total": energies[0]})
    for i, turn in enumerate((1, 1, -1)):  # the power of each component of that force per rate
        arm = [-lengths[i] * sin(angles[i]), lengths[i] * cos(angles[i])]
        for name, along, component in zip("xy", arm, pin):
            cut[f"constraint.closure_{name}.effort.theta{i + 1}"] = turn * along * component
    cut_rows.append(cut)

print("two step sizes agree to", nstr(difference, 2))
print("energy drift", nstr(max(abs(e - energies[0]) for e in energies), 2))
print("largest residual of Newton's and Euler's laws", nstr(balance_error, 2))
for script_rows, form, folder in ((rows, "(22a)", None), (cut_rows, "(22b)", "four_bar_cut_in_the_middle")):
    write_reference(__file__, [
        f"Four-bar linkage of uniform links, Blajer, Bestle, Schiehlen 1994, example 1, opened as in {form};",
        "minimal equation in the crank angle, integrated by extrapolation in 40 digits, "
        "pin force from Newton and Euler",
        "for the links taken apart; computed by " +
        ("reference.py." if folder is None else "models/four_bar_equations/reference.py."),
        f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
        "bound = 1e-6",
    ], script_rows, folder)
