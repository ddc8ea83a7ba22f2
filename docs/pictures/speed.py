"""defaults.svg: score against speed, by the results of `python -m benchmarks.defaults --rivals`."""

from __future__ import annotations

import json

from benchmarks.default_rivals import RESULTS, Row, picture


def draw() -> dict[str, str]:
    """The files, by their names."""
    found = json.loads(RESULTS.read_text(encoding="utf-8"))
    return {"measurements/defaults.svg": picture([Row(**result) for result in found["results"]]) + "\n"}
