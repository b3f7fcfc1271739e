"""Computes reference.csv of the arm on its path: inverse kinematics and inverse dynamics in closed form.

The law of cosines gives the elbow's angle from the tip's distance, and the shoulder's follows. The tip's velocity and
acceleration give the rates by the 2 x 2 Jacobian D, which has determinant l1 l2 sin(theta2):

    D theta' = p',    D theta'' = p'' - D' theta'

With H = l1 (m2/2 + m3) l2 the torques are those of every robotics book:

    M11 = m1 l1^2/3 + m2 (l1^2 + l2^2/3) + m3 (l1^2 + l2^2) + 2 H cos theta2
    M12 = m2 l2^2/3 + m3 l2^2 + H cos theta2,    M22 = m2 l2^2/3 + m3 l2^2
    tau1 = M11 theta1'' + M12 theta2'' - H sin theta2 (2 theta1' theta2' + theta2'^2) + G1 + d theta1' - load moment 1
    tau2 = M12 theta1'' + M22 theta2'' + H sin theta2 theta1'^2                       + G2 + d theta2' - load moment 2
"""

import pathlib
import sys

from mpmath import acos, atan2, cos, diff, mpf, nstr, pi, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, write_reference

l1, l2, m1, m2, m3, g, d = mpf("0.8"), mpf("0.6"), mpf(4), mpf(3), mpf(1), mpf("9.81"), mpf("0.2")
center_x, center_y, semi_axis_x, semi_axis_y, period = mpf("0.75"), mpf("0.3"), mpf("0.3"), mpf("0.2"), mpf(2)
load_x, load_y = mpf(2), mpf(-5)
omega = 2 * pi / period


def angles(t):
    """Returns inverse kinematics, elbow up."""
    px, py = center_x + semi_axis_x * cos(omega * t), center_y + semi_axis_y * sin(omega * t)
    theta2 = -acos((px**2 + py**2 - l1**2 - l2**2) / (2 * l1 * l2))
    return atan2(py, px) - atan2(l2 * sin(theta2), l1 + l2 * cos(theta2)), theta2


def solve(theta1, theta2, right_x, right_y):
    """The solution of D z = right, D the derivative of the tip in the two angles."""
    s, k = l2 * sin(theta1 + theta2), l2 * cos(theta1 + theta2)
    d11, d21 = -l1 * sin(theta1) - s, l1 * cos(theta1) + k
    determinant = l1 * l2 * sin(theta2)
    return (k * right_x + s * right_y) / determinant, (d11 * right_y - d21 * right_x) / determinant


rows, error = [], 0
H = l1 * (m2 / 2 + m3) * l2
for t in even_times(4, 100):
    theta1, theta2 = angles(t)
    cosine, sine = cos(omega * t), sin(omega * t)
    rate1, rate2 = solve(theta1, theta2, -semi_axis_x * omega * sine, semi_axis_y * omega * cosine)
    # p'' - D' theta': what is left when both angular accelerations are zero is centripetal
    total, total_rate = theta1 + theta2, rate1 + rate2
    acceleration1, acceleration2 = solve(
        theta1, theta2,
        -semi_axis_x * omega**2 * cosine + l1 * cos(theta1) * rate1**2 + l2 * cos(total) * total_rate**2,
        -semi_axis_y * omega**2 * sine + l1 * sin(theta1) * rate1**2 + l2 * sin(total) * total_rate**2)
    for i, (rate, acceleration) in enumerate([(rate1, acceleration1), (rate2, acceleration2)]):
        error = max(error, abs(diff(lambda time, i=i: angles(time)[i], t) - rate),
                    abs(diff(lambda time, i=i: angles(time)[i], t, 2) - acceleration))

    M22 = (m2 / 3 + m3) * l2**2
    M12 = M22 + H * cos(theta2)
    M11 = m1 * l1**2 / 3 + (m2 + m3) * l1**2 + M22 + 2 * H * cos(theta2)
    weight2 = (m2 / 2 + m3) * g * l2 * cos(total)
    weight1 = (m1 / 2 + m2 + m3) * g * l1 * cos(theta1) + weight2
    load2 = l2 * cos(total) * load_y - l2 * sin(total) * load_x
    load1 = l1 * cos(theta1) * load_y - l1 * sin(theta1) * load_x + load2
    torque1 = (M11 * acceleration1 + M12 * acceleration2 - H * sin(theta2) * (2 * rate1 * rate2 + rate2**2)
               + weight1 + d * rate1 - load1)
    torque2 = M12 * acceleration1 + M22 * acceleration2 + H * sin(theta2) * rate1**2 + weight2 + d * rate2 - load2
    rows.append({
        "time": t, "theta1": theta1, "theta2": theta2, "der(theta1)": rate1, "der(theta2)": rate2,
        "der(theta1,2)": acceleration1, "der(theta2,2)": acceleration2,
        "constraint.path_x.multiplier": torque1, "constraint.path_y.multiplier": torque2,
        "torque_1": torque1, "torque_2": torque2, "power": torque1 * rate1 + torque2 * rate2,
    })

print("rates and accelerations agree with numerical differentiation of the angles to", nstr(error, 2))
write_reference(__file__, [
    "A two-link arm led along an ellipse: inverse kinematics and dynamics in closed form, computed by reference.py",
    "in 40 digits.",
    f"Accuracy: all digits shown (accelerations agree with differentiated angles to {nstr(error, 1)}).",
    "bound = 1e-11",
    "input load_x = 2",
    "input load_y = -5",
], rows)
