"""reliability.svg: how often labels of some confidence are right, before and after calibration.

The figures are in docs/measurements/calibration.json, which `benchmarks/calibration.py --json` writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from drawing import circle, line, picture, words

RESULTS = Path(__file__).parents[1] / "measurements" / "calibration.json"
_SIZE, _ACROSS, _DOWN = 140, 196, 212


def _panel(name: str, found: dict[str, Any], left: float, top: float) -> Iterator[str]:
    def place(confidence: float, right: float) -> tuple[float, float]:
        return round(left + _SIZE * confidence, 1), round(top + _SIZE * (1 - right), 1)

    yield words(left, top - 20, name, "bold")
    raw, calibrated = (found[kind]["ece"] for kind in ("raw", "calibrated"))
    yield words(left, top - 6, f"ECE {raw:.3f}, calibrated {calibrated:.3f}", "small soft")
    for share in (0.0, 0.5, 1.0):
        yield line([place(0, share), place(1, share)])
        yield words(left - 6, top + _SIZE * (1 - share) + 4, f"{100 * share:.0f}", "small soft", "end")
        yield words(left + _SIZE * share, top + _SIZE + 15, f"{100 * share:.0f}", "small soft", "middle")
    yield line([place(0, 0), place(1, 1)], "way")
    for kind, look, mark in (("raw", "other", "empty"), ("calibrated", "best", "full")):
        # A share of a handful of labels says nothing.
        points = [place(b["confidence"], b["right"]) for b in found[kind]["bins"] if b["number"] >= 20]
        yield line(points, look)
        yield from (circle(x, y, 4, mark) for x, y in points)


def draw() -> dict[str, str]:
    """The files, by their names."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    parts = [words(200, 20, "Of labels with this confidence, how many are right?", "bold", "middle")]
    parts += [line([(30, 38), (56, 38)], "other"), circle(43, 38, 4, "empty"), words(62, 42, "raw", "small")]
    parts += [line([(110, 38), (136, 38)], "best"), circle(123, 38, 4, "full"), words(142, 42, "calibrated", "small")]
    parts += [line([(226, 38), (252, 38)], "way"), words(258, 42, "as it should be", "small")]
    for i, (name, both) in enumerate(found.items()):
        parts += _panel(name, both, 36 + _ACROSS * (i % 2), 96 + _DOWN * (i // 2))
    low = 96 + _DOWN * ((len(found) + 1) // 2) - 30
    parts.append(
        words(200, low, "across: confidence, %; up: right, % (bins of 20 labels or more)", "small soft", "middle")
    )
    return {
        "images/reliability.svg": picture("Reliability of confidence before and after calibration", low + 14, parts)
    }
