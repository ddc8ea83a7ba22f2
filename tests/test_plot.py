"""Charts are well-formed, show every number in its place and refuse what they cannot show."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.errors import SettingError
from perceptag.plot import HEIGHT, WIDTH, Axis, bar_chart, line_chart, log_ticks, round_numbers

SVG = "{http://www.w3.org/2000/svg}"


def chart(**settings):
    series = {"ours <fast>": [(1, 10.0), (2, 20.0), (4, 40.0)], "theirs & slow": [(1, 100.0), (4, 400.0)]}
    return ET.fromstring(line_chart(series, title="Time", x="size", y="seconds", **settings))


def texts(root):
    return [node.text for node in root.iter(f"{SVG}text")]


def test_lines_go_through_their_points():
    root = chart()
    first, second = root.iter(f"{SVG}polyline")
    places = [[tuple(map(float, p.split(","))) for p in line.get("points").split()] for line in (first, second)]
    assert [len(line) for line in places] == [3, 2]
    assert len(list(root.iter(f"{SVG}circle"))) == 5
    (x1, y1), (x2, y2), (x4, y4) = places[0]
    assert x2 - x1 == pytest.approx((x4 - x2) / 2, abs=0.2)  # equal steps on a linear axis
    assert y1 - y2 == pytest.approx((y2 - y4) / 2, abs=0.2)
    assert places[1][1][1] < y4  # larger numbers are higher up


def test_logarithmic_axes_place_factors_evenly():
    first = next(chart(x_log=True, y_log=True).iter(f"{SVG}polyline"))
    (x1, y1), (x2, y2), (x4, y4) = (tuple(map(float, p.split(","))) for p in first.get("points").split())
    assert x2 - x1 == pytest.approx(x4 - x2, abs=0.2)
    assert y1 - y2 == pytest.approx(y2 - y4, abs=0.2)


def test_text_is_escaped_and_complete():
    found = texts(chart(x_ticks=[1, 2, 4]))
    for text in ("Time", "size", "seconds", "ours <fast>", "theirs & slow", "1", "2", "4", "400"):
        assert text in found


def test_bars_are_as_long_as_their_numbers():
    root = ET.fromstring(bar_chart({"a": 10.0, "b": 5.0, "none": 0.0}, title="Speed", show=lambda v: f"{v:g} t/s"))
    widths = [float(bar.get("width")) for bar in root.iter(f"{SVG}rect") if bar.get("x")]
    assert widths[1] == pytest.approx(widths[0] / 2, abs=0.2)
    assert widths[2] == 1.0
    assert [t for t in texts(root) if "t/s" in t] == ["10 t/s", "5 t/s", "0 t/s"]


@pytest.mark.parametrize("points", [[], [(1.0, math.nan)], [(0.0, 1.0)], [(1.0, -1.0)]])
def test_what_cannot_be_shown_is_refused(points):
    with pytest.raises(SettingError, match="a chart needs"):
        line_chart({"a": points}, title="t", x="x", y="y", x_log=True, y_log=True)


def test_negative_bars_are_refused():
    with pytest.raises(SettingError, match="found -1"):
        bar_chart({"a": -1.0}, title="t")


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9))
def test_round_numbers_are_few_and_within(low, size):
    ticks = round_numbers(low, low + size)
    assert 1 <= len(ticks) <= 12
    slack = max(abs(low), size) * 1e-6
    assert all(low - slack <= tick <= low + size + slack for tick in ticks)


@given(st.floats(1e-6, 1e6), st.floats(1.5, 1e6))
def test_log_ticks_are_within(low, factor):
    assert all(low * 0.99 <= tick <= low * factor * 1.01 for tick in log_ticks(low, low * factor))


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1e6)), min_size=1, max_size=20))
def test_everything_stays_inside_the_drawing(points):
    root = ET.fromstring(line_chart({"a": points}, title="t", x="x", y="y"))
    for dot in root.iter(f"{SVG}circle"):
        assert 0 <= float(dot.get("cx")) <= WIDTH
        assert 0 <= float(dot.get("cy")) <= HEIGHT


def test_one_value_stands_in_the_middle():
    assert Axis(3, 3, 0, 10).place(3) == 5
