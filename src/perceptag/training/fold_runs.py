"""Trainings without each fold of the data, one after the other or elsewhere at the same time.

The calls of a `FoldWorker` are pure functions of their arguments. What it keeps only saves time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from perceptag.evaluation.chunks import Counts
from perceptag.recipe.recipe import Recipe
from perceptag.text.documents import split_documents
from perceptag.text.sentence import Sentence
from perceptag.training.margin_runs import Make, Outcome, Pair, run_short
from perceptag.training.train import PassReport, Training


def folds_of(train: Sequence[Sentence], k: int) -> Iterator[tuple[list[Sentence], list[Sentence]]]:
    """Yield k pairs of training and held-out sentences: every k-th document, or blocks if documents are too few."""
    documents = split_documents(train)
    if len(documents) < k:
        size = math.ceil(len(train) / k)
        documents = [list(train[i : i + size]) for i in range(0, len(train), size)]
    for fold in range(min(k, len(documents))):
        held_out = [s for i, d in enumerate(documents) if i % k == fold for s in d]
        yield [s for i, d in enumerate(documents) if i % k != fold for s in d], held_out


@dataclass(frozen=True)
class Folds:
    """Training data and the number of folds that it is cut into."""

    train: Sequence[Sentence]
    k: int

    @cached_property
    def pairs(self) -> list[Pair]:
        """Training and held-out data of each fold."""
        return list(folds_of(self.train, self.k))

    def __reduce__(self) -> tuple[type[Folds], tuple[Sequence[Sentence], int]]:
        """Another process makes the pairs itself."""
        return Folds, (self.train, self.k)


class Step(NamedTuple):
    """One score of O, and what it gives on a fold."""

    outside_score: float
    counts: Counts


class FoldWorker:
    """Trains without a fold, and says what that gives on the fold."""

    def __init__(self, make: Make) -> None:
        self._make = make
        self._whole: dict[int, Training] = {}  # by fold

    def short(self, folds: Folds, fold: int, recipe: Recipe) -> Outcome:
        """The outcome of a short run."""
        return run_short(recipe, [folds.pairs[fold]], self._make)

    def reports(self, folds: Folds, fold: int, recipe: Recipe) -> list[PassReport]:
        """The reports of all passes."""
        training = self._whole[fold] = self._make(recipe, *folds.pairs[fold])
        for _ in training.run():
            pass
        return training.reports

    def curve(self, folds: Folds, fold: int, recipe: Recipe, weights: str) -> list[Step]:
        """What some scores of O give with the best pass of one kind of weights; nothing if there is no choice."""
        if fold not in self._whole:
            self.reports(folds, fold, recipe)
        training = self._whole[fold]
        tried = training.outside_scores(weights) if training.chooses_outside_score() else []
        return [Step(t.outside_score, t.counts) for t in tried]


class FoldRuns(Protocol):
    """Who asks a `FoldWorker`, or several of them."""

    def every(self, method: str, *given: object) -> list[Any]:
        """The results of a method for all folds, in their order; it gets `given` after the fold."""

    def every_short(self, recipes: Sequence[Recipe]) -> list[Outcome]:
        """The outcomes of short runs on all folds."""

    def close(self) -> None:
        """End what still runs."""


class RunsHere:
    """`FoldRuns` of this process, one after the other."""

    def __init__(self, folds: Folds, make: Make) -> None:
        self._folds, self._worker = folds, FoldWorker(make)

    def every(self, method: str, *given: object) -> list[Any]:
        """See `FoldRuns.every`."""
        call = getattr(self._worker, method)
        return [call(self._folds, fold, *given) for fold in range(len(self._folds.pairs))]

    def every_short(self, recipes: Sequence[Recipe]) -> list[Outcome]:
        """See `FoldRuns.every_short`."""
        return [joined(self.every("short", recipe)) for recipe in recipes]

    def close(self) -> None:
        """Nothing runs."""


def joined(outcomes: Sequence[Outcome]) -> Outcome:
    """The outcome on all folds."""
    return Outcome([rows for one in outcomes for rows in one.rows], outcomes[-1].measure)
