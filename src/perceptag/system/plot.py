"""Plots as SVG text: lines, bars and points with readable axes, dark on white.

It works with strings only, so that a report needs no plotting library.

>>> svg = lines([Series("dev", [(1, 90.0), (2, 91.5)])], title="Dev score", x="pass", y="F1")
>>> svg.startswith("<svg") and "dev" in svg
True
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

_WIDTH, _HEIGHT = 640, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 16, 34, 52
_INK, _GRID = "#24292f", "#d0d7de"
# Most colour-blind readers can distinguish them: Okabe and Ito's colours without black and yellow.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
_DASHES = ("", "6 3", "2 3")  # for more series than colours
# Marks of a radius of about 5 around 0, 0, so that series differ by more than their colour.
_MARKS = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z",
    "M-5 -5h10v10h-10Z",
    "M0 -6L6 5H-6Z",
    "M0 -6L6 0L0 6L-6 0Z",
    "M0 6L6 -5H-6Z",
    "M-2 -6h4v4h4v4h-4v4h-4v-4h-4v-4h4Z",
)


@dataclass(frozen=True, slots=True)
class Series:
    """A line: its name and its points. What was not measured is dashed. An interval of a point is drawn as a bar."""

    name: str
    points: Sequence[tuple[float, float]]
    dashed: bool = False
    intervals: Sequence[tuple[float, float] | None] = ()  # one for each point, or none at all


@dataclass(frozen=True, slots=True)
class _Axis:
    """Maps values to positions, and knows where its ticks are."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False
    whole: bool = False  # ticks at whole numbers only

    def place(self, value: float) -> float:
        low, high, v = (math.log(x) for x in (self.low, self.high, value)) if self.log else (self.low, self.high, value)
        return self.start + (v - low) / (high - low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        if not self.log:
            return [t for t in _ticks(self.low, self.high) if not self.whole or t == round(t)]
        return _log_ticks(self.low, self.high)

    def shown(self, tick: float) -> str:
        return _number(tick)


def lines(
    series: Sequence[Series],
    *,
    title: str,
    x: str,
    y: str,
    log_x: bool = False,
    log_y: bool = False,
    zero: bool = False,
) -> str:
    """Return a chart of lines. `zero`: the vertical axis begins at 0."""
    points = [p for s in series for p in s.points if math.isfinite(p[0]) and math.isfinite(p[1])]
    ends = [end for s in series for interval in s.intervals if interval for end in interval]
    if not points:
        return _drawing(title, [_text(_WIDTH / 2, _HEIGHT / 2, "no data", "middle")])
    across = _axis([p[0] for p in points], _LEFT, _WIDTH - _RIGHT, log_x, zero=False)
    across = replace(across, whole=all(p[0] == round(p[0]) for p in points))
    top = _TOP + 18 * math.ceil(len(series) / 3)
    up = _axis([*(p[1] for p in points), *ends], _HEIGHT - _BOTTOM, top, log_y, zero)
    parts = [*_grid(across, up, x, y)]
    for i, s in enumerate(series):
        parts += _line(s, across, up, _stroke(i, s.dashed))
        parts += _legend(i, s)
    return _drawing(title, parts)


def bars(names: Sequence[str], values: Sequence[float], *, title: str, x: str) -> str:
    """Return a chart of horizontal bars, one below the other, each with its value."""
    height = _TOP + 26 * len(names) + _BOTTOM
    left = _room(names)
    low, high = min(0.0, *values, 0.0), max(0.0, *values, 0.0)
    across = _Axis(low, high if high > low else low + 1, left, _WIDTH - 70)
    parts = [_text(_WIDTH / 2, height - 14, x, "middle")]
    for i, (name, value) in enumerate(zip(names, values, strict=True)):
        middle = _TOP + 26 * i + 13
        start, end = sorted((across.place(0), across.place(value)))
        parts.append(
            f'<rect x="{start:.1f}" y="{middle - 9:.1f}" width="{max(end - start, 1):.1f}" height="18" '
            f'fill="{_COLOURS[0] if value >= 0 else _COLOURS[1]}"/>'
        )
        parts.append(_text(left - 6 if low == 0 else 6, middle + 4, name, "end" if low == 0 else "start"))
        parts.append(_text(end + 6, middle + 4, _number(value), "start"))
    return _drawing(title, parts, height)


def dots(rows: Mapping[str, tuple[float, float]], names: tuple[str, str], *, title: str, x: str) -> str:
    """Return a chart of two marks in each row, such as a paper's figure and ours, on one axis."""
    height = _TOP + 24 + 24 * len(rows) + _BOTTOM
    left = _room(rows)
    across = _axis(
        [value for pair in rows.values() for value in pair], left, _WIDTH - _RIGHT - 12, log=False, zero=False
    )
    bottom = height - _BOTTOM
    parts = [_text((left + _WIDTH) / 2, height - 14, x, "middle")]
    for i, name in enumerate(names):
        parts += [_mark(i, left + 130 * i, _TOP + 6), _text(left + 12 + 130 * i, _TOP + 10, name, "start")]
    for tick in across.ticks():
        place = across.place(tick)
        parts.append(f'<path d="M{place:.1f} {_TOP + 18}V{bottom}" stroke="{_GRID}"/>')
        parts.append(_text(place, bottom + 18, _number(tick), "middle"))
    for i, (name, pair) in enumerate(rows.items()):
        y = _TOP + 36 + 24 * i
        parts.append(_text(left - 10, y + 4, name, "end"))
        parts += [_mark(k, across.place(value), y) for k, value in enumerate(pair)]
    return _drawing(title, parts, height)


def _room(names: Iterable[str]) -> float:
    """Return how much room names need at the left: 8 for each character of the longest one, whatever the font."""
    return min(_WIDTH * 0.55, 16 + 8 * max(map(len, names), default=0))


def _mark(i: int, x: float, y: float) -> str:
    shape, colour = _MARKS[i % len(_MARKS)], _COLOURS[i % len(_COLOURS)]
    return f'<path d="{shape}" transform="translate({x:.1f} {y:.1f})" fill="{colour}"/>'


def _axis(values: Sequence[float], start: float, end: float, log: bool, zero: bool) -> _Axis:
    low, high = min(values), max(values)
    if log:
        return _Axis(low, high if high > low else low * 10, start, end, log=True)
    low = min(0.0, low) if zero else low
    room = (high - low) * 0.05 or abs(high) * 0.05 or 1.0
    return _Axis(low if zero else low - room, high + room, start, end)


def _ticks(low: float, high: float) -> list[float]:
    """Return about five round numbers between low and high.

    >>> _ticks(0, 10)
    [0, 2, 4, 6, 8, 10]
    """
    raw = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(raw))
    step = min((power * m for m in (1, 2, 2.5, 5, 10)), key=lambda s: abs(s - raw))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    found = [round(i * step, 10) for i in range(first, last + 1)]
    return [int(t) if t == int(t) else t for t in found]


def _log_ticks(low: float, high: float) -> list[float]:
    """Return powers of ten and, over a short range, two and five times these."""
    wide = high / low > 1000
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [10.0**p * m for p in exponents for m in ((1,) if wide else (1, 2, 5))]
    return [t for t in found if low * 0.999 <= t <= high * 1.001] or [low, high]


def _grid(across: _Axis, up: _Axis, x: str, y: str) -> Iterable[str]:
    for t in up.ticks():
        place = up.place(t)
        yield f'<path d="M{across.start} {place:.1f}H{across.end}" stroke="{_GRID}"/>'
        yield _text(across.start - 8, place + 4, _number(t), "end")
    for t in across.ticks():
        place = across.place(t)
        yield f'<path d="M{place:.1f} {up.start:.1f}v5" stroke="{_INK}"/>'
        yield _text(place, up.start + 19, across.shown(t), "middle")
    yield f'<path d="M{across.start} {up.end:.1f}V{up.start:.1f}H{across.end}" stroke="{_INK}" fill="none"/>'
    yield _text((across.start + across.end) / 2, _HEIGHT - 12, x, "middle")
    middle = (up.start + up.end) / 2
    yield f'<g transform="translate(16 {middle:.1f}) rotate(-90)">{_text(0, 0, y, "middle")}</g>'


def _stroke(i: int, dashed: bool = False) -> str:
    dash = _DASHES[1] if dashed else _DASHES[(i // len(_COLOURS)) % len(_DASHES)]
    return f'stroke="{_COLOURS[i % len(_COLOURS)]}"' + (f' stroke-dasharray="{dash}"' if dash else "")


def _line(series: Series, across: _Axis, up: _Axis, stroke: str) -> Iterable[str]:
    for (a, _), interval in zip(series.points, series.intervals, strict=False):
        if interval:
            x, low, high = across.place(a), *map(up.place, interval)
            drawn = f"M{x - 4:.1f} {low:.1f}h8M{x:.1f} {low:.1f}V{high:.1f}M{x - 4:.1f} {high:.1f}h8"
            yield f'<path d="{drawn}" {stroke.partition(" stroke-dash")[0]} fill="none"/>'
    places = [(across.place(a), up.place(b)) for a, b in sorted(series.points) if math.isfinite(a) and math.isfinite(b)]
    path = "L".join(f"{a:.1f} {b:.1f}" for a, b in places)
    yield f'<path d="M{path}" {stroke} stroke-width="2" fill="none"/>'
    if len(places) <= 12:
        yield from (f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" {stroke} fill="#fff"/>' for a, b in places)


def _legend(i: int, series: Series) -> Iterable[str]:
    x, y = _LEFT + (i % 3) * 190, _TOP + 8 + 18 * (i // 3)
    yield f'<path d="M{x} {y}h22" {_stroke(i, series.dashed)} stroke-width="2"/>'
    yield _text(x + 28, y + 4, series.name, "start")


def _text(x: float, y: float, text: str, anchor: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _number(value: float) -> str:
    """Return a number as people write it.

    >>> _number(20000), _number(0.25), _number(90.0)
    ('20,000', '0.25', '90')
    """
    return f"{value:,.0f}" if value == round(value) else f"{value:,.4g}"


def _drawing(title: str, parts: Iterable[str], height: float = _HEIGHT) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:g}" role="img" '
        f'aria-label="{escape(title)}" font-family="system-ui, sans-serif" font-size="13" fill="{_INK}">'
        f'<rect width="{_WIDTH}" height="{height:g}" fill="#fff"/>'
        f'<text x="{_WIDTH / 2}" y="20" text-anchor="middle" font-size="15" font-weight="600">{escape(title)}</text>'
        + "".join(parts)
        + "</svg>"
    )
