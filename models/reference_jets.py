"""Jets for the reference.py scripts: a number with its first and second derivative with respect to one coordinate.

A mechanism with one degree of freedom needs no more: with the positions of its points as jets in the coordinate, the
minimal equation I q'' + I'/2 q'^2 = -U' (Eksergian's) is written down in a few lines.
"""

import mpmath
from mpmath import mpf


class Jet:
    """Holds value, first and second derivative."""

    def __init__(self, value, first=0, second=0):
        self.value, self.first, self.second = mpf(value), mpf(first), mpf(second)

    def __add__(self, other):
        other = jet(other)
        return Jet(self.value + other.value, self.first + other.first, self.second + other.second)

    def __neg__(self):
        return Jet(-self.value, -self.first, -self.second)

    def __sub__(self, other):
        return self + -jet(other)

    def __rsub__(self, other):
        return jet(other) + -self

    def __mul__(self, other):
        other = jet(other)
        return Jet(self.value * other.value, self.first * other.value + self.value * other.first,
                   self.second * other.value + 2 * self.first * other.first + self.value * other.second)

    def __truediv__(self, other):
        value = jet(other).value
        return self * chain(jet(other), 1 / value, -1 / value**2, 2 / value**3)

    __radd__, __rmul__ = __add__, __mul__


def jet(number):
    return number if isinstance(number, Jet) else Jet(number)


def chain(inner, value, first, second):
    """Returns f(inner), given f and its two derivatives there."""
    return Jet(value, first * inner.first, second * inner.first**2 + first * inner.second)


def sin(x):
    return chain(x, mpmath.sin(x.value), mpmath.cos(x.value), -mpmath.sin(x.value))


def cos(x):
    return chain(x, mpmath.cos(x.value), -mpmath.sin(x.value), -mpmath.cos(x.value))


def asin(x):
    root = mpmath.sqrt(1 - x.value**2)
    return chain(x, mpmath.asin(x.value), 1 / root, x.value / root**3)


def scaled(factor, vector):
    return [factor * component for component in vector]


def plus(*vectors):
    return [sum(components[1:], components[0]) for components in zip(*vectors)]


def rod_equation(rods, gravity):
    """Inertia, half its slope and the generalised gravity force of uniform slender rods (mass, end, end).

    The ends are vectors of jets. A slender rod's kinetic energy is m (|v_A|^2 + v_A.v_B + |v_B|^2)/6, whatever its
    direction; the last value is the potential energy."""
    inertia, half_slope, force, potential = mpf(0), mpf(0), mpf(0), mpf(0)
    for mass, A, B in rods:
        for a, b, g in zip(A, B, gravity):
            a, b = jet(a), jet(b)
            inertia += mass * (a.first**2 + a.first * b.first + b.first**2) / 3
            half_slope += mass * (2 * a.first * a.second + a.first * b.second + a.second * b.first
                                  + 2 * b.first * b.second) / 6
            force += mass * g * (a.first + b.first) / 2
            potential -= mass * g * (a.value + b.value) / 2
    return inertia, half_slope, force, potential
