"""Computes reference.csv of the press from its minimal equation in the angle of the upper link, with 12 L/min.

Both links have one length, so that they lean by one angle and the ram is at 2 l cos(angle). The equation of motion is
Eksergian's; the pressures follow from the compression of the oil. Ends of the pieces of the formulas, where the tool
meets the workpiece and where the relief valve opens or closes, are found to all digits.
"""

import pathlib
import sys

import mpmath
from mpmath import degrees, mpf, nstr, radians

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

l, m_link, m_ram, g = mpf("0.4"), mpf(20), mpf(80), mpf("9.81")
gap, stiffness = mpf("0.16"), mpf(2) * 10**7
A_head, A_rod, V_head, V_rod = mpf("2e-3"), mpf("1e-3"), mpf("2e-4"), mpf("5e-5")
retracted, extended, bulk = mpf("0.45"), mpf("0.76"), mpf("1.4e9")
crack, relief, throttle, pump = mpf("1.5e7"), mpf("4e-10"), mpf("5e-11"), mpf(12) / 60000
anchor = mpf("0.75"), mpf("-0.31")
start = radians(mpf(40))


def length(angle):
    """Returns the cylinder's length and its slope by the angle."""
    sine, cosine = mpmath.sin(angle), mpmath.cos(angle)
    x, y = l * sine - anchor[0], -l * cosine - anchor[1]
    value = mpmath.sqrt(x * x + y * y)
    return value, l * (x * cosine + y * sine) / value


def travel(angle):
    return 2 * l * (mpmath.cos(angle) - mpmath.cos(start))


def parts(angle):
    """Returns the inertia, half its slope, the torque of the weights, and their potential energy."""
    sine, cosine = mpmath.sin(angle), mpmath.cos(angle)
    inertia = l**2 * (2 * m_link / 3 + (2 * m_link + 4 * m_ram) * sine**2)
    half_slope = l**2 * (2 * m_link + 4 * m_ram) * sine * cosine
    moment = 2 * (m_link + m_ram) * g * l
    return inertia, half_slope, -moment * sine, -moment * cosine


def motion(pressing, relieving):
    def derivative(t, state):
        angle, speed, head, rod = state
        inertia, half_slope, torque, _ = parts(angle)
        extent, slope = length(angle)
        torque += (A_head * head - A_rod * rod) * slope
        if pressing:
            torque += stiffness * (travel(angle) - gap) * 2 * l * mpmath.sin(angle)
        rate = slope * speed
        flow = pump - (relief * (head - crack) if relieving else 0) - A_head * rate
        return [speed, (torque - half_slope * speed**2) / inertia,
                bulk / (V_head + A_head * (extent - retracted)) * flow,
                bulk / (V_rod + A_rod * (extended - extent)) * (A_rod * rate - throttle * rod)]

    return derivative


def phase(pressing, relieving):
    """Returns the phase of a motion with these pieces of the formulas."""
    name = ("pressing" if pressing else "free") + (", relieving" if relieving else "")
    if name in phases:
        return phases[name]
    made = phases[name] = Phase(motion(pressing, relieving), [], name)
    before_tool, before_valve = (-1 if pressing else 1), (-1 if relieving else 1)
    made.events += [(lambda t, y: before_tool * (gap - travel(y[0])) / gap,
                     lambda t, y: (phase(not pressing, relieving), y)),
                    (lambda t, y: before_valve * (crack - y[2]) / crack,
                     lambda t, y: (phase(pressing, not relieving), y))]
    return made


phases = {}
times = even_times(mpf("1.8"), 36)
begin = [start, radians(mpf("-18.8")), mpf(500000), mpf(2000000)]
solution, events, difference = integrate_phases_checked(
    phase(False, False), times, begin, mpf("0.004"), accuracy=mpf("1e-12"))
rows = []
for t, (now, state) in zip(times, solution):
    angle, speed, head, rod = state
    _, acceleration, head_rate, rod_rate = now.derivative(t, state)
    inertia, _, _, potential = parts(angle)
    rows.append({
        "time": t, "top.angle": degrees(angle), "der(top.angle)": degrees(speed), "knee.angle": degrees(-2 * angle),
        "pin.angle": degrees(angle), "guide.position": 2 * l * mpmath.cos(angle),
        "cylinder.distance": length(angle)[0], "head": head / 100000, "rod": rod / 100000,
        "piston.force": A_rod * rod - A_head * head,
        "tool": stiffness * max(mpf(0), travel(angle) - gap) / 1000, "way": 1000 * travel(angle),
        "through_relief": relief * max(mpf(0), head - crack) * 60000, "energy.kinetic": inertia * speed**2 / 2,
        "energy.potential": potential,
    })

for t, entered in events:
    print(nstr(t, 10), entered.name)
print("two step sizes agree to", nstr(difference, 2))
write_reference(__file__, [
    "A knee press with its cylinder: minimal equation in the upper link's angle and two pressures, integrated by",
    "extrapolation in 40 digits from one end of a piece of its formulas to the next; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
    "input flow = 12",
], rows)
