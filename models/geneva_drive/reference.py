"""Computes reference.csv of the Geneva drive. In the axes of a slot the pin is at the complex number

    z = (arm e^(i f) - d) e^(-i (a + slot)),   f = -60 deg + 2 pi t

with the wheel's angle a. Its imaginary part is the way from the middle of the slot: each edge has the gap play/2 -+ Im
z up to the mouth, and behind it that of its rounded end. The wheel has J a'' = -drag a' + (forces times slopes of the
gaps); at cos f = sqrt(1/2) it is locked and let free. Impacts have the restitution of steel.
"""

import pathlib
import sys
from typing import ClassVar

from mpmath import cos, degrees, expj, mpc, mpf, nstr, pi, sqrt

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from reference_contacts import Contacts
from reference_tools import Phase, even_times, integrate_phases_checked, write_reference

d, pin, play, steel = mpf("0.1"), mpf("0.005"), mpf("0.0002"), mpf("0.1")
J, drag, speed = mpf("2e-3"), mpf("0.01"), 2 * pi
arm = d / sqrt(mpf(2))
edge = mpf("0.001")
mouth, bottom, side, reach = arm - mpf("0.004"), d - arm - mpf("0.01"), pin + play / 2 + edge, pin + edge


def crank(t):
    return -pi / 3 + speed * t


def place(slot, t, a, rate):
    """Returns z, its slope by a, its rate, what its second derivative is without a'', and its slope by f."""
    turn = expj(-a - slot * pi / 2)
    z, tip = (arm * expj(crank(t)) - d) * turn, arm * expj(crank(t)) * turn
    z_rate = 1j * speed * tip - 1j * rate * z
    return z, -1j * z, z_rate, -(speed**2) * tip + 2 * speed * rate * tip - rate**2 * z, 1j * tip


def straight(slot, sign):
    """Is the straight part of an edge, on the left or the right of the slot."""
    def contact(t, q, v):
        z, slope, rate, drift, by_crank = place(slot, t, q[0], v[0])
        way = z.imag - sign * side
        out = 1 if way > 0 else -1
        return abs(way) - reach, [out * slope.imag], out * rate.imag, out * drift.imag, out * by_crank.imag

    return contact


def rounded(slot, sign):
    """Is the round end of an edge."""
    def contact(t, q, v):
        z, slope, rate, drift, by_crank = place(slot, t, q[0], v[0])
        way = z - mpc(mouth, sign * side)
        length = abs(way)
        back = way.conjugate() / length
        closing = (back * rate).real
        return (length - reach, [(back * slope).real], closing,
                (back * drift).real + (abs(rate) ** 2 - closing**2) / length, (back * by_crank).real)

    return contact


class Wheel(Contacts):
    def phase(self, names):
        """All edges but the one that holds may close; what holds may go on to the edge's other part."""
        phase = super().phase(names)
        if phase not in self.completed:
            self.completed.append(phase)
            phase.events = phase.events[:0]
            for index, name in enumerate(phase.name):
                phase.events += [
                    (lambda t, y, index=index: self.holding(t, y, phase.name)[0][index], self.lets_go),
                    (lambda t, y, name=name: self.left(name, t, y), lambda t, y, name=name: self.passes(name, t, y))]
            for slot in range(4):
                for side_name in "ab":
                    if not any(name.endswith(f"{side_name} {slot}") for name in phase.name):
                        phase.events.append((lambda t, y, edge=(side_name, slot): self.gap(edge, t, y),
                                             lambda t, y, edge=(side_name, slot): self.meets(edge, phase, t, y)))
            phase.events.append((lambda t, y: engaged(t), locks))
        return phase

    completed: ClassVar = []

    def part(self, edge, t, y):
        """Returns the name of the part of an edge that is nearest to the pin."""
        z = place(edge[1], t, y[0], y[1])[0]
        return f"{'straight' if z.real < mouth else 'rounded'} {edge[0]} {edge[1]}"

    def gap(self, edge, t, y):
        if place(edge[1], t, y[0], y[1])[0].real < bottom:
            return mpf(1)  # behind the slot, where the pin never is
        return self.seen(t, y, [self.part(edge, t, y)])[0][0]

    def meets(self, edge, phase, t, y):
        return self.closes(t, y, {*phase.name, self.part(edge, t, y)})

    def touching(self, t, y):
        return [name for name in super().touching(t, y)
                if self.left(name, t, y) > 0 and self.gap((name[-3], int(name[-1])), t, y) < 1]

    def left(self, name, t, y):
        """Returns the way that is left to where this part of an edge ends."""
        left = mouth - place(int(name[-1]), t, y[0], y[1])[0].real
        return left if name.startswith("straight") else -left

    def passes(self, name, t, y):
        kind, rest = name.split(" ", 1)
        other = ({"straight": "rounded", "rounded": "straight"}[kind] + " " + rest,)
        return self.phase(other if self.holding(t, y, other)[0][0] > 0 else ()), y


def engaged(t):
    return cos(crank(t)) - sqrt(mpf(1) / 2)


def locks(t, y):
    return locked, [y[0], mpf(0)]


def lets_free(t, y):
    return wheel.phase(()), y


def jams(t, y):
    raise AssertionError("the pin meets a locked wheel")


contacts = {f"{kind.__name__} {name} {slot}": kind(slot, sign)
            for kind in (straight, rounded) for slot in range(4) for name, sign in (("a", 1), ("b", -1))}
wheel = Wheel([J], lambda t, q, v: [-drag * v[0]], contacts, dict.fromkeys(contacts, steel))
locked = Phase(lambda t, y: [mpf(0), mpf(0)],
               [(lambda t, y: -engaged(t), lets_free)]
               + [(lambda t, y, edge=(name, slot): wheel.gap(edge, t, y) + mpf("1e-9"), jams)
                  for name in "ab" for slot in range(4)])

times = even_times(2, 80)
solution, events, difference = integrate_phases_checked(locked, times, [3 * pi / 4, mpf(0)], mpf("0.005"))
rows = []
for t, (phase, y) in zip(times, solution):
    forces, accelerations = ({}, [mpf(0)]) if phase is locked else wheel.forces_of(t, phase, y)
    torque = -sum(force * contacts[name](t, y[:1], y[1:])[4] for name, force in forces.items())
    row = {"time": t, "drive.angle": degrees(crank(t)), "wheel_axle.angle": degrees(y[0]),
           "der(wheel_axle.angle)": degrees(y[1]), "der(wheel_axle.angle,2)": degrees(accelerations[0]),
           "constraint.motor.multiplier": torque, "coupling.locking_disk.state": mpf(2 * (phase is locked))}
    for slot in range(4):
        for name in ("a", "b"):
            row[f"{name}_{slot + 1}.normal.force"] = sum(
                (force for kind, force in forces.items() if kind.endswith(f"{name} {slot}")), mpf(0))
    rows.append(row)

print(len(events), "events:", "; ".join(f"{nstr(t, 10)} {' '.join(phase.name)}" for t, phase in events))
write_reference(__file__, [
    "A Geneva drive: Euler's law of the wheel, integrated by extrapolation in 40 digits from event to event; computed",
    "by reference.py.",
    f"Accuracy: all digits shown (two step sizes agree to {nstr(difference, 1)}).",
    "bound = 1e-6",
], rows)
