"""Computes reference.csv of the slider-crank with clearance. The crank has the angle w t, the rod the angle b, and the
slider the place x. With the way (u, v) from the rod's end to the pin, its length d and the depth D = d - c,

    f = k D^(3/2) (1 + damping D'),   m x'' = -f u/d,
    (J + M a^2) b'' = M a r w^2 sin(w t - b) + f ((v/d) l cos b - (u/d) l sin b)

where the rod's end is pulled by f along (u, v), and its mass centre is at a on the rod. Steps are short beside D/D', as
D^(3/2) is not smooth where the contact begins and ends; they are extrapolated in 25 digits.
"""

import pathlib
import sys

from mpmath import cos, degrees, mp, mpf, nstr, pi, sin, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_tools import even_times, extrapolation_step, write_reference

mp.dps = 25
r, l, a, M, J, m = mpf("0.05"), mpf("0.12"), mpf("0.06"), mpf("0.21"), mpf("2.5e-4"), mpf("0.14")
c, k, damping, w = mpf("0.0005"), mpf("6.61e10"), mpf("0.1"), 5000 * pi / 30


def way(t, y):
    """Returns the way from the rod's end to the pin, its length and the rate of that."""
    b, x, b_rate, x_rate = y
    u, v = x - r * cos(w * t) - l * cos(b), -r * sin(w * t) - l * sin(b)
    d = sqrt(u**2 + v**2)
    u_rate, v_rate = x_rate + r * w * sin(w * t) + l * sin(b) * b_rate, -r * w * cos(w * t) - l * cos(b) * b_rate
    return u, v, d, (u * u_rate + v * v_rate) / d


def force(d, rate):
    """Returns the force of the contact; it does not pull."""
    return k * (d - c) ** mpf("1.5") * max(1 + damping * rate, 0) if d > c else mpf(0)


def derivative(t, y):
    u, v, d, rate = way(t, y)
    f = force(d, rate)
    b = y[0]
    moment = M * a * r * w**2 * sin(w * t - b) + f * l * (v * cos(b) - u * sin(b)) / d
    return [y[2], y[3], moment / (J + M * a**2), -f * u / d / m]


def integrate(times, y, part, columns=8):
    """Follows the motion with steps of a part of D/D', within limits."""
    solution, t = [y], mpf(0)
    for end in times[1:]:
        while t < end:
            _, _, d, rate = way(t, y)
            near = abs((d - c) / rate) if rate != 0 else mpf(1)
            h = min(part * max(near, mpf("2e-10")), part * mpf("1e-5"), end - t)
            y = extrapolation_step(derivative, t, y, h, columns)
            t = end if end - t <= h else t + h
        solution.append(y)
    return solution


times = even_times("0.006", 60)
start = [mpf(0), r + l - mpf("0.9") * c, -w * r / l, mpf(0)]
coarse, fine = integrate(times, start, mpf("0.4")), integrate(times, start, mpf("0.3"))
difference = max(abs(one - two) / (1 + abs(two)) for x, y in zip(coarse, fine) for one, two in zip(x, y))
rows = []
for t, y in zip(times, fine):
    b, x, b_rate, x_rate = y
    slopes = derivative(t, y)
    u, v, d, rate = way(t, y)
    f = force(d, rate)
    # Forces at the crank's pin on the rod, and their moment about the axle.
    along = M * (-r * w**2 * cos(w * t) - a * (cos(b) * b_rate**2 + sin(b) * slopes[2])) - f * u / d
    across = M * (-r * w**2 * sin(w * t) + a * (cos(b) * slopes[2] - sin(b) * b_rate**2)) - f * v / d
    rows.append({
        "time": t, "A.angle": degrees(w * t), "B.angle": degrees(b - w * t), "der(B.angle)": degrees(b_rate - w),
        "D.position": 1000 * x, "der(D.position)": 1000 * x_rate, "der(D.position,2)": 1000 * slopes[3],
        "play.distance": d, "pin.normal.force": f,
        "constraint.motor.multiplier": r * (cos(w * t) * across - sin(w * t) * along),
    })

largest = max(row["pin.normal.force"] for row in rows)
print("two step sizes agree to", nstr(difference, 2), "; largest force of these rows", nstr(largest, 6))
write_reference(__file__, [
    "A slider-crank with clearance: moments of the rod and Newton's law of the slider, extrapolated in 25 digits with",
    "steps that become short where the contact begins and ends; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-4",
], rows)
