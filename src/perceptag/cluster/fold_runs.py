"""Trainings without each fold of the data, in processes of this machine. They give what one process gives."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from perceptag.cluster.in_order import in_order, in_processes, shared
from perceptag.recipe.recipe import Recipe
from perceptag.training.fold_runs import Folds, FoldWorker, joined
from perceptag.training.jackknife import LowerLayer
from perceptag.training.margin_runs import Outcome
from perceptag.training.train import Training


class RunsInProcesses:
    """`perceptag.training.fold_runs.FoldRuns` on some workers. The calls for a fold go to the worker that has it."""

    def __init__(self, folds: Folds, workers: int) -> None:
        self._number = len(folds.pairs)
        self._crew = in_processes(partial(FoldWorker, Training), min(workers, self._number))
        self._folds = shared(self._crew, folds)

    def every(self, method: str, *given: object) -> list[Any]:
        """See `FoldRuns.every`."""
        return in_order(self._crew, method, [(self._folds, fold, *given) for fold in range(self._number)], homes=True)

    def every_short(self, recipes: Sequence[Recipe]) -> list[Outcome]:
        """All short runs at once."""
        n = self._number
        calls = [(self._folds, fold, recipe) for recipe in recipes for fold in range(n)]
        found = in_order(self._crew, "short", calls)
        return [joined(found[first : first + n]) for first in range(0, len(found), n)]

    def close(self) -> None:
        """End the processes."""
        self._crew.close()


class LayerWorker:
    """Trains the recipe of a lower layer without a fold, and labels the fold."""

    def predict(self, folds: Folds, fold: int, layer: LowerLayer, gold: str) -> list[list[str]]:
        """The labels of a fold."""
        return layer.predict_without(*folds.pairs[fold], gold, threads=1)


def predict_in_processes(workers: int, layer: LowerLayer, gold: str, folds: Folds) -> list[list[list[str]]]:
    """The labels of all folds: a `perceptag.training.jackknife.EveryFold` on some workers."""
    number = len(folds.pairs)
    crew = in_processes(LayerWorker, min(workers, number))
    try:
        data, same = shared(crew, folds), crew.share(layer)
        return in_order(crew, "predict", [(data, fold, same, gold) for fold in range(number)])
    finally:
        crew.close()
