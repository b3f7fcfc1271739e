"""Has what the reference.py scripts of mechanisms with contacts share: coordinates with constant masses, and contacts
without friction that come and go.

A contact is a function of t, q and v that returns its gap, the slopes p of the gap by q, the gap's speed, and what the
gap's acceleration is without p a. All sets of those that touch are tried, to find the one that holds.
"""

import itertools

from mpmath import mpf

from reference_tools import Phase, solve


class Contacts:
    """Makes the phases of a motion: in each of them some contacts hold."""

    def __init__(self, masses, forces, contacts, restitution=None, rest=mpf("1e-14")):
        """Masses of the coordinates, forces on them by t, q, v; contacts by name; restitutions by name, where they are
        not zero. A rebound that is slower than `rest` is none."""
        self.masses, self.forces, self.contacts, self.rest = masses, forces, contacts, rest
        self.restitution = restitution or {}
        self.phases = {}

    def split(self, y):
        return y[:len(self.masses)], y[len(self.masses):]

    def seen(self, t, y, names):
        return [self.contacts[name](t, *self.split(y)) for name in names]

    def mobilities(self, rows):
        return [[sum(a * b / m for a, b, m in zip(one[1], other[1], self.masses)) for other in rows] for one in rows]

    def holding(self, t, y, names):
        """Returns the forces of contacts that hold, and the accelerations."""
        rows, free = self.seen(t, y, names), [f / m for f, m in zip(self.forces(t, *self.split(y)), self.masses)]
        right = [-row[3] - sum(p * a for p, a in zip(row[1], free)) for row in rows]
        forces = solve(self.mobilities(rows), right) if rows else []
        return forces, [a + sum(f * row[1][i] for f, row in zip(forces, rows)) / self.masses[i]
                        for i, a in enumerate(free)]

    def phase(self, names):
        names = tuple(name for name in self.contacts if name in names)
        if names in self.phases:
            return self.phases[names]

        def derivative(t, y):
            return list(self.split(y)[1]) + self.holding(t, y, names)[1]

        phase = self.phases[names] = Phase(derivative, [], names)
        for name in self.contacts:
            if name in names:
                index = names.index(name)
                phase.events.append((lambda t, y, index=index: self.holding(t, y, names)[0][index], self.lets_go))
            else:
                phase.events.append((lambda t, y, name=name: self.seen(t, y, [name])[0][0],
                                     lambda t, y, name=name: self.closes(t, y, {*names, name})))
        return phase

    def lets_go(self, t, y):
        return self.phase(self.carrying(t, y, self.touching(t, y))), y

    def touching(self, t, y):
        """Returns the contacts that touch and do not open."""
        seen = dict(zip(self.contacts, self.seen(t, y, self.contacts)))
        return [name for name, row in seen.items() if abs(row[0]) < mpf("1e-22") and abs(row[2]) < mpf("1e-18")]

    def carrying(self, t, y, touching):
        """Returns those of the touching contacts that push, while the others open."""
        for count in range(min(len(touching), len(self.masses)), -1, -1):
            for names in itertools.combinations(touching, count):
                forces, accelerations = self.holding(t, y, names)
                others = self.seen(t, y, [name for name in touching if name not in names])
                opening = [row[3] + sum(p * a for p, a in zip(row[1], accelerations)) for row in others]
                if all(f > mpf("1e-25") for f in forces) and all(a > -mpf("1e-20") for a in opening):
                    return names
        raise AssertionError("no contacts carry")

    def closes(self, t, y, names):
        """Solves an impact: speeds after it are at least restitution times those before it, backward."""
        names = [name for name in self.contacts if name in names]
        rows = self.seen(t, y, names)
        wanted = [-self.restitution.get(name, mpf(0)) * min(row[2], mpf(0)) for name, row in zip(names, rows)]
        wanted = [0 if speed < self.rest else speed for speed in wanted]
        H = self.mobilities(rows)
        for count in range(1, min(len(names), len(self.masses)) + 1):
            for chosen in itertools.combinations(range(len(names)), count):
                impulses = [mpf(0)] * len(names)
                found = solve([[H[i][j] for j in chosen] for i in chosen], [wanted[i] - rows[i][2] for i in chosen])
                for i, impulse in zip(chosen, found):
                    impulses[i] = impulse
                after = [row[2] + sum(h * x for h, x in zip(H[i], impulses)) for i, row in enumerate(rows)]
                if min(found) < 0 or any(a < w - mpf("1e-25") for a, w in zip(after, wanted)):
                    continue
                q, v = self.split(y)
                v = [speed + sum(x * row[1][i] for x, row in zip(impulses, rows)) / self.masses[i]
                     for i, speed in enumerate(v)]
                return self.lets_go(t, list(q) + v)
        raise AssertionError("no impulses serve")

    def forces_of(self, t, phase, y):
        """Returns the forces of all contacts by name, and the accelerations."""
        forces, accelerations = self.holding(t, y, phase.name)
        return {name: dict(zip(phase.name, forces)).get(name, mpf(0)) for name in self.contacts}, accelerations
