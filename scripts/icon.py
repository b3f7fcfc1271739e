"""An FMU's icon, from what the exporter says of the mechanism at its start: icon(drawing) gives PNG and SVG.

drawing: {"name": …, "lines": [[point, …], …], "ground": [point, …], "wheels": [{"center", "axis", "radius"}, …]}, where
points have two coordinates or three. Lines are bodies. A mechanism of equations has none; its icon shows initials.
"""

import math
import re
import struct
import zlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SIZE, MARGIN = 256, 34
BACKGROUND, BODY, GROUND, JOINT = (244, 246, 248), (31, 95, 153), (81, 96, 111), (28, 39, 51)
SHADES = 8  # difference of a shape's colour to the one behind it
BODY_WIDTH, THIN_WIDTH, JOINT_RADIUS, GROUND_SIZE = 11.0, 4.0, 8.0, 13.0

Point = Sequence[float]  # has two coordinates or three; an array, too
Pixel = tuple[float, float]  # measured from the upper left
Colour = tuple[int, int, int]  # red, green and blue, each up to 255


class Shape(NamedTuple):
    """Is a line through the points, or a dot at the only one."""

    kind: str
    colour: Colour
    size: float
    points: list[Pixel]


# Capitals and digits are strokes through points of a grid, 0 to 4 to the right and 0 to 6 upward, two digits a point.
STROKES = {
    "A": "002640 1333", "B": "00063645443303 3342413000", "C": "4536160501103041", "D": "00062644422000",
    "E": "40000646 0333", "F": "000646 0333", "G": "45361605011030414323", "H": "0006 4046 0343", "I": "2026 1030 1636",
    "J": "4641301001", "K": "0006 4603 1340", "L": "060040", "M": "0006234640", "N": "00064046",
    "O": "100105163645413010", "P": "0006364544330333 0303", "Q": "100105163645413010 2240", "R": "00063645443303 2340",
    "S": "454636160504134342413010", "T": "2026 0646", "U": "060110304146", "V": "062046", "W": "0610233046",
    "X": "0046 0640", "Y": "062346 2320", "Z": "06460040", "0": "100105163645413010 0145", "1": "152620 1030",
    "2": "05163645440040", "3": "05163645443323 334241301001", "4": "30360242", "5": "46060343413000",
    "6": "461605011030414233130", "7": "064620", "8": "1304051636454433130201103041423313", "9": "00304145361605041343",
}


def initials(name: str) -> str:
    """Returns two letters for a name such as "FourBar" or "Pendulum_2"."""
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", name)
    letters = "".join(word[0] for word in words) if len(words) > 1 else name
    return "".join(letter for letter in letters.upper() if letter in STROKES)[:2] or "M"


def lettering(name: str) -> list[list[Point]]:
    """Returns initials as lines."""
    lines: list[list[Point]] = []
    for place, letter in enumerate(initials(name)):
        for stroke in STROKES[letter].split():
            points = [(int(stroke[i]), int(stroke[i + 1])) for i in range(0, len(stroke) - 1, 2)]
            lines.append([(x + 6 * place, y) for x, y in points])
    return lines


def circle(wheel: dict[str, Any], points: int = 48) -> list[Point]:
    """Returns a circle round its axis; in the plane there is none."""
    center, radius = np.array(wheel["center"]), wheel["radius"]
    if len(center) == 2:
        first, second = np.eye(2)
    else:
        axis = np.array(wheel["axis"])
        first = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        first /= np.linalg.norm(first)
        second = np.cross(axis, first)
    angles = np.linspace(0, 2 * math.pi, points + 1)
    return [center + radius * (math.cos(a) * first + math.sin(a) * second) for a in angles]


def projected(point: Point) -> Pixel:
    """Returns the plane as it is, and space as seen from (1, 1, 1), z upward."""
    if len(point) == 2:
        return float(point[0]), float(point[1])
    x, y, z = point
    return float((y - x) / math.sqrt(2)), float((2 * z - x - y) / math.sqrt(6))


def shapes(drawing: dict[str, Any]) -> list[Shape]:
    """Returns the shapes from back to front."""
    bodies, ground, wheels = drawing["lines"], drawing["ground"], drawing["wheels"]
    if not any(bodies):
        bodies, ground, wheels = lettering(drawing["name"]), [], []
        joints = []
    else:
        joints = [point for body in bodies for point in body]
    lines = [[projected(point) for point in line] for line in bodies]
    rims = [[projected(point) for point in circle(wheel)] for wheel in wheels]
    everything = np.array([point for line in lines + rims for point in line] + [projected(p) for p in ground])
    low, high = everything.min(axis=0), everything.max(axis=0)
    scale = (SIZE - 2 * MARGIN) / max(*(high - low), 1e-9)

    def pixel(point: Point) -> Pixel:
        x, y = (np.array(point) - (low + high) / 2) * scale
        return round(SIZE / 2 + float(x), 2), round(SIZE / 2 - float(y), 2)

    result: list[Shape] = []
    for x, y in sorted({pixel(projected(point)) for point in ground}):
        corners = [(x, y), (x - GROUND_SIZE, y + 1.6 * GROUND_SIZE), (x + GROUND_SIZE, y + 1.6 * GROUND_SIZE), (x, y)]
        result.append(Shape("line", GROUND, THIN_WIDTH, corners))
    result += [Shape("line", BODY, THIN_WIDTH, [pixel(point) for point in rim]) for rim in rims]
    result += [Shape("line", BODY, BODY_WIDTH, [pixel(point) for point in line]) for line in lines]
    result += [Shape("dot", JOINT, JOINT_RADIUS, [place]) for place in sorted({pixel(projected(p)) for p in joints})]
    return result


def coverage(points: list[Pixel], width: float) -> NDArray[np.float64]:
    """Returns how much of each pixel a line with round ends covers."""
    nearest = np.full((SIZE, SIZE), np.inf)
    for (x0, y0), (x1, y1) in zip(points, points[1:] or points):
        reach = width / 2 + 1
        left, right = (int(np.clip(x, 0, SIZE)) for x in (min(x0, x1) - reach, max(x0, x1) + reach + 1))
        top, bottom = (int(np.clip(y, 0, SIZE)) for y in (min(y0, y1) - reach, max(y0, y1) + reach + 1))
        y, x = np.mgrid[top:bottom, left:right] + 0.5
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((x - x0) * dx + (y - y0) * dy) / max(dx * dx + dy * dy, 1e-12), 0, 1)
        part = nearest[top:bottom, left:right]
        np.minimum(part, np.hypot(x - x0 - along * dx, y - y0 - along * dy), out=part)
    return np.clip(width / 2 + 0.5 - nearest, 0, 1)


def png(drawn: list[Shape]) -> bytes:
    """Returns pixels in the PNG format (RFC 2083), with a palette: few shades at edges make few colours and a small
    file."""
    image = np.tile(np.array(BACKGROUND, dtype=float), (SIZE, SIZE, 1))
    for kind, colour, size, points in drawn:
        cover = coverage(points, 2 * size if kind == "dot" else size)[..., None]
        image += np.rint(cover * SHADES) / SHADES * (np.array(colour) - image)
    pixels = np.rint(image).astype(np.uint8).reshape(-1, 3)
    colours, indices = np.unique(pixels, axis=0, return_inverse=True)
    palette = len(colours) <= 256  # bits of a byte
    values = indices.astype(np.uint8) if palette else pixels
    rows = np.zeros((SIZE, 1 + values.size // SIZE), dtype=np.uint8)  # means no filter
    rows[:, 1:] = values.reshape(SIZE, -1)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 3 if palette else 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + (chunk(b"PLTE", colours.tobytes()) if palette else b"") +
            chunk(b"IDAT", zlib.compress(rows.tobytes(), 9)) + chunk(b"IEND", b""))


def svg(drawn: list[Shape]) -> bytes:
    """Returns the shapes as lines and circles in SVG."""
    text = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIZE} {SIZE}">\n'
    text += f'<rect width="{SIZE}" height="{SIZE}" fill="rgb{BACKGROUND}"/>\n'
    for kind, colour, size, points in drawn:
        if kind == "dot":
            text += f'<circle cx="{points[0][0]:g}" cy="{points[0][1]:g}" r="{size:g}" fill="rgb{colour}"/>\n'
        else:
            path = " ".join(f"{x:g},{y:g}" for x, y in points)
            text += (f'<polyline points="{path}" fill="none" stroke="rgb{colour}" stroke-width="{size:g}" '
                     'stroke-linecap="round" stroke-linejoin="round"/>\n')
    return (text + "</svg>\n").encode()


def icon(drawing: dict[str, Any]) -> tuple[bytes, bytes]:
    """Returns PNG and SVG, as bytes."""
    drawn = shapes(drawing)
    return png(drawn), svg(drawn)
