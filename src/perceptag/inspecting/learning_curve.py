"""Learning curve: scores of models trained on a tenth, a fifth … of the data, and a forecast for twice the data.

Each run draws documents, or sentences where documents are not marked, in a random order of its own. A size is the
first part of that order, so the data of a size contains that of all smaller ones. The dev data stays the same.

The forecast is an extrapolation: the power law (`perceptag.evaluation.power_law`) that fits the last four sizes, from
all the data on. Intervals, those of the points and that of the forecast, are of the 95 % bootstrap over dev sentences;
that of the forecast has a fit for each draw. They know nothing of other reasons to be wrong: other text, other
annotators, a curve that bends.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from perceptag.arrays import Floats, Longs
from perceptag.errors import DataError, SettingError
from perceptag.evaluation.comparison import count_rows
from perceptag.evaluation.power_law import gain_of_scores
from perceptag.evaluation.scoring import Score, bootstrap_interval
from perceptag.inspecting.splitting import units_of, usual_unit
from perceptag.models.task import find_labels
from perceptag.recipe.recipe import Recipe
from perceptag.system.plural import plural
from perceptag.text.sentence import Sentence
from perceptag.trials.runs import run_on

FITTED = 4  # of the last sizes
LEAST_FITTED = 3  # sizes, for a forecast
SAMPLES = 1000  # of the bootstrap


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """The scores of the runs at one size."""

    share: float  # of the training data
    sentences: int  # mean over runs
    scores: tuple[float, ...]  # of each run, in per cent
    interval: tuple[float, float] | None = None  # 95 %, of the mean of the runs, over dev sentences

    @property
    def mean(self) -> float:
        """The mean score."""
        return sum(self.scores) / len(self.scores)


@dataclass(frozen=True, slots=True)
class Forecast:
    """The score that is expected with more data, with its 95 % interval. It was not measured."""

    sentences: int
    score: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LearningCurve:
    """The measured points, from the smallest size up, and the forecast if there are enough of them."""

    main_score: str
    points: list[CurvePoint]
    forecast: Forecast | None

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        points = [asdict(point) | {"mean": point.mean, "scores": list(point.scores)} for point in self.points]
        forecast = asdict(self.forecast) if self.forecast else None
        return {"main_score": self.main_score, "points": points, "forecast": forecast}


@dataclass(frozen=True, slots=True)
class CurvePlan:
    """Which parts of the data are learned from, how often, and how."""

    shares: Sequence[float]
    runs: int = 3
    seed: int = 0
    jobs: int = 1
    allow_code: bool = False


def learning_curve(
    recipe: Recipe,
    train: Sequence[Sentence],
    dev: Sequence[Sentence],
    plan: CurvePlan,
    note: Callable[[str], None] | None = None,
) -> LearningCurve:
    """Train on parts of the data and score the dev data."""
    shares = sorted(set(plan.shares))
    data = [sample(train, share, f"{plan.seed} {run}") for share in shares for run in range(plan.runs)]
    seeded = [recipe.replace({"seed": recipe.seed + run}) for run in range(plan.runs)]
    work = {number: (seeded[number % plan.runs], (some, dev)) for number, some in enumerate(data)}
    labels: dict[int, list[list[str]]] = {}
    for number, trial in run_on(work, plan.jobs, allow_code=plan.allow_code):
        what = f"{plural(len(data[number]), 'sentence')}, run {number % plan.runs + 1}"
        if trial.error:
            raise SettingError(f"{what}: {trial.error}")
        if note:
            note(f"{what}: {trial.score:.2f}")
        labels[number] = trial.labels
    label_set = find_labels(recipe, [s for s in train if len(s)])
    gold = label_set.gold(s for s in dev if len(s))
    counted = [count_rows(gold, labels[number]) for number in range(len(data))]
    rows, score = [row for row, _ in counted], counted[0][1]
    points = []
    for k, share in enumerate(shares):
        mine = slice(k * plan.runs, (k + 1) * plan.runs)
        sentences = round(sum(map(len, data[mine])) / plan.runs)
        scores = tuple(float(score(row.sum(axis=0))) for row in rows[mine])
        points.append(CurvePoint(share, sentences, scores, _interval(rows[mine], score)))
    name = "accuracy" if rows[0].shape[1] == 2 else "f1"
    return LearningCurve(name, points, forecast(points, rows, score, len(train)))


def sample(sentences: Sequence[Sentence], share: float, seed: str) -> list[Sentence]:
    """Return a random part of the sentences, in their order. Documents stay whole if they are marked."""
    units = units_of(sentences, usual_unit(sentences))
    random.Random(seed).shuffle(units)
    wanted = max(1, round(share * len(sentences)))
    chosen: list[int] = []
    for unit in units:
        if len(chosen) >= wanted:
            break
        chosen += unit
    found = [sentences[number] for number in sorted(chosen)]
    if not any(map(len, found)):
        raise DataError(f"a share of {share:g} of the training data: expected a sentence with tokens, found none")
    return found


def forecast(points: Sequence[CurvePoint], rows: Sequence[Longs], score: Score, now: int) -> Forecast | None:
    """Extrapolate to twice the data; `rows` are the counts of each dev sentence, for each size and run."""
    if len({point.sentences for point in points}) < LEAST_FITTED or points[-1].share < 1:
        return None
    fitted = points[-FITTED:]
    sizes = np.array([point.sentences for point in fitted], np.float64)
    runs = len(fitted[0].scores)
    joined = np.hstack(list(rows[-len(fitted) * runs :]))

    def expected(totals: Longs) -> Floats:
        scores = _mean_scores(totals, score, len(fitted), runs)
        found: Floats = np.minimum(scores[..., -1] + gain_of_scores(sizes, scores, now, 2 * now), 100.0)
        return found

    low, high = bootstrap_interval(joined, expected, SAMPLES, seed=0)
    return Forecast(2 * now, float(expected(joined.sum(axis=0))), low, high)


def _interval(rows: Sequence[Longs], score: Score) -> tuple[float, float]:
    """Return the 95 % interval of the mean score of the runs at one size, of which `rows` has the counts."""
    joined = np.hstack(list(rows))
    return bootstrap_interval(joined, lambda totals: _mean_scores(totals, score, 1, len(rows))[..., 0], SAMPLES, seed=0)


def _mean_scores(totals: Longs, score: Score, sizes: int, runs: int) -> Floats:
    """Return the mean score at each size; the last axis of `totals` has the counts of all runs of the first size, …."""
    cells = [score(counts) for counts in np.split(totals, sizes * runs, axis=-1)]
    found: Floats = np.stack(cells, axis=-1).reshape(*totals.shape[:-1], sizes, runs).mean(axis=-1)
    return found
