"""Parts of a picture: words, boxes and lines, in the colours of light and of dark pages.

A picture is at most 400 units wide, so that its words can be read on a phone, where it is about as many pixels wide.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

WIDTH = 400
_LIGHT = "--ink:#24292f;--soft:#57606a;--paper:#fff;--box:#f3f5f7;--line:#c3cad2;--best:#0072b2;--other:#c04e00"
_DARK = "--ink:#e6edf3;--soft:#9aa5b1;--paper:#0d1117;--box:#1b222b;--line:#4a5460;--best:#56b4e9;--other:#f0a35e"
_STYLE = (
    f"svg{{{_LIGHT}}}@media (prefers-color-scheme:dark){{svg{{{_DARK}}}}}"
    "text{fill:var(--ink);font:13px system-ui,sans-serif}"
    ".small{font-size:11px}.soft{fill:var(--soft)}.bold{font-weight:600}.on{fill:var(--paper)}"
    ".code{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px}"
    ".paper{fill:var(--paper)}.box{fill:var(--box);stroke:var(--line)}.full{fill:var(--best)}"
    ".done{fill:var(--best);fill-opacity:.25}"
    ".thin,.way,.best,.other{stroke:var(--line);fill:none}.way{stroke:var(--soft);stroke-width:1.5}"
    ".best{stroke:var(--best);stroke-width:3}.other{stroke:var(--other);stroke-width:2;stroke-dasharray:5 3}"
    ".empty{fill:var(--paper);stroke:var(--other);stroke-width:2}"
)


def words(x: float, y: float, said: str, look: str = "", anchor: str = "start") -> str:
    """Text on one line; y is its base."""
    return f'<text x="{x:g}" y="{y:g}" class="{look}" text-anchor="{anchor}">{escape(said)}</text>'


def box(x: float, y: float, width: float, height: float, look: str = "box") -> str:
    """A box with round corners; x and y are its upper left corner."""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4" class="{look}"/>'


def circle(x: float, y: float, radius: float, look: str) -> str:
    """A circle around x and y."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" class="{look}"/>'


def line(points: Iterable[tuple[float, float]], look: str = "thin") -> str:
    """A line through points."""
    return f'<path d="M{"L".join(f"{x:g} {y:g}" for x, y in points)}" class="{look}"/>'


def arrow(x: float, y: float, length: float) -> str:
    """An arrow that points down."""
    return line([(x, y), (x, y + length)], "way") + line(
        [(x - 4, y + length - 5), (x, y + length), (x + 4, y + length - 5)], "way"
    )


def picture(title: str, height: float, parts: Iterable[str]) -> str:
    """The text of an SVG file. The title is for those who cannot see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" width="{WIDTH}" height="{height:g}" '
        f'role="img" aria-label="{escape(title)}"><style>{_STYLE}</style>'
        f'<rect width="{WIDTH}" height="{height:g}" class="paper"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )
