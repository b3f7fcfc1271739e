"""Computes reference.csv of the cart from its two velocities, speed V and yaw rate w.

Rolling gives all other velocities from them: the wheels' spins (V -+ w track/2)/radius, and with the caster at the
angle c, whose pivot moves with (V, w caster_x) in the chassis frame,

    fork's yaw rate      (w caster_x cos c - V sin c)/trail
    caster wheel's spin  (w caster_x sin c + V cos c)/caster_radius

The equations of motion are Jourdain's principle: for both velocities the sum over the bodies of mass times acceleration
and moment of inertia times angular acceleration, times the part of the velocity that belongs to it, equals the motors'
power. All moves parallel to the ground, so spins and yaw meet in no further term. The ground's normal forces follow
from Newton's law along z and Euler's about x and y for the whole cart. The balance of energy is checked.
"""

import pathlib
import sys

from mpmath import cos, mpf, nstr, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, integrate_checked, solve, write_reference

g, track, radius, wheel_mass = mpf("9.81"), mpf("0.4"), mpf("0.1"), mpf("0.8")
chassis_mass, chassis_x, chassis_z, chassis_J = mpf(10), mpf("0.1"), mpf("0.15"), mpf("0.25")
caster_x, trail, caster_radius = mpf("0.35"), mpf("0.05"), mpf("0.05")
caster_mass, fork_mass, fork_J, damping = mpf("0.3"), mpf("0.2"), mpf("2e-4"), mpf("0.05")
wheel_C, caster_C = wheel_mass * radius**2 / 2, caster_mass * caster_radius**2 / 2
left_torque, right_torque = mpf("0.5"), mpf("0.7")
caster_start = mpf("2.5")


def caster_rates(V, w, c):
    """The fork's yaw rate and the caster wheel's spin; linear in V and w."""
    return (w * caster_x * cos(c) - V * sin(c)) / trail, (w * caster_x * sin(c) + V * cos(c)) / caster_radius


def bodies(V, w, c):
    """(mass, position, velocity, moment of inertia about z, yaw rate, about the axle, spin) in the chassis frame.

    Velocities are linear in V and w."""
    fork_yaw, caster_spin = caster_rates(V, w, c)
    hub = caster_x - trail * cos(c), -trail * sin(c)
    hub_velocity = V + fork_yaw * trail * sin(c), w * caster_x - fork_yaw * trail * cos(c)
    return [
        (chassis_mass, (chassis_x, 0), (V, w * chassis_x), chassis_J, w, 0, 0),
        (wheel_mass, (0, track / 2), (V - w * track / 2, 0), wheel_C / 2, w, wheel_C, (V - w * track / 2) / radius),
        (wheel_mass, (0, -track / 2), (V + w * track / 2, 0), wheel_C / 2, w, wheel_C, (V + w * track / 2) / radius),
        (fork_mass, (caster_x, 0), (V, w * caster_x), fork_J, fork_yaw, 0, 0),
        (caster_mass, hub, hub_velocity, caster_C / 2, fork_yaw, caster_C, caster_spin),
    ]


def biases(V, w, c):
    """Accelerations (x, y, yaw, spin) in the chassis frame of all bodies with V' = w' = 0."""
    fork_yaw, caster_spin = caster_rates(V, w, c)
    c_rate = fork_yaw - w
    fork_bias = c_rate * (-w * caster_x * sin(c) - V * cos(c)) / trail
    spin_bias = c_rate * (w * caster_x * cos(c) - V * sin(c)) / caster_radius
    hub_bias = (-w**2 * caster_x + fork_yaw**2 * trail * cos(c) + fork_bias * trail * sin(c),
                V * w + fork_yaw**2 * trail * sin(c) - fork_bias * trail * cos(c))
    return [(-w**2 * chassis_x, V * w, 0, 0), (0, V * w - w**2 * track / 2, 0, 0), (0, V * w + w**2 * track / 2, 0, 0),
            (-w**2 * caster_x, V * w, fork_bias, 0), (*hub_bias, fork_bias, spin_bias)]


def accelerations(V, w, c):
    """Returns V' and w' from Jourdain's principle."""
    moving = bodies(V, w, c)
    directions = [bodies(mpf(1), mpf(0), c), bodies(mpf(0), mpf(1), c)]

    def pairing(direction, quantities):
        return sum(body[0] * (body[2][0] * ax + body[2][1] * ay) + body[3] * body[4] * yaw + body[5] * body[6] * spin
                   for body, (ax, ay, yaw, spin) in zip(direction, quantities))

    masses, right = [], []
    for direction in directions:
        masses.append([pairing(direction, [(*b[2], b[4], b[6]) for b in other]) for other in directions])
        motors = (left_torque - damping * moving[1][6]) * direction[1][6] \
            + (right_torque - damping * moving[2][6]) * direction[2][6]
        right.append(motors - pairing(direction, biases(V, w, c)))
    return solve(masses, right)


def motion(t, state):
    x, y, heading, c, left, right, spun, V, w, taken = state
    moving = bodies(V, w, c)
    V_rate, w_rate = accelerations(V, w, c)
    power = sum((torque - damping * body[6]) * body[6]
                for torque, body in ((left_torque, moving[1]), (right_torque, moving[2])))
    return [V * cos(heading), V * sin(heading), w, moving[3][4] - w, moving[1][6], moving[2][6], moving[4][6],
            V_rate, w_rate, power]


def energy(V, w, c):
    return sum(m * (vx**2 + vy**2) + J * yaw**2 + C * spin**2
               for m, _, (vx, vy), J, yaw, C, spin in bodies(V, w, c)) / 2


def normal_forces(V, w, c, V_rate, w_rate):
    """Returns the forces of the ground on left, right and caster wheel.

    Moments about the axle's middle on the ground, in the chassis frame; horizontal contact forces act at height 0."""
    heights = [chassis_z, radius, radius, caster_radius, caster_radius]
    directions = [bodies(mpf(1), mpf(0), c), bodies(mpf(0), mpf(1), c)]
    sums = [mpf(0)] * 3
    hub = bodies(V, w, c)[4][1]
    for i, (m, (px, py), _, _, yaw, C, spin) in enumerate(bodies(V, w, c)):
        ax, ay, _, spin_rate = [b + V_rate * d1 + w_rate * d2 for b, d1, d2 in zip(
            biases(V, w, c)[i], *[(*d[i][2], d[i][4], d[i][6]) for d in directions])]
        turned = c if i == 4 else 0
        # the spin's momentum C spin (axle), whose direction turns with the yaw rate
        rate_x = C * (spin_rate * -sin(turned) - spin * yaw * cos(turned))
        rate_y = C * (spin_rate * cos(turned) - spin * yaw * sin(turned))
        sums[0] += m * g
        sums[1] += -m * heights[i] * ay + rate_x + m * g * py
        sums[2] += m * heights[i] * ax + rate_y - m * g * px
    return solve([[1, 1, 1], [track / 2, -track / 2, hub[1]], [0, 0, -hub[0]]], sums)


times = even_times(10, 100)
start = [0, 0, 0, caster_start, 0, 0, 0, 0, 0, 0]
solution, difference = integrate_checked(motion, times, start, mpf("1e-13"))
rows, balance, lowest = [], 0, mpf(1000)
for t, state in zip(times, solution):
    x, y, heading, c, left, right, spun, V, w, taken = state
    V_rate, w_rate = accelerations(V, w, c)
    moving = bodies(V, w, c)
    balance = max(balance, abs(energy(V, w, c) - taken))
    normal = normal_forces(V, w, c, V_rate, w_rate)
    lowest = min(lowest, *normal)
    rows.append({
        "time": t, "pose.x": x, "pose.y": y, "pose.z": mpf(0),
        "pose.orientation.w": cos(heading / 2), "pose.orientation.x": mpf(0), "pose.orientation.y": mpf(0),
        "pose.orientation.z": sin(heading / 2), "caster.angle": c, "left_axle.angle": left, "right_axle.angle": right,
        "caster_axle.angle": spun, "der(caster.angle)": moving[3][4] - w, "der(left_axle.angle)": moving[1][6],
        "der(right_axle.angle)": moving[2][6], "der(caster_axle.angle)": moving[4][6], "speed": V, "yaw_rate": w,
        "left_contact.reaction.force.z": normal[0], "right_contact.reaction.force.z": normal[1],
        "caster_contact.reaction.force.z": normal[2],
        "power": left_torque * moving[1][6] + right_torque * moving[2][6], "energy.kinetic": energy(V, w, c),
    })

print("two step sizes agree to", nstr(difference, 2), " balance of energy", nstr(balance, 2), "J; least normal force",
      nstr(lowest, 4), "N")
assert balance < mpf("1e-15") and lowest > 0
write_reference(__file__, [
    "A cart with two driven wheels and a caster: minimal equations in speed and yaw rate, integrated by extrapolation",
    "in 40 digits, computed by reference.py. The side forces that both wheels of the axle share are not listed.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
    "input left_torque = 0.5",
    "input right_torque = 0.7",
], rows)
