"""Computes reference.csv of Chebyshev's walking machine. The crank pin, the knee and the hip of a linkage are at equal
distances from each other and from the rocker's axle, so that the hip is across the way e from that axle to the pin:

    p = (e_y, -e_x) sqrt(4 link^2/|e|^2 - 1),   e = (crank cos f - base, crank sin f)

A frame is carried without turning, by p. While the chassis does not turn either, the motion has the coordinates x, y
of the chassis and f of the cranks; with the places r_i(f) of all masses in the chassis' axes,

    (sum m_i (x + r_ix))'' = T - k x,   (sum m_i (y + r_iy))'' = N - M g

and Lagrange's equation of f with the motor's torque. N and T are the forces on the frame that stands: its feet stick,
or slide with T = -mu N against the slip. The moments about the
chassis share N among both feet, and both shares have to be positive, or the chassis would turn. Feet that land do not
rebound; momentum is then kept but for the impulses of the feet that land.
"""

import pathlib
import sys

from mpmath import degrees, mpf, nstr, pi, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_jets import Jet, chain, cos, sin
from reference_tools import Phase, even_times, integrate_phases_checked, solve, write_reference

crank, base, link, wheelbase, leg, sole = (mpf(n) / 1000 for n in (50, 100, 120, 500, 300, 15))
mu, stall, idle, stiffness, g = mpf("0.6"), mpf(6), mpf(8), mpf(150), mpf("9.81")
chassis, hub, coupler, rocker, frame = mpf(6), mpf("0.3"), mpf("0.2"), mpf("0.1"), mpf(1)
hub_inertia = mpf("1e-3")
mass = chassis + 2 * (hub + 2 * coupler + 2 * rocker + frame)
FRAMES = {"a": mpf(0), "b": pi}


def linkage(f):
    """Returns the hip's place p from the rocker's axle, and the masses of a frame with its two linkages: mass, place
    from the middle of the axles, moment of inertia and a vector that turns with it."""
    angle = Jet(f, 1)
    e = [crank * cos(angle) - base, crank * sin(angle)]
    square = e[0] * e[0] + e[1] * e[1]
    ratio = 4 * link**2 / square.value
    inverse = chain(square, ratio - 1, -ratio / square.value, 2 * ratio / square.value**2)
    root = sqrt(inverse.value)
    root = chain(inverse, root, 1 / (2 * root), -1 / (4 * root**3))
    p = [e[1] * root, -e[0] * root]
    knee = [(a + b) * Jet(mpf("0.5")) for a, b in zip(e, p)]
    half = [c * Jet(mpf("0.5")) for c in knee]
    return p, [(2 * coupler, knee, 2 * coupler * (2 * link) ** 2 / 12, [a - b for a, b in zip(p, e)]),
               (2 * rocker, half, 2 * rocker * link**2 / 12, knee), (frame, [p[0], p[1] + -leg / 2], mpf(0), p)]


def turning(vector):
    """Returns rate and acceleration by f of the angle of a vector of constant length."""
    x, y = vector
    square = x.value**2 + y.value**2
    return (x.value * y.first - y.value * x.first) / square, (x.value * y.second - y.value * x.second) / square


class Shape:
    """Holds all that depends on the angle of the cranks."""

    def __init__(self, f):
        parts, self.hips = [], {}
        for name, offset in FRAMES.items():
            self.hips[name], bodies = linkage(f + offset)
            parts += bodies
        self.moments = [sum(m * place[i].first for m, place, _, _ in parts) for i in (0, 1)]
        self.drifts = [sum(m * place[i].second for m, place, _, _ in parts) for i in (0, 1)]
        turns = [(inertia, *turning(vector)) for _, _, inertia, vector in parts if inertia]
        self.inertia = 2 * hub_inertia + sum(m * c.first**2 for m, place, _, _ in parts for c in place) \
            + sum(inertia * rate**2 for inertia, rate, _ in turns)
        self.half_slope = sum(m * c.first * c.second for m, place, _, _ in parts for c in place) \
            + sum(inertia * rate * second for inertia, rate, second in turns)
        # The moment of momentum about the chassis' middle is weights x velocity + spin f'. The hubs stand behind it.
        self.weights = [sum(m * place[i].value for m, place, _, _ in parts) - 2 * hub * base * (1 - i) for i in (0, 1)]
        self.spin = 2 * hub_inertia + sum(m * (p[0].value * p[1].first - p[1].value * p[0].first)
                                          for m, p, _, _ in parts) + sum(inertia * rate for inertia, rate, _ in turns)
        self.spin_slope = sum(m * (p[0].value * p[1].second - p[1].value * p[0].second) for m, p, _, _ in parts) \
            + sum(inertia * second for inertia, _, second in turns)

    def matrix(self):
        return [[mass, mpf(0), self.moments[0]], [mpf(0), mass, self.moments[1]], [*self.moments, self.inertia]]

    def rows(self, name):
        """Returns the slopes of a foot's height and of its way along the ground, and their second derivatives by f."""
        x, y = self.hips[name]
        return [[mpf(0), mpf(1), y.first], [mpf(1), mpf(0), x.first]], [y.second, x.second]

    def solved(self, right, columns, rows, values):
        """Returns accelerations or speeds, and forces or impulses of the columns, so that the rows have the values."""
        matrix = [line + [-column[i] for column in columns] for i, line in enumerate(self.matrix())]
        matrix += [row + [mpf(0)] * len(columns) for row in rows]
        found = solve(matrix, right + values)
        return found[:3], found[3:]

    def shares(self, name, moment, normal, friction):
        """Returns the parts of a normal force on the front and on the rear foot: the moments about the chassis."""
        x, y = self.hips[name]
        down = y.value - leg - sole
        difference = (moment + down * friction - x.value * normal) / (wheelbase / 2)
        return (normal + difference) / 2, (normal - difference) / 2


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def motion(y, name, sense):
    """Returns shape, accelerations, normal force and friction while a frame sticks (0) or slides to a side (1, -1)."""
    shape, rate = Shape(y[2]), y[5]
    rows, seconds = shape.rows(name)
    right = [-stiffness * y[0] - shape.drifts[0] * rate**2, -mass * g - shape.drifts[1] * rate**2,
             stall * (1 - rate / idle) - g * shape.moments[1] - shape.half_slope * rate**2]
    drifts = [-second * rate**2 for second in seconds]
    if not sense:
        accelerations, (normal, friction) = shape.solved(right, rows, rows, drifts)
        return shape, accelerations, normal, friction
    column = [a - mu * sense * b for a, b in zip(*rows)]
    accelerations, (normal,) = shape.solved(right, [column], rows[:1], drifts[:1])
    return shape, accelerations, normal, -mu * sense * normal


def feet(y, name, sense):
    """Returns the normal forces on the front and the rear foot, and the friction of both."""
    shape, (x, up, turn), normal, friction = motion(y, name, sense)
    moment = (shape.weights[0] * (up + g) - shape.weights[1] * x + shape.spin * turn + shape.spin_slope * y[5] ** 2)
    return *shape.shares(name, moment, normal, friction), friction


def gap(y, name):
    return y[1] + Shape(y[2]).hips[name][1].value - leg - sole


def slip(y, name):
    return dot(Shape(y[2]).rows(name)[0][1], y[3:6])


def decided(y, name):
    """Returns the phase of a frame whose feet rest: they stick if they can."""
    _, _, normal, friction = motion(y, name, 0)
    return phases[name, 0 if abs(friction) <= mu * normal else -1 if friction > 0 else 1]


def lands(y, name):
    """The other frame stands from now on."""
    other = "b" if name == "a" else "a"
    shape, before = Shape(y[2]), y[3:6]
    rows, _ = shape.rows(other)
    momentum = [dot(line, before) for line in shape.matrix()]
    after, (normal, friction) = shape.solved(momentum, rows, rows, [mpf(0), mpf(0)])
    sense = 0
    if abs(friction) > mu * normal:
        sense = -1 if friction > 0 else 1
        column = [a - mu * sense * b for a, b in zip(*rows)]
        after, (normal,) = shape.solved(momentum, [column], rows[:1], [mpf(0)])
        friction = -mu * sense * normal
        assert sense * dot(rows[1], after) > 0
    change = [a - b for a, b in zip(after, before)]
    moment = shape.weights[0] * change[1] - shape.weights[1] * change[0] + shape.spin * change[2]
    shares = shape.shares(other, moment, normal, friction)
    assert min(shares) > 0 and dot(shape.rows(name)[0][0], after) > 0, "both frames would stand"
    sums = [a + b for a, b in zip(y[6:], [s if n == other else mpf(0) for n in FRAMES for s in shares])]
    y = y[:3] + after + sums
    return (phases[other, sense] if sense else decided(y, other)), y


def falls(t, y):
    raise AssertionError("a foot of the frame that stands would lift, and the chassis turn")


def phase(name, sense):
    other = "b" if name == "a" else "a"
    events = [(lambda t, y: gap(y, other), lambda t, y: lands(y, name)),
              (lambda t, y: min(feet(y, name, sense)[:2]), falls)]
    if sense:
        events.append((lambda t, y: sense * slip(y, name), lambda t, y: (decided(y, name), y)))
    else:
        def spare(t, y, side):
            _, _, normal, friction = motion(y, name, 0)
            return mu * normal - side * friction

        events += [(lambda t, y, side=side: spare(t, y, side), lambda t, y, side=side: (phases[name, -side], y))
                   for side in (1, -1)]
    return Phase(lambda t, y: y[3:6] + motion(y, name, sense)[1] + [mpf(0)] * 4, events, (name, sense))


phases = {(name, sense): phase(name, sense) for name in FRAMES for sense in (0, 1, -1)}
standing = leg + sole - sqrt(4 * link**2 - (base + crank) ** 2)
times = even_times(3, 60)
solution, events, difference = integrate_phases_checked(
    phases["a", 0], times, [mpf(0), standing, pi] + [mpf(0)] * 7, mpf("0.025"))
rows = []
for t, (now, y) in zip(times, solution):
    name, sense = now.name
    shape, accelerations, _, _ = motion(y, name, sense)
    front, rear, friction = feet(y, name, sense)
    row = {"time": t, "pose.x": 1000 * y[0], "pose.y": 1000 * y[1], "pose.angle": mpf(0), "motor.angle": degrees(y[2]),
           "rear_axle.angle": degrees(y[2]), "der(pose.x)": 1000 * y[3], "der(pose.y)": 1000 * y[4],
           "der(motor.angle)": degrees(y[5]), "der(pose.x,2)": 1000 * accelerations[0],
           "der(motor.angle,2)": degrees(accelerations[2]),
           "energy.kinetic": dot(y[3:6], [dot(line, y[3:6]) for line in shape.matrix()]) / 2}
    for index, other in enumerate(FRAMES):
        stands = mpf(name == other)
        row |= {f"front_foot_{other}.gap": 1000 * gap(y, other), f"front_foot_{other}.slip": slip(y, other),
                f"front_foot_{other}.normal.force": stands * front, f"rear_foot_{other}.normal.force": stands * rear,
                f"grip_{other}": stands * friction, f"front_foot_{other}.normal.impulse": y[6 + 2 * index],
                f"rear_foot_{other}.normal.impulse": y[7 + 2 * index]}
    rows.append(row)

print(len(events), "events:", "; ".join(f"{nstr(t, 10)} {now.name[0]} {now.name[1]}" for t, now in events))
write_reference(__file__, [
    "Chebyshev's walking machine: Lagrange's equations of chassis and cranks, integrated by extrapolation in 40 digits",
    "from event to event; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
], rows)
