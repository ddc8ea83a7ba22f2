"""Plots are well-formed, with everything in its place."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import cache

import pytest

from benchmarks.scatter import Panel, scatter
from perceptag.system.plot import Series, bars, dots, lines

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return [e.text or "" for e in ET.fromstring(svg).iter(f"{SVG}text")]


def points(svg: str) -> list[list[tuple[float, float]]]:
    """Return the lines of a chart: paths of width 2 that are not marks of the legend."""
    paths = [e.get("d", "") for e in ET.fromstring(svg).iter(f"{SVG}path") if e.get("stroke-width") == "2"]
    return [[(float(a), float(b)) for a, b in re.findall(r"([\d.]+) ([\d.]+)", d)] for d in paths if "h22" not in d]


def test_lines_have_title_axes_legend_and_ticks():
    svg = lines(
        [Series("plain <w>", [(1, 90), (10, 92)]), Series("averaged", [(1, 91), (10, 94)])],
        title="A & B",
        x="pass",
        y="F1",
    )
    assert {"A & B", "pass", "F1", "plain <w>", "averaged", "2", "92"} <= set(texts(svg))


def test_points_are_placed_by_value():
    (line,) = points(lines([Series("a", [(2, 1.0), (1, 0.0), (3, 4.0)])], title="", x="", y=""))
    xs, ys = zip(*line, strict=True)
    assert list(xs) == sorted(xs), "points are joined from left to right"
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1], abs=0.2)
    assert (ys[0] - ys[2]) == pytest.approx(4 * (ys[0] - ys[1]), abs=0.5), "up is more"
    assert all(0 <= x <= 640 for x in xs) and all(0 <= y <= 360 for y in ys)


def test_equal_ratios_are_equal_distances_on_log_axes():
    (line,) = points(
        lines([Series("a", [(1, 10), (10, 100), (100, 1000)])], title="", x="", y="", log_x=True, log_y=True)
    )
    (x0, y0), (x1, y1), (x2, y2) = line
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)
    assert y1 - y0 == pytest.approx(y2 - y1, abs=0.2)


@pytest.mark.parametrize("values", [[(1, 5.0)], [(1, 0.0), (2, 0.0)], [(0, float("nan")), (1, 2.0)], []])
def test_charts_of_little_are_still_charts(values):
    assert ET.fromstring(lines([Series("a", values)], title="t", x="x", y="y")).tag == f"{SVG}svg"


def test_bars_are_as_long_as_their_values():
    svg = bars(["a", "b"], [1.0, 3.0], title="t", x="points")
    wide = [float(e.get("width", "0")) for e in ET.fromstring(svg).iter(f"{SVG}rect") if e.get("height") == "18"]
    assert wide[1] == pytest.approx(3 * wide[0], abs=0.3)
    assert {"a", "b", "1", "3", "points"} <= set(texts(svg))


def test_bars_below_zero_go_the_other_way():
    svg = bars(["gain", "loss"], [2.0, -1.0], title="t", x="")
    gain, loss = (e for e in ET.fromstring(svg).iter(f"{SVG}rect") if e.get("height") == "18")
    assert float(loss.get("x", "0")) + float(loss.get("width", "0")) == pytest.approx(
        float(gain.get("x", "0")), abs=0.2
    )
    assert gain.get("fill") != loss.get("fill")


TITLE = "A title that is nearly as long as the drawing is wide, and stands above all else"
SEVEN = [f"series {i}" for i in range(7)]
KINDS = ("lines", "bars", "bars below zero", "dots", "scatter")


@cache
def charts() -> dict[str, str]:
    """A chart of each kind, with many names."""
    return {
        "lines": lines(
            [Series(name, [(1, 90 + i), (9, 95.5)]) for i, name in enumerate(SEVEN)], title=TITLE, x="X", y="Y"
        ),
        "bars": bars(SEVEN, [1.0, 2, 3, 4, 5, 6, 7.5], title=TITLE, x="X"),
        "bars below zero": bars(SEVEN, [-1.0, 2, 3, 4, 5, 6, 7.5], title=TITLE, x="X"),
        "dots": dots(dict.fromkeys(SEVEN, (90.0, 95.0)), ("paper", "ours"), title=TITLE, x="X"),
        "scatter": scatter(
            [Panel(t, {name: (2e4, 94.0 + i) for i, name in enumerate(SEVEN)}) for t in "AB"], title=TITLE, x="X"
        ),
    }


@pytest.mark.parametrize("kind", KINDS)
def test_texts_are_inside_the_drawing_and_apart(kind: str) -> None:
    tree = ET.fromstring(charts()[kind])
    _, _, width, height = map(float, tree.get("viewBox", "").split())
    boxes = []
    for text in (text for text in tree.findall(f"{SVG}text") if text.text):
        x, y, size = (float(text.get(name, "13")) for name in ("x", "y", "font-size"))
        wide = size / 2 * len(text.text or "")
        left = x - wide * {"start": 0, "middle": 0.5, "end": 1}[text.get("text-anchor", "")]
        boxes.append((left, y - 0.7 * size, left + wide, y + 0.25 * size, text.text))
    assert all(0 <= a < c <= width and 0 <= b < d <= height for a, b, c, d, _ in boxes)
    pairs = [(one, other) for i, one in enumerate(boxes) for other in boxes[:i]]
    assert not [(o[4], p[4]) for o, p in pairs if o[0] < p[2] and p[0] < o[2] and o[1] < p[3] and p[1] < o[3]]
