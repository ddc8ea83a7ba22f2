"""Small charts as SVG: lines with points, and bars. No dependency, the same bytes for the same numbers.

>>> line_chart({"time": [(1, 2.0), (2, 4.0)]}, title="Growth", x="tokens", y="seconds").startswith("<svg")
True
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from perceptag.errors import SettingError

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 640, 420
LEFT, RIGHT, BOTTOM, TOP = 76, 24, 60, 40  # margins; the legend takes more of the top, a line for each two series
LINE = 22  # height of a line of text
FONT = 15  # legible where the drawing is as narrow as a telephone
INK, GRID = "#222", "#ddd"
# Okabe and Ito (2008), told apart by colour-blind readers; their yellow, too pale for lines on white, is left out.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#222222")


@dataclass(frozen=True, slots=True)
class Axis:
    """Numbers from `low` to `high`, placed from `start` to `end` of the drawing."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def place(self, value: float) -> float:
        """Where a number stands."""
        low, high, v = (math.log10(n) if self.log else n for n in (self.low, self.high, value))
        share = (v - low) / (high - low) if high > low else 0.5
        return round(self.start + share * (self.end - self.start), 1)

    def ticks(self) -> list[float]:
        """Round numbers within the axis."""
        return log_ticks(self.low, self.high) if self.log else round_numbers(self.low, self.high)


def round_numbers(low: float, high: float, about: int = 5) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten, some five of them.

    >>> round_numbers(0, 9.3)
    [0.0, 2.0, 4.0, 6.0, 8.0]
    """
    if high <= low:
        return [low]
    rough = (high - low) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= rough * 0.999)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten, with 2 and 5 times them where there would be few.

    >>> log_ticks(8, 1200)
    [10.0, 100.0, 1000.0]
    """
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for factors in ((1,), (1, 2, 5)):
        found = [f * 10.0**p for p in powers for f in factors if low * 0.999 <= f * 10.0**p <= high * 1.001]
        if len(found) > 2:
            return found
    return found or [low, high]


def short(value: float) -> str:
    """A number for an axis.

    >>> [short(v) for v in (0, 0.25, 40, 1500, 2000000)]
    ['0', '0.25', '40', '1.5k', '2M']
    """
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if abs(value) >= size:
            return f"{value / size:.3g}{letter}"
    return f"{value:.3g}"


def line_chart(
    series: Mapping[str, Points],
    *,
    title: str,
    x: str,
    y: str,
    x_log: bool = False,
    y_log: bool = False,
    x_ticks: Sequence[float] | None = None,
) -> str:
    """Lines through points, one for each named series. A linear y axis begins at zero."""
    points = [p for line in series.values() for p in line]
    _check(series, points, x_log, y_log)
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    top = TOP + LINE * ((1 + len(series)) // 2) + 20
    across = Axis(min(xs), max(xs), LEFT, WIDTH - RIGHT, x_log)
    up = Axis(min(ys) if y_log else min(0.0, *ys), max(ys), HEIGHT - BOTTOM, top, y_log)
    parts = [_text(WIDTH / 2, 26, title, anchor="middle", size=FONT + 2, bold=True)]
    parts += _grid(across, up, x_ticks)
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x, anchor="middle"))
    parts.append(_text(LEFT, top - 8, y))
    for number, (name, line) in enumerate(series.items()):
        colour = COLOURS[number % len(COLOURS)]
        parts += _legend(number, name, colour)
        where = [(across.place(a), up.place(b)) for a, b in sorted(line)]
        path = " ".join(f"{a:g},{b:g}" for a, b in where)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts += [f'<circle cx="{a:g}" cy="{b:g}" r="4" fill="{colour}"/>' for a, b in where]
    return _svg(parts, HEIGHT, title)


def bar_chart(bars: Mapping[str, float], *, title: str, show: Callable[[float], str] = short) -> str:
    """Horizontal bars, a line each: the name above, the number behind the bar."""
    _check({title: [(0, v) for v in bars.values()]}, [(0, v) for v in bars.values()], False, False)
    if min(bars.values()) < 0:
        raise SettingError(f"{title}: bars show numbers from 0, found {min(bars.values())}")
    pitch = 2 * LINE + 8
    longest = max(len(show(v)) for v in bars.values()) * FONT * 0.65
    along = Axis(0.0, max(bars.values()) or 1.0, 16, WIDTH - 24 - longest)
    parts = [_text(16, 26, title, size=FONT + 2, bold=True)]
    for number, (name, value) in enumerate(bars.items()):
        y = TOP + 16 + number * pitch
        parts.append(_text(16, y, name))
        width = max(1.0, along.place(value) - 16)
        parts.append(f'<rect x="16" y="{y + 6}" width="{width:g}" height="{LINE - 4}" fill="{COLOURS[number == 0]}"/>')
        parts.append(_text(16 + width + 6, y + 20, show(value)))
    return _svg(parts, TOP + 8 + len(bars) * pitch, title)


def _check(series: Mapping[str, Points], points: Points, x_log: bool, y_log: bool) -> None:
    if not points or not all(series.values()):
        raise SettingError(f"a chart needs points: {', '.join(n for n, p in series.items() if not p) or 'no series'}")
    bad = [p for p in points if not all(map(math.isfinite, p)) or (x_log and p[0] <= 0) or (y_log and p[1] <= 0)]
    if bad:
        raise SettingError(f"a chart needs finite numbers, above 0 on a logarithmic axis; found {bad[0]}")


def _grid(across: Axis, up: Axis, x_ticks: Sequence[float] | None) -> list[str]:
    parts = []
    for value in up.ticks():
        y = up.place(value)
        parts.append(f'<path d="M{across.start:g} {y:g}H{across.end:g}" stroke="{GRID}"/>')
        parts.append(_text(across.start - 8, y + 5, short(value), anchor="end"))
    for value in x_ticks if x_ticks is not None else across.ticks():
        x = across.place(value)
        parts.append(f'<path d="M{x:g} {up.start:g}v5" stroke="{INK}"/>')
        parts.append(_text(x, up.start + 22, short(value), anchor="middle"))
    parts.append(f'<path d="M{across.start:g} {up.start:g}H{across.end:g}" stroke="{INK}"/>')
    return parts


def _legend(number: int, name: str, colour: str) -> list[str]:
    x = LEFT + (WIDTH - LEFT - RIGHT) / 2 * (number % 2)
    y = TOP + LINE * (number // 2) + 2
    return [f'<rect x="{x:g}" y="{y - 5:g}" width="18" height="6" fill="{colour}"/>', _text(x + 24, y + 4, name)]


def _text(x: float, y: float, text: str, *, anchor: str = "start", size: int = FONT, bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    attributes = f'font-size="{size}" text-anchor="{anchor}" fill="{INK}"{weight}'
    return f'<text x="{x:g}" y="{y:g}" {attributes}>{escape(text)}</text>'


def _svg(parts: Sequence[str], height: float, title: str) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
        f'font-family="system-ui, sans-serif" role="img" aria-label="{escape(title)}">'
    )
    return "\n".join([head, '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>"]) + "\n"
