"""Computes reference.csv of the circling vehicle from its motion on the circle, with one velocity.

The mass centre is at x = R sin s, y = R (1 - cos s) and moves with the speed V in the direction s. With the side slip
beta = s - phi, the axles give

    rear    b phi' = V sin beta                     so beta' = V (1/R - sin(beta)/b): beta tends to asin(b/R)
    front   tan theta = (L/b) tan beta

These are the two free positions. Newton for the mass centre along the path (e) and Euler for the whole car about it,
with the side forces of the axles, S_r and S_f, and a thrust F along the car, are

    m0 V'                          = F cos beta + S_r sin beta - S_f sin(theta - beta)
    I0 phi'' + I (phi'' + theta'') = -k2 phi'^2 - b S_r + a S_f cos theta

The virtual motion that both axles allow (e, with d phi = sin(beta)/b) frees the first of the side forces:

    m0 V' + (sin(beta)/b) (I0 phi'' + I (phi'' + theta'')) = F cos beta - k2 phi'^2 sin(beta)/b

which is (3.10) of the paper on the circle: one equation for V'. The side forces come from Newton across the car and
Euler, Newton along the car is left as a check. The steering moment is I (phi'' + theta''), (3.11).
"""

import pathlib
import sys

from mpmath import asin, atan, cos, mpf, nstr, sin, tan

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, integrate_checked, write_reference

m0, I0, I, a, b, R = mpf(1200), mpf(1800), mpf(15), mpf("1.1"), mpf("1.4"), mpf(20)
k1, k2, driving_force = mpf(8), mpf(200), mpf(900)
L = a + b
x_start, phi_start, x_rate = mpf(8), mpf("0.1"), mpf("4.5")


def steering(beta):
    """Returns the steering angle and its first and second derivative in the side slip."""
    ratio = L / b
    width = cos(beta) ** 2 + ratio**2 * sin(beta) ** 2
    first = ratio / width
    second = -ratio * (ratio**2 - 1) * sin(2 * beta) / width**2
    return atan(ratio * tan(beta)), first, second


def accelerations(s, phi, V):
    """V', phi'' and theta'' by (3.10) on the circle, where all three are linear in V'."""
    beta = s - phi
    _, first, second = steering(beta)
    beta_rate = V * (1 / R - sin(beta) / b)
    # each as (coefficient of V', rest)
    yaw = sin(beta) / b, V * cos(beta) * beta_rate / b
    slip = 1 / R - sin(beta) / b, -V * cos(beta) * beta_rate / b
    steer = first * slip[0], second * beta_rate**2 + first * slip[1]
    moment = (I0 + I) * yaw[0] + I * steer[0], (I0 + I) * yaw[1] + I * steer[1]
    arm, yaw_rate = sin(beta) / b, V * sin(beta) / b
    force = (driving_force - k1 * V**2) * cos(beta) - k2 * yaw_rate**2 * arm
    V_dot = (force - arm * moment[1]) / (m0 + arm * moment[0])
    return V_dot, yaw[0] * V_dot + yaw[1], steer[0] * V_dot + steer[1]


def motion(t, state):
    s, phi, V = state
    return [V / R, V * sin(s - phi) / b, accelerations(s, phi, V)[0]]


s_start = asin(x_start / R)
times = even_times(20, 100)
solution, difference = integrate_checked(motion, times, [s_start, phi_start, x_rate / cos(s_start)])
rows, balance_error, least_yaw_rate = [], 0, mpf(1)
for t, (s, phi, V) in zip(times, solution):
    beta = s - phi
    theta, first, _ = steering(beta)
    yaw_rate, theta_rate = V * sin(beta) / b, first * V * (1 / R - sin(beta) / b)
    V_dot, yaw_acceleration, theta_acceleration = accelerations(s, phi, V)
    steering_moment = I * (yaw_acceleration + theta_acceleration)

    # side forces from Newton across the car and Euler, Newton along the car as a check
    thrust = driving_force - k1 * V**2
    along = V_dot * cos(beta) - V**2 / R * sin(beta)
    across = V_dot * sin(beta) + V**2 / R * cos(beta)
    turning = I0 * yaw_acceleration + steering_moment + k2 * yaw_rate**2
    front = (b * m0 * across + turning) / (L * cos(theta))
    rear = m0 * across - front * cos(theta)
    balance_error = max(balance_error, abs(m0 * along - thrust + front * sin(theta)) / m0)
    least_yaw_rate = min(least_yaw_rate, yaw_rate)

    rows.append({
        "time": t, "x": R * sin(s), "y": R * (1 - cos(s)), "phi": phi, "theta": theta,
        "der(x)": V * cos(s), "der(y)": V * sin(s), "der(phi)": yaw_rate, "der(theta)": theta_rate,
        "der(x,2)": V_dot * cos(s) - V**2 / R * sin(s), "der(y,2)": V_dot * sin(s) + V**2 / R * cos(s),
        "der(phi,2)": yaw_acceleration, "der(theta,2)": theta_acceleration,
        "constraint.rear_axle.multiplier": rear, "constraint.front_axle.multiplier": front,
        "steering_moment": steering_moment, "speed": V, "side_slip": beta,
    })

print("two step sizes agree to", nstr(difference, 2))
print("Newton's law along the car holds to", nstr(balance_error, 2), "m/s2; smallest yaw rate", nstr(least_yaw_rate, 3))
write_reference(__file__, [
    "The vehicle of Phong 2002, section 4.2, corrected; computed by reference.py from its motion on the circle",
    "with one velocity, by extrapolation in 40 digits. The steering moment is the sum of the two servo multipliers,",
    "which alone are not determined and not listed.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
    "input driving_force = 900",
], rows)
