"""Charts of points, side by side, with one legend, for pages in both themes: score over speed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from perceptag.system import plot

# Where a reader prefers dark pages. It is for a drawing in a file of its own: inside a page it would apply to the page.
DARK = (
    "<style>@media (prefers-color-scheme: dark) { svg { fill: #e6edf3 } [fill='#fff'] { fill: #0d1117 } "
    f"[stroke='{plot._INK}'] {{ stroke: #e6edf3 }} [stroke='{plot._GRID}'] {{ stroke: #30363d }} }}</style>"
)


@dataclass(frozen=True, slots=True)
class Panel:
    """One of several charts of points next to each other: its title, and one point for each name."""

    title: str
    points: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class PowerAxis(plot._Axis):
    """A logarithmic axis with ticks at powers of ten, written shortly."""

    def ticks(self) -> list[float]:
        first, last = math.floor(math.log10(self.low)), math.ceil(math.log10(self.high))
        return [10.0**power for power in range(first, last + 1)]

    def shown(self, tick: float) -> str:
        return _short(tick)


def scatter(panels: Sequence[Panel], *, title: str, x: str) -> str:
    """Return charts of points, side by side, with one legend; the horizontal axes are logarithmic and the same."""
    names = list(dict.fromkeys(name for panel in panels for name in panel.points))
    rates = [a for panel in panels for a, _ in panel.points.values()]
    low, high = 10.0 ** math.floor(math.log10(min(rates))), 10.0 ** math.ceil(math.log10(max(rates)))
    top = plot._TOP + 18 * math.ceil(len(names) / 3) + 30
    width = (plot._WIDTH - plot._RIGHT) // len(panels)
    parts = [plot._text(plot._WIDTH / 2, plot._HEIGHT - 12, x, "middle")]
    for i, panel in enumerate(panels):
        across = PowerAxis(low, max(high, 10 * low), i * width + 50, (i + 1) * width - 8, log=True)
        up = plot._axis([b for _, b in panel.points.values()], plot._HEIGHT - plot._BOTTOM, top, log=False, zero=False)
        parts.append(plot._text((across.start + across.end) / 2, top - 10, panel.title, "middle"))
        parts += plot._grid(across, up, "", "")
        parts += [plot._mark(names.index(n), across.place(a), up.place(b)) for n, (a, b) in panel.points.items()]
    for i, name in enumerate(names):
        left, y = 24 + (i % 3) * 206, plot._TOP + 8 + 18 * (i // 3)
        parts += [plot._mark(i, left, y), plot._text(left + 12, y + 4, name, "start")]
    return plot._drawing(title, [DARK, *parts])


def _short(power: float) -> str:
    """Return a power of ten for places with little room.

    >>> _short(100.0), _short(10000.0), _short(1e6)
    ('100', '10k', '1M')
    """
    return next((f"{power / unit:.0f}{name}" for unit, name in ((1e6, "M"), (1e3, "k")) if power >= unit), f"{power:g}")
