"""The results of finished experiments, one small file each, so that nothing is run twice."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perceptag.errors import DataError
from perceptag.evaluation import Report
from perceptag.system.output_files import open_output


@dataclass(frozen=True, slots=True)
class RunScores:
    """One evaluation: F1 of spans, or accuracy, with its interval, and the types of spans."""

    kind: str  # f1 or accuracy
    score: float
    interval: tuple[float, float]
    types: dict[str, tuple[float, float, float]]  # precision, recall, F1; "overall" among them; empty for accuracy

    @classmethod
    def of(cls, report: Report, interval: tuple[float, float]) -> RunScores:
        """Take from a report what tables show."""
        kind, score = report.main_score
        types = {}
        if report.chunks and report.per_type:
            counted = {**report.per_type, "overall": report.chunks}
            types = {name: (c.precision, c.recall, c.f1) for name, c in counted.items()}
        return cls(kind, score, interval, types)

    @property
    def error(self) -> float:
        """The percentage of tokens that are wrong."""
        return 100 - self.score


@dataclass(frozen=True, slots=True)
class PassScores:
    """One pass of training: dev scores with the current weights, and with those that are kept."""

    epoch: int
    last: float
    kept: float


@dataclass(frozen=True, slots=True)
class Variant:
    """The same weights with another setting for tagging."""

    dev: RunScores
    test: RunScores | None
    predicted: list[list[str]]  # labels of the dev sentences
    predicted_test: list[list[str]] | None = None

    def on(self, part: str) -> list[list[str]] | None:
        """Return the labels of dev or test sentences."""
        return self.predicted if part == "dev" else self.predicted_test


@dataclass(frozen=True, slots=True)
class Result:
    """What an experiment found."""

    key: str
    recipe: dict[str, Any]
    dev: RunScores
    test: RunScores | None
    final: RunScores | None  # test score of the model trained on train and dev
    variants: dict[str, Variant]  # by a setting such as "nbest_tagging=400"
    curve: list[PassScores]
    best_epoch: int
    cpu_seconds: float  # of training, with the scoring of dev data after each pass
    sha256: str  # of the model file; empty: a rival has none
    predicted: list[list[str]]  # labels of the dev sentences
    predicted_test: list[list[str]] | None = None

    def on(self, part: str) -> list[list[str]] | None:
        """Return the labels of dev or test sentences."""
        return self.predicted if part == "dev" else self.predicted_test


class Results:
    """A folder of results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def get(self, key: str) -> Result | None:
        """Return the result of that name, or None."""
        path = self._path(key)
        if not path.exists():
            return None
        try:
            return _from_dict(json.loads(path.read_text(encoding="utf-8")))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DataError(
                f"expected a result of an earlier run, found another file ({error}); delete it to run again", str(path)
            ) from error

    def keys(self) -> set[str]:
        """Return the names of all results in the folder."""
        return {path.stem for path in self.folder.glob("*.json")}

    def put(self, result: Result) -> None:
        """Save a result; the file appears whole or not at all."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open_output(str(self._path(result.key))) as stream:
            stream.write(json.dumps(dataclasses.asdict(result), ensure_ascii=False).encode())

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.json"


def _from_dict(data: dict[str, Any]) -> Result:
    scores = {name: _scores(data[name]) for name in ("dev", "test", "final")}
    curve = [PassScores(**p) for p in data["curve"]]
    variants = {name: _variant(variant) for name, variant in data["variants"].items()}
    return Result(**{**data, **scores, "curve": curve, "variants": variants})


def _variant(data: dict[str, Any]) -> Variant:
    dev, test = _scores(data["dev"]), _scores(data["test"])
    assert dev is not None
    return Variant(dev, test, data["predicted"], data["predicted_test"])


def _scores(data: dict[str, Any] | None) -> RunScores | None:
    if data is None:
        return None
    types = {name: (prf[0], prf[1], prf[2]) for name, prf in data["types"].items()}
    return RunScores(data["kind"], data["score"], (data["interval"][0], data["interval"][1]), types)
