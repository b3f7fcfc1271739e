"""Draws line charts in plain SVG, with the lines' names beside their ends."""

import itertools
import math

INK, GREY, PALE = "#1b2a41", "#6b7a90", "#dde3ea"
COLORS = ["#c2410c", "#1d4ed8", "#15803d", "#7e22ce", "#b45309", "#0e7490", "#be185d", "#4d7c0f"]
STYLE = f"""
    text {{ font: 12px Helvetica, Arial, sans-serif; fill: {INK}; }}
    .title {{ font-size: 14px; }}
    .small {{ font-size: 11px; fill: {GREY}; }}
    polyline, line {{ fill: none; stroke-linejoin: round; }}
  """
LINE_HEIGHT = 12.5  # least distance of names, px


class Line:
    """Describes the line of one name: points, a color, how it is dashed, whether it stands out."""

    def __init__(self, name, points, color=GREY, dash="", width=1.6):
        self.name, self.points, self.color, self.dash, self.width = name, points, color, dash, width


class Axis:
    def __init__(self, title, logarithmic=False, low=None, high=None, ticks=None):
        self.title, self.logarithmic, self.low, self.high, self.ticks = title, logarithmic, low, high, ticks

    def fit(self, values):
        values = [value for value in values if value > 0 or not self.logarithmic]
        low, high = self.low, self.high
        if low is None:
            low = 10.0 ** math.floor(math.log10(min(values))) if self.logarithmic else 0
        if high is None:
            high = 10.0 ** math.ceil(math.log10(max(values))) if self.logarithmic else max(values)
        self.low, self.high = low, high
        if self.ticks is None:
            decades = round(math.log10(high / low)) if self.logarithmic else 0
            every = 1 if decades <= 8 else 3
            self.ticks = ([low * 10.0**i for i in range(0, decades + 1, every)] if self.logarithmic
                          else [low + (high - low) * i / 5 for i in range(6)])

    def place(self, value):
        """Returns the place of a value, from 0 to 1."""
        if self.logarithmic:
            return math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)

    def label(self, value):
        if not self.logarithmic or 0.009 < value < 10001:
            return f"{value:g}"
        exponent = "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(c)] if c.isdigit() else "⁻" for c in str(round(math.log10(value))))
        return f"10{exponent}"


def text(x, y, words, attributes=""):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}"{attributes and " " + attributes}>{words}</text>'


def apart(places, low, high):
    """Moves places as little as needed to keep the names apart and between low and high."""
    order = sorted(range(len(places)), key=lambda i: places[i])
    moved = list(places)
    for _ in range(200):
        for a, b in itertools.pairwise(order):
            overlap = LINE_HEIGHT - (moved[b] - moved[a])
            if overlap > 0:
                moved[a] -= overlap / 2
                moved[b] += overlap / 2
        for i in order:
            moved[i] = min(max(moved[i], low), high)
    return moved


def panel(left, top, width, height, title, x, y, lines, names=True):
    """Returns SVG elements of one chart, with axes at left and bottom."""
    x.fit([point[0] for line in lines for point in line.points])
    y.fit([point[1] for line in lines for point in line.points])
    right, bottom = left + width, top + height

    def place(point):
        return left + width * x.place(point[0]), bottom - height * y.place(point[1])

    elements = [text(left, top - 12, title, 'class="title"')]
    for tick in y.ticks:
        _, at = place((x.low, tick))
        elements.append(f'<line x1="{left}" y1="{at:.1f}" x2="{right}" y2="{at:.1f}" stroke="{PALE}"/>')
        elements.append(text(left - 6, at + 4, y.label(tick), 'class="small" text-anchor="end"'))
    for tick in x.ticks:
        at, _ = place((tick, y.low))
        elements.append(f'<line x1="{at:.1f}" y1="{top}" x2="{at:.1f}" y2="{bottom}" stroke="{PALE}"/>')
        elements.append(text(at, bottom + 16, x.label(tick), 'class="small" text-anchor="middle"'))
    elements.append(text((left + right) / 2, bottom + 33, x.title, 'class="small" text-anchor="middle"'))
    middle = (top + bottom) / 2
    elements.append(text(left - 44, middle, y.title,
                         f'class="small" text-anchor="middle" transform="rotate(-90 {left - 44} {middle:.1f})"'))
    for line in lines:
        points = " ".join("{:.1f},{:.1f}".format(*place(point)) for point in line.points)
        dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
        elements.append(f'<polyline points="{points}" stroke="{line.color}" stroke-width="{line.width}"{dash}/>')
    if names:
        ends = [place(line.points[-1])[1] for line in lines]
        for line, end, at in zip(lines, ends, apart(ends, top, bottom)):
            begin = place(line.points[-1])[0]
            elements.append(f'<line x1="{begin + 2:.1f}" y1="{end:.1f}" x2="{right + 14}" y2="{at:.1f}" '
                            f'stroke="{line.color}" stroke-width="0.6"/>')
            elements.append(text(right + 17, at + 4, line.name, f'style="fill:{line.color}"'))
    return elements


def legend(left, top, lines, columns, column_width):
    elements = []
    for i, line in enumerate(lines):
        x, y = left + i % columns * column_width, top + i // columns * 18
        dash = f' stroke-dasharray="{line.dash}"' if line.dash else ""
        elements.append(f'<line x1="{x}" y1="{y - 4}" x2="{x + 26}" y2="{y - 4}" stroke="{line.color}" '
                        f'stroke-width="2"{dash}/>')
        elements.append(text(x + 32, y, line.name))
    return elements


def picture(title, width, height, elements):
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"  <title>{title}</title>",
                      f"  <style>{STYLE}</style>", f'  <rect width="{width}" height="{height}" fill="#fff"/>',
                      *("  " + element for element in elements), "</svg>", ""])
