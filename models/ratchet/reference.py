"""Computes reference.csv of the ratchet. In the axes of tooth i, along the radius to its tip, the round end of a pawl
is at the complex number

    z = c e^(-i (a + 2 pi i/teeth)),   c = pin + reach e^(i p)

with the wheel's angle a and the pawl's p, both against the ground; the pin of the first pawl goes with the handle. Its
gap to the tooth is the distance to the flank, to the tip or to the back, less the radius of the end. Euler's laws

    J a'' = -load + (forces times slopes of the gaps by a),   I p'' = spring + (forces times slopes by p)

are integrated from event to event; nothing rebounds, and nothing rubs.
"""

import itertools
import pathlib
import sys
from typing import ClassVar

from mpmath import arg, cos, degrees, expj, floor, mpc, mpf, nstr, pi, radians, sin

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_contacts import Contacts
from reference_tools import even_times, integrate_phases_checked, solve, write_reference

teeth, rim, root, pivot, reach, nose = 10, mpf("0.05"), mpf("0.04"), mpf("0.07"), mpf("0.052"), mpf("0.002")
J, inertia, load, spring, relaxed = mpf("1e-3"), mpf("2.5e-5"), mpf("0.5"), mpf("0.1"), radians(mpf(175))
swing, period, held_at = radians(mpf(26)), mpf("0.5"), radians(mpf(200))
handle, mass = mpf("2e-3"), mpf("0.03")
pitch = 2 * pi / teeth

foot = root * expj(pitch)  # of the back, where the next tooth begins
along_back = (foot - rim) / abs(foot - rim)
PAWLS = ("drive", "hold")


def lever(t):
    """Returns angle, rate and acceleration of the handle."""
    w = 2 * pi / period
    return -swing * cos(w * t), swing * w * sin(w * t), swing * w**2 * cos(w * t)


def pin(pawl, t):
    """Returns place, velocity and acceleration of a pawl's pin, and the place's slope by the handle's angle."""
    if pawl == "hold":
        return pivot * expj(held_at), mpf(0), mpf(0), mpf(0)
    angle, rate, acceleration = lever(t)
    at = pivot * expj(angle)
    return at, 1j * rate * at, (1j * acceleration - rate**2) * at, 1j * at


def end(pawl, tooth, t, q, v):
    """Returns z, its slopes by a, p and the handle's angle, its rate, and its second derivative without a'' and p''."""
    a, p, rate, turn = q[0], q[1 + PAWLS.index(pawl)], v[0], v[1 + PAWLS.index(pawl)]
    back = expj(-a - tooth * pitch)
    at, velocity, acceleration, by_handle = pin(pawl, t)
    arm = reach * expj(p)
    c, c_rate, c_drift = at + arm, velocity + 1j * turn * arm, acceleration - turn**2 * arm
    return (c * back, (-1j * c * back, 1j * arm * back, by_handle * back), (c_rate - 1j * rate * c) * back,
            (c_drift - 2j * rate * c_rate - rate**2 * c) * back)


def dot(a, b):
    return (mpc(a).conjugate() * b).real


def part_of(z):
    """Returns which part of a tooth is nearest to a place outside."""
    if dot(along_back, z - rim) > 0 and dot(-1j * along_back, z - rim) > 0:
        return "back"
    return "tip" if z.real > rim else "flank"


def row(pawl, tooth, part):
    def contact(t, q, v):
        z, (by_a, by_p, by_handle), rate, drift = end(pawl, tooth, t, q, v)
        curve = mpf(0)
        if part == "tip":
            length = abs(z - rim)
            normal = (z - rim) / length
            gap, curve = length, (abs(rate) ** 2 - dot(normal, rate) ** 2) / length
        else:
            normal = -1j if part == "flank" else -1j * along_back
            gap = dot(normal, z - rim)
        slopes = [dot(normal, by_a), mpf(0), mpf(0)]
        slopes[1 + PAWLS.index(pawl)] = dot(normal, by_p)
        return gap - nose, slopes, dot(normal, rate), dot(normal, drift) + curve, dot(normal, by_handle)

    return contact


PARTS = ("flank", "tip", "back")
contacts = {name: row(*name) for name in itertools.product(PAWLS, range(1, teeth + 1), PARTS)}


class Wheel(Contacts):
    def phase(self, names):
        """All teeth but those that touch may be met; what touches may go on to the tooth's other part."""
        phase = super().phase(names)
        if phase not in self.completed:
            self.completed.append(phase)
            phase.events = phase.events[:0]
            for index, name in enumerate(phase.name):
                phase.events += [
                    (lambda t, y, index=index: self.holding(t, y, phase.name)[0][index], self.lets_go),
                    (lambda t, y, name=name: self.left(name, t, y),
                     lambda t, y, name=name: self.passes(name, phase.name, t, y))]
            for pawl in PAWLS:
                taken = {tooth for other, tooth, _ in phase.name if other == pawl}
                phase.events.append((lambda t, y, pawl=pawl, taken=taken: self.nearest(pawl, taken, t, y)[0],
                                     lambda t, y, pawl=pawl, taken=taken: self.closes(
                                         t, y, {*phase.name, self.nearest(pawl, taken, t, y)[1]})))
        return phase

    completed: ClassVar = []

    def nearest(self, pawl, taken, t, y):
        """Returns the smaller gap to the two teeth beside a pawl's end, of those that are not taken, and its name."""
        q, v = self.split(y)
        found = [(mpf(1), None)]
        below = floor(arg(end(pawl, 0, t, q, v)[0]) / pitch)
        for tooth in {int(below - 1) % teeth + 1, int(below) % teeth + 1} - taken:
            name = (pawl, tooth, part_of(end(pawl, tooth, t, q, v)[0]))
            found.append((contacts[name](t, q, v)[0], name))
        return min(found, key=lambda one: one[0])

    def lets_go(self, t, y):
        """Stops what touches and leaves more slowly than `rest`."""
        q, v = self.split(y)
        rows = [row for row in self.seen(t, y, self.contacts) if abs(row[0]) < mpf("1e-22") and abs(row[2]) < self.rest]
        if rows:
            impulses = solve(self.mobilities(rows), [-row[2] for row in rows])
            v = [speed + sum(x * row[1][i] for x, row in zip(impulses, rows)) / self.masses[i]
                 for i, speed in enumerate(v)]
        return super().lets_go(t, list(q) + list(v))

    def touching(self, t, y):
        return [name for name in super().touching(t, y) if part_of(self.place(name, t, y)) == name[2]]

    def place(self, name, t, y):
        return end(name[0], name[1], t, *self.split(y))[0]

    def left(self, name, t, y):
        """Returns the way that is left to where this part of a tooth ends."""
        z = self.place(name, t, y)
        on_back = dot(along_back, z - rim)
        return {"flank": rim - z.real, "tip": min(z.real - rim, -on_back), "back": on_back}[name[2]]

    def passes(self, name, names, t, y):
        """Slopes of the gap are continuous where a part ends, its curvature is not."""
        z = self.place(name, t, y)
        other = "tip" if name[2] != "tip" else "flank" if abs(z.real - rim) < mpf("1e-25") else "back"
        names = self.phase({*names} - {name} | {(*name[:2], other)}).name
        return self.phase({one for one, force in zip(names, self.holding(t, y, names)[0]) if force > 0}), y


def forces_on(t, q, v):
    return [-load, -spring * (q[1] - lever(t)[0] - relaxed), -spring * (q[2] - held_at - relaxed)]


wheel = Wheel([J, inertia, inertia], forces_on, contacts)
start = [mpf(0), lever(0)[0] + radians(mpf(141)), held_at + radians(mpf(139)), mpf(0), lever(0)[1], mpf(0)]

times = even_times(1, 80)
solution, events, difference = integrate_phases_checked(wheel.phase(()), times, start, mpf("0.00125"))
rows = []
for t, (phase, y) in zip(times, solution):
    forces, accelerations = wheel.forces_of(t, phase, y)
    angle, rate, acceleration = lever(t)
    torque = ((handle + mass * pivot**2) * acceleration - spring * (y[1] - angle - relaxed)
              - sum(force * contacts[name](t, y[:3], y[3:])[4] for name, force in forces.items()))
    row = {"time": t, "lever.angle": degrees(angle), "axle.angle": degrees(y[0]),
           "drive_pin.angle": degrees(y[1] - angle), "hold_pin.angle": degrees(y[2] - held_at),
           "der(axle.angle)": degrees(y[3]), "der(drive_pin.angle)": degrees(y[4] - rate),
           "der(hold_pin.angle)": degrees(y[5]), "der(axle.angle,2)": degrees(accelerations[0]),
           "lever.angle.drive": torque}
    for pawl in PAWLS:
        for tooth in range(1, teeth + 1):
            row[f"{pawl}_{tooth}.normal.force"] = sum(forces[pawl, tooth, part] for part in PARTS)
    rows.append(row)

print(len(events), "events")
for t, phase in events:
    print(" ", nstr(t, 10), " ".join(f"{pawl} {tooth} {part}" for pawl, tooth, part in phase.name))
write_reference(__file__, [
    "A ratchet with two pawls: Euler's laws of wheel and pawls, integrated by extrapolation in 40 digits from event to",
    "event; computed by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-8",
], rows)
