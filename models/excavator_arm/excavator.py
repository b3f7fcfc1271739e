"""Has data and geometry of the excavator's arm, for the references with given forces and with given lengths."""

import pathlib
import sys

from mpmath import mpf

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent))
from planar_reference import at_rest, difference, pin, polar, total, turned


def point(x, y):
    return mpf(x) + 1j * mpf(y)


BOOM, STICK, BUCKET = mpf("5.7"), mpf("2.9"), mpf("1.4")
G, P, Q = point("0.6", "-0.4"), point("2.6", "0.4"), point("2.5", "1")
R, U, V = point("-0.7", "0.25"), point("0.4", "0.55"), point("-0.25", "0.4")
BODIES = {"boom": (mpf(1800), mpf(5200), "boom centre", "boom"),
          "stick": (mpf(900), mpf(900), "stick centre", "stick"),
          "bucket": (mpf(1100), mpf(450), "bucket centre", "bucket")}
CYLINDERS = {"boom": (None, "boom", "G", "P"), "stick": ("boom", "stick", "Q", "R"),
             "bucket": ("stick", "bucket", "U", "V")}


def moved_by(boom, stick, bucket):
    """Returns all motions for those of the three angles against the horizontal."""
    B = turned(boom, BOOM)
    C = total(B, turned(stick, STICK))
    moved = {
        "boom": boom, "stick": stick, "bucket": bucket, "B": B, "C": C, "G": at_rest(G),
        "P": turned(boom, P), "Q": turned(boom, Q), "R": total(B, turned(stick, R)), "U": total(B, turned(stick, U)),
        "V": total(C, turned(bucket, V)), "T": total(C, turned(bucket, BUCKET)),
        "boom centre": turned(boom, point("2.7", "0.4")),
        "stick centre": total(B, turned(stick, point(1, "0.1"))),
        "bucket centre": total(C, turned(bucket, point("0.65", "0.1")))}
    for name, (_, _, origin, end) in CYLINDERS.items():
        moved[f"{name} length"], _ = polar(difference(moved[end], moved[origin]))
    return moved


def along(moved, cylinder):
    """Returns unit vector along a cylinder, from its first pin to its second."""
    _, _, origin, end = CYLINDERS[cylinder]
    return (moved[end][0] - moved[origin][0]) / moved[f"{cylinder} length"][0]


def pins(moved):
    return {"A": pin(None, "boom", 0), "B": pin("boom", "stick", moved["B"][0], moved["boom"][0]),
            "C": pin("stick", "bucket", moved["C"][0], moved["stick"][0])}
