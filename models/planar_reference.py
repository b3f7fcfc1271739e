"""Has what the reference.py scripts of planar bodies share: motions of points and angles, d'Alembert's principle in
minimal coordinates, and Newton's and Euler's laws for the bodies taken apart.

Points and forces are complex numbers x + iy. A motion is a triple: a value, its velocity and its acceleration. Each
model gives the motions of its bodies by hand, by elementary geometry, as functions of its minimal coordinates; there
are no constraints, no multipliers and no projection here.
"""

from mpmath import acos, arg, asin, cos, expj, mpc, mpf, pi

from reference_tools import integrate_checked, least_squares, solve


def conj(z):
    return mpc(z).conjugate()


def real(z):
    return mpc(z).real


def imag(z):
    return mpc(z).imag


def at_rest(value):
    return value, mpf(0), mpf(0)


def total(*motions):
    return tuple(sum(values) for values in zip(*motions))


def difference(to, origin):
    return tuple(a - b for a, b in zip(to, origin))


def times_constant(factor, motion):
    return tuple(factor * value for value in motion)


def turned(angle, vector):
    """Motion of a vector, fixed in a body, whose angle has the motion given."""
    z = vector * expj(angle[0])
    return z, 1j * angle[1] * z, (1j * angle[2] - angle[1] ** 2) * z


def polar(z):
    """Motions of length and direction of a vector that has the motion given; the direction is in (-pi, pi]."""
    length, direction = abs(z[0]), arg(z[0])
    back = conj(z[0]) / length
    v, a = back * z[1], back * z[2]
    rate = imag(v) / length
    return ((length, real(v), real(a) + length * rate**2),
            (direction, rate, (imag(a) - 2 * real(v) * rate) / length))


def two_links(origin, end, length_1, length_2, side):
    """Motions of the angles of two links that join two moving points; side is +1 if the first link is turned
    counter-clockwise from the line between the points, -1 if clockwise."""
    z = difference(end, origin)
    distance = abs(z[0])
    angle_1 = arg(z[0]) + side * acos((length_1**2 + distance**2 - length_2**2) / (2 * length_1 * distance))
    e1 = expj(angle_1)
    e2 = (z[0] - length_1 * e1) / length_2
    sine = imag(conj(e1) * e2)  # of the angle from the first link to the second
    rate_1 = real(conj(e2) * z[1]) / (length_1 * sine)
    rate_2 = -real(conj(e1) * z[1]) / (length_2 * sine)
    a = z[2] + length_1 * rate_1**2 * e1 + length_2 * rate_2**2 * e2
    return ((angle_1, rate_1, real(conj(e2) * a) / (length_1 * sine)),
            (arg(e2), rate_2, -real(conj(e1) * a) / (length_2 * sine)))


class Mechanism:
    """Bodies whose motions are known functions of minimal coordinates.

    motions(q, v, a) gives a dictionary of motions; bodies maps a name to (mass, inertia, name of the mass centre's
    motion, name of the angle's motion); loads(t, moved) lists (name of a motion, force or torque on it).
    """

    def __init__(self, bodies, motions, loads=lambda t, moved: [], gravity=mpf("9.81")):
        self.bodies, self.motions, self.loads, self.gravity = bodies, motions, loads, gravity

    def accelerations(self, t, q, v):
        """d'Alembert's principle: the power of applied forces less inertia forces is zero in each coordinate's
        motion. Also the power of the loads other than gravity."""
        count = len(q)
        zero = [mpf(0)] * count
        units = [self.motions(q, [mpf(i == k) for i in range(count)], zero) for k in range(count)]
        if count == 1:  # velocities are proportional to v, accelerations to its square
            now = {name: (x, v[0] * dx, v[0] ** 2 * ddx) for name, (x, dx, ddx) in units[0].items()}
        else:
            now = self.motions(q, v, zero)
        matrix = [[mpf(0)] * count for _ in range(count)]
        right_side = [mpf(0)] * count
        for mass, inertia, centre, angle in self.bodies.values():
            for i in range(count):
                v_i, w_i = units[i][centre][1], units[i][angle][1]
                force = -mass * (now[centre][2] + 1j * self.gravity)
                right_side[i] += real(conj(v_i) * force) - inertia * w_i * now[angle][2]
                for k in range(i + 1):
                    matrix[i][k] += mass * real(conj(v_i) * units[k][centre][1]) + inertia * w_i * units[k][angle][1]
        power = mpf(0)
        for name, effort in self.loads(t, now):
            power += real(conj(now[name][1]) * effort)
            for i in range(count):
                right_side[i] += real(conj(units[i][name][1]) * effort)
        for i in range(count):
            for k in range(i):
                matrix[k][i] = matrix[i][k]
        return solve(matrix, right_side), power

    def energy(self, moved):
        """Returns kinetic and potential energy."""
        kinetic = potential = mpf(0)
        for mass, inertia, centre, angle in self.bodies.values():
            kinetic += mass * abs(moved[centre][1]) ** 2 / 2 + inertia * moved[angle][1] ** 2 / 2
            potential += mass * self.gravity * imag(moved[centre][0])
        return kinetic, potential

    def run(self, times, q, v, accuracy=mpf("1e-20")):
        """(time, motions) at the times given; asserts that two step sizes agree and that the energy changes by the
        work of the loads."""
        count = len(q)

        def derivative(t, y):
            a, power = self.accelerations(t, y[:count], y[count:-1])
            return y[count:-1] + a + [power]

        solution, error = integrate_checked(derivative, times, [*q, *v, 0], accuracy=accuracy)
        run, imbalance = [], mpf(0)
        for t, y in zip(times, solution):
            q, v, work = y[:count], y[count:-1], y[-1]
            run.append((t, self.motions(q, v, self.accelerations(t, q, v)[0])))
            energy = sum(self.energy(run[-1][1])) - sum(self.energy(run[0][1])) - work
            imbalance = max(imbalance, abs(energy))
        print("two step sizes agree to", float(error))
        print("energy less work of the loads drifts by", float(imbalance), "J")
        assert imbalance < mpf("1e-15") * (1 + max(sum(self.energy(moved)) for _, moved in run))
        return run, error


FORCE = (1, 1j)


def reactions(mechanism, moved, joints, loads=()):
    """Reactions of all joints, by the FMU's names, from Newton's and Euler's laws for each body taken apart.

    joints maps a name to (parent, child, point, angle of the parent's frame, unknowns): the unknowns are directions of
    forces in the parent's frame, and the text "torque" for a torque. loads lists (body, point, force) and
    (body, None, torque). Ground is None. A model with more equations than unknowns is thereby checked.
    """
    columns = [(name, unknown) for name, joint in joints.items() for unknown in joint[4]]
    matrix, right_side = [], []
    for body, (mass, inertia, centre, angle) in mechanism.bodies.items():
        z = moved[centre][0]
        force = mass * (moved[centre][2] + 1j * mechanism.gravity)
        moment = inertia * moved[angle][2]
        for loaded, point, effort in loads:
            if loaded == body:
                force -= effort if point is not None else 0
                moment -= effort if point is None else imag(conj(point - z) * effort)
        row_x, row_y, row_m = [], [], []
        for name, unknown in columns:
            parent, child, point, frame, _ = joints[name]
            sign = (body == child) - (body == parent)
            direction = sign * unknown * expj(frame) if unknown != "torque" else mpc(0)
            row_x.append(real(direction))
            row_y.append(imag(direction))
            row_m.append(imag(conj(point - z) * direction) if unknown != "torque" else mpf(sign))
        matrix += [row_x, row_y, row_m]
        right_side += [real(force), imag(force), mpf(moment)]
    values, residual = least_squares(matrix, right_side)
    assert residual < mpf("1e-12") * (1 + max(abs(value) for value in right_side)), residual
    result = {}
    for name in joints:
        force, torque = mpc(0), None
        for (owner, unknown), value in zip(columns, values):
            if owner == name and unknown == "torque":
                torque = value
            elif owner == name:
                force += value * unknown
        result[f"{name}.reaction.force.x"], result[f"{name}.reaction.force.y"] = force.real, force.imag
        if torque is not None:
            result[f"{name}.reaction.torque"] = torque
    return result


def pin(parent, child, point, frame=mpf(0)):
    """Returns a revolute joint for reactions()."""
    return parent, child, point, frame, FORCE


def coordinate(name, motion):
    """Returns a coordinate's columns: value and two derivatives."""
    return {name: motion[0], f"der({name})": motion[1], f"der({name},2)": motion[2]}


def link_to_height(origin, length, height, direction=1):
    """Returns the motion of the angle of a link from a moving point to a horizontal line at the height given, in the
    direction of x or, with -1, against it."""
    sine = (height - imag(origin[0])) / length
    angle = asin(sine) if direction > 0 else pi - asin(sine)
    rate = -imag(origin[1]) / (length * cos(angle))
    return angle, rate, (length * sine * rate**2 - imag(origin[2])) / (length * cos(angle))
