"""Simulates rigid bodies in maximal coordinates, for the reference.py scripts of mechanisms too large for a minimal
equation.

Every body keeps its mass centre, a quaternion and its velocities (angular velocity in the ground's frame); every joint
is a set of constraint rows; Newton's and Euler's laws with multipliers

    M a = f + J' lambda,    J a = -gamma

are integrated with scipy's DOP853, and positions and velocities are put back onto the constraints at every output.
This shares nothing with relative coordinates, tangent bases or generated code. Needs numpy and scipy.
"""

import numpy as np
from scipy.integrate import solve_ivp

GROUND = -1


def skew(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def rod_inertia(mass, direction):
    """Returns the tensor of a uniform slender rod."""
    d = np.asarray(direction, float)
    return mass / 12 * (d @ d * np.eye(3) - np.outer(d, d))


def rotation(q):
    w, x, y, z = q
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def turned(q, omega):
    """Returns (0, omega) times q, over 2: the rate of a quaternion, omega in the ground's frame."""
    w, v = q[0], q[1:]
    return np.concatenate(([-omega @ v / 2], (w * omega + cross(omega, v)) / 2))


class State:
    """Positions and velocities of all bodies, the ground last."""

    def __init__(self, y, count):
        self.x = np.vstack((y[:3 * count].reshape(-1, 3), np.zeros(3)))
        self.q = y[3 * count:7 * count].reshape(-1, 4)
        self.R = [rotation(q) for q in self.q] + [np.eye(3)]
        self.v = np.vstack((y[7 * count:10 * count].reshape(-1, 3), np.zeros(3)))
        self.omega = np.vstack((y[10 * count:13 * count].reshape(-1, 3), np.zeros(3)))

    def point(self, body, local):
        """Returns arm from the mass centre, position and velocity of a body's point."""
        arm = self.R[body] @ local
        return arm, self.x[body] + arm, self.v[body] + cross(self.omega[body], arm)


class Bodies:
    """Bodies, constraints and the solution. Points and directions are in body frames, whose origin is the drawing's
    and which are parallel to the ground's while the body is not turned."""

    def __init__(self, gravity):
        self.gravity = np.asarray(gravity, float)
        self.mass, self.inertia, self.centre, self.position, self.quaternion = [], [], [], [], []
        self.rows, self.constraints = 0, []

    def body(self, mass, inertia, centre, origin=(0, 0, 0), quaternion=(1, 0, 0, 0)):
        """A body with its mass centre in its frame, and where its frame is first taken to be."""
        self.mass.append(mass)
        self.inertia.append(np.diag(inertia) if np.ndim(inertia) == 1 else np.asarray(inertia, float))
        self.centre.append(np.asarray(centre, float))
        self.quaternion.append(np.asarray(quaternion, float))
        self.position.append(np.asarray(origin, float) + rotation(self.quaternion[-1]) @ self.centre[-1])
        return len(self.mass) - 1

    def local(self, body, point):
        """Returns a point of the body's frame, from the mass centre."""
        return np.asarray(point, float) - (self.centre[body] if body != GROUND else 0)

    def _add(self, kind, size, *data):
        self.constraints.append((kind, slice(self.rows, self.rows + size), data))
        self.rows += size
        return len(self.constraints) - 1

    def coincide(self, i, p, j, r):
        """The points p of i and r of j are at one place."""
        return self._add(self._coincide, 3, i, self.local(i, p), j, self.local(j, r))

    def perpendicular(self, i, a, j, b):
        """The directions a of i and b of j stay perpendicular."""
        return self._add(self._perpendicular, 1, i, np.asarray(a, float), j, np.asarray(b, float))

    def in_plane(self, i, p, a, j, r):
        """The point r of j is in the plane through p of i across the direction a of i."""
        return self._add(self._in_plane, 1, i, self.local(i, p), np.asarray(a, float), j, self.local(j, r))

    def distance(self, i, p, j, r, length):
        return self._add(self._distance, 1, i, self.local(i, p), j, self.local(j, r), length)

    def revolute(self, i, p, j, r, axis):
        """Returns the number of the first of its constraints, the one that holds the points together."""
        first = self.coincide(i, p, j, r)
        for normal in normals(axis):
            self.perpendicular(i, normal, j, axis)
        return first

    def prismatic(self, i, p, j, r, axis):
        first, (a, b) = len(self.constraints), normals(axis)
        self.in_plane(i, p, a, j, r)
        self.in_plane(i, p, b, j, r)
        self.perpendicular(i, a, j, axis)
        self.perpendicular(i, b, j, axis)
        self.perpendicular(i, a, j, b)
        return first

    # Each kind: residual, columns of the Jacobian as (body, part for v, part for omega), and gamma = J' v.

    def _coincide(self, s, i, p, j, r):
        arm_i, at_i, _ = s.point(i, p)
        arm_j, at_j, _ = s.point(j, r)
        one, w_i, w_j = np.eye(3), s.omega[i], s.omega[j]
        return at_j - at_i, [(i, -one, skew(arm_i)), (j, one, -skew(arm_j))], \
            cross(w_j, cross(w_j, arm_j)) - cross(w_i, cross(w_i, arm_i))

    def _perpendicular(self, s, i, a, j, b):
        a, b, w_i, w_j = s.R[i] @ a, s.R[j] @ b, s.omega[i], s.omega[j]
        normal, zero = cross(a, b), np.zeros(3)
        gamma = cross(w_i, cross(w_i, a)) @ b + 2 * cross(w_i, a) @ cross(w_j, b) + a @ cross(w_j, cross(w_j, b))
        return a @ b, [(i, zero, normal), (j, zero, -normal)], gamma

    def _in_plane(self, s, i, p, a, j, r):
        arm_i, at_i, v_i = s.point(i, p)
        arm_j, at_j, v_j = s.point(j, r)
        a, w_i, w_j, d = s.R[i] @ a, s.omega[i], s.omega[j], at_j - at_i
        gamma = cross(w_i, cross(w_i, a)) @ d + 2 * cross(w_i, a) @ (v_j - v_i) \
            + a @ (cross(w_j, cross(w_j, arm_j)) - cross(w_i, cross(w_i, arm_i)))
        return a @ d, [(i, -a, cross(a, d) - cross(arm_i, a)), (j, a, cross(arm_j, a))], gamma

    def _distance(self, s, i, p, j, r, length):
        arm_i, at_i, v_i = s.point(i, p)
        arm_j, at_j, v_j = s.point(j, r)
        d, rate, w_i, w_j = at_j - at_i, v_j - v_i, s.omega[i], s.omega[j]
        gamma = rate @ rate + d @ (cross(w_j, cross(w_j, arm_j)) - cross(w_i, cross(w_i, arm_i)))
        return (d @ d - length**2) / 2, [(i, -d, -cross(arm_i, d)), (j, d, cross(arm_j, d))], gamma

    def _constraints(self, s):
        n = len(self.mass)
        phi, J, gamma = np.zeros(self.rows), np.zeros((self.rows, 6 * n)), np.zeros(self.rows)
        for kind, rows, data in self.constraints:
            phi[rows], columns, gamma[rows] = kind(s, *data)
            for body, linear, angular in columns:
                if body != GROUND:
                    J[rows, 6 * body:6 * body + 3] += linear
                    J[rows, 6 * body + 3:6 * body + 6] += angular
        return phi, J, gamma

    def _inverse_mass(self, s):
        n = len(self.mass)
        inverse = np.zeros((6 * n, 6 * n))
        for i in range(n):
            inverse[6 * i:6 * i + 3, 6 * i:6 * i + 3] = np.eye(3) / self.mass[i]
            inverse[6 * i + 3:6 * i + 6, 6 * i + 3:6 * i + 6] = np.linalg.inv(s.R[i] @ self.inertia[i] @ s.R[i].T)
        return inverse

    def accelerations(self, s, forces):
        """Accelerations (6 a body), multipliers, and the power of all applied forces.

        forces(state, push) calls push(body, point, force) and push(body, None, torque)."""
        n = len(self.mass)
        wrench, power = np.zeros((n + 1, 6)), 0.0

        def push(body, local, vector):
            nonlocal power
            if local is None:
                wrench[body, 3:] += vector
                power += vector @ s.omega[body]
            else:
                arm, _, velocity = s.point(body, self.local(body, local))
                wrench[body, :3] += vector
                wrench[body, 3:] += cross(arm, vector)
                power += vector @ velocity

        for i in range(n):
            push(i, self.centre[i], self.mass[i] * self.gravity)
        forces(s, push)
        for i in range(n):
            inertia = s.R[i] @ self.inertia[i] @ s.R[i].T
            wrench[i, 3:] -= cross(s.omega[i], inertia @ s.omega[i])
        _, J, gamma = self._constraints(s)
        inverse = self._inverse_mass(s)
        free, W = inverse @ wrench[:n].ravel(), inverse @ J.T
        multipliers = np.linalg.solve(J @ W, -gamma - J @ free)
        return free + W @ multipliers, multipliers, power

    def reaction(self, s, multipliers, first, count, child, point):
        """Returns force and torque of some constraints on a body, at its point, in the ground's frame."""
        force, torque = np.zeros(3), np.zeros(3)
        for kind, rows, data in self.constraints[first:first + count]:
            for body, linear, angular in kind(s, *data)[1]:
                if body == child:
                    force += np.atleast_2d(linear).T @ multipliers[rows]
                    torque += np.atleast_2d(angular).T @ multipliers[rows]
        return force, torque - cross(s.point(child, self.local(child, point))[0], force)

    def _projected(self, y):
        """Puts y onto the constraints, positions by Newton's iteration, then velocities, by the shortest way."""
        n, y = len(self.mass), y.copy()
        for _ in range(20):
            s = State(y, n)
            phi, J, _ = self._constraints(s)
            if np.max(np.abs(phi)) < 1e-14:
                break
            W = self._inverse_mass(s) @ J.T
            change = (W @ np.linalg.solve(J @ W, -phi)).reshape(n, 6)
            for i in range(n):
                y[3 * i:3 * i + 3] += change[i, :3]
                q = s.q[i] + turned(s.q[i], change[i, 3:])
                y[3 * n + 4 * i:3 * n + 4 * i + 4] = q / np.linalg.norm(q)
        for i in range(n):
            y[3 * n + 4 * i:3 * n + 4 * i + 4] /= np.linalg.norm(y[3 * n + 4 * i:3 * n + 4 * i + 4])
        s = State(y, n)
        phi, J, _ = self._constraints(s)
        assert np.max(np.abs(phi)) < 1e-12, "the mechanism does not close"
        velocity = np.hstack((s.v[:n], s.omega[:n])).ravel()
        W = self._inverse_mass(s) @ J.T
        velocity = (velocity - W @ np.linalg.solve(J @ W, J @ velocity)).reshape(n, 6)
        y[7 * n:10 * n], y[10 * n:13 * n] = velocity[:, :3].ravel(), velocity[:, 3:].ravel()
        return y

    def kinetic_energy(self, s):
        return sum(m * v @ v + w @ R @ I @ R.T @ w
                   for m, I, v, w, R in zip(self.mass, self.inertia, s.v, s.omega, s.R)) / 2

    def solve(self, times, forces, tolerance):
        """States at the times, from rest, and the largest error of the balance of energy: kinetic energy against the
        integral of the applied forces' power."""
        n = len(self.mass)

        def derivative(t, y):
            s = State(y, n)
            acceleration, _, power = self.accelerations(s, forces)
            parts = acceleration.reshape(n, 6)
            rates = [turned(q, w) for q, w in zip(s.q, s.omega)]
            return np.concatenate((s.v[:n].ravel(), np.ravel(rates), parts[:, :3].ravel(), parts[:, 3:].ravel(),
                                   [power]))

        y = np.concatenate((np.ravel(self.position), np.ravel(self.quaternion), np.zeros(6 * n), [0]))
        y, states, balance = self._projected(y), [], 0
        for start, end in zip([None, *times], times):
            if start is not None:
                run = solve_ivp(derivative, (start, end), y, method="DOP853", rtol=tolerance, atol=tolerance / 10)
                assert run.success
                y = self._projected(run.y[:, -1])
            states.append(State(y, n))
            balance = max(balance, abs(self.kinetic_energy(states[-1]) - y[-1]))
        return states, balance


def normals(axis):
    """Returns two unit vectors across an axis and each other."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    a = cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    a /= np.linalg.norm(a)
    return a, cross(axis, a)


def angle(R_parent, R_child, axis):
    """Returns the angle of the child against the parent about an axis of the parent, in (-pi, pi]."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    a, b = normals(axis)
    seen = R_parent.T @ R_child @ a
    return np.arctan2(seen @ b, seen @ a)


def difference(coarse, fine):
    """Returns the largest difference of two solutions' positions, orientations and velocities."""
    return max(np.max(np.abs(getattr(a, name) - getattr(b, name)))
               for a, b in zip(coarse, fine) for name in ("x", "q", "v", "omega"))
