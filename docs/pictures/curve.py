"""learning-curve.svg: what `perceptag tune --curve --plot` draws, for pages in both themes.

learning-curve.json is what this command prints, with data=src/perceptag/data:

    perceptag tune --curve --train $data/train.txt --dev $data/dev.txt --columns form,pos,chunk,ner --label pos \\
        --recipe collins-pos --runs 3 --json --quiet
"""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.scatter import DARK
from perceptag.cli.tune_curve import draw as plot
from perceptag.inspecting.learning_curve import CurvePoint, Forecast, LearningCurve

RESULTS = Path(__file__).with_name("learning-curve.json")


def draw() -> dict[str, str]:
    """The files, by their names."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    points = [CurvePoint(**{key: value for key, value in p.items() if key != "mean"}) for p in found["points"]]
    curve = LearningCurve(found["main_score"], points, Forecast(**found["forecast"]))
    return {"images/learning-curve.svg": both_themes(plot(curve)) + "\n"}


def both_themes(svg: str) -> str:
    """Return a stand-alone chart that follows the colour theme of the page, with larger text on phones."""
    start, end, rest = svg.partition(">")
    phone = "<style>@media (max-width: 480px) { text { font-size: 17px } }</style>"
    return start + end + DARK + phone + rest
