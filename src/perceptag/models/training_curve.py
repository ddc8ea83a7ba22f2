"""The passes of a training as a curve, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perceptag.system.plot import Series, lines


def training_curve(reports: Sequence[Mapping[str, Any]], score: str, kept: str = "kept") -> str:
    """Return the dev scores of the passes as SVG, or without dev data the share that was wrong.

    `score` and `kept` name the score and the weights that the model keeps. One pass is not a curve: nothing is drawn.
    """
    if len(reports) < 2:
        return ""
    if all(isinstance(report.get("dev_kept"), float) for report in reports):
        series = [_series(reports, kept, "dev_kept"), _series(reports, "last", "dev_last")]
        drawn = lines(series, title=f"Training: dev {score}", x="pass", y=f"dev {score}, %")
    else:
        wrong = [(report["epoch"], 100 * report["mistakes"] / (report["sequences"] or 1)) for report in reports]
        title = "Training: wrong in training data"
        drawn = lines([Series("wrong", wrong)], title=title, x="pass", y="wrong, %", zero=True)
    return f'<div style="max-width:40em">{drawn}</div>'


def _series(reports: Sequence[Mapping[str, Any]], name: str, key: str) -> Series:
    return Series(f"{name} weights", [(report["epoch"], report[key]) for report in reports])
