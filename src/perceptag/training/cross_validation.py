"""Cross-validation: trainings without each fold of the sentences, on the workers of an engine.

    with FoldRuns(folds, engine, make_worker) as runs:
        runs.every("method", ...)                        one result for each fold, in their order
    cross_val_predict(fit_predict, folds, engine)        one result for each sentence

The engine does not change a result: the method of a worker is a pure function of its arguments, and what a worker keeps
only saves time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import TracebackType
from typing import Any, Generic, TypeVar

from perceptag.engines.calls import Engine, in_order, shared
from perceptag.evaluation.splitters import GroupFolds, documents_of
from perceptag.text.sentence import Sentence

Sentences = Sequence[Sentence]
Pair = tuple[Sentences, Sentences]  # training and held-out data
Progress = Callable[[int, int], object]  # how many folds are done, and of how many; may raise to stop
Result = TypeVar("Result")


@dataclass(frozen=True)
class Folds:
    """Sentences and the number of folds that they are split into, without dividing documents where that is possible."""

    sentences: Sentences
    k: int

    @cached_property
    def positions(self) -> list[tuple[list[int], list[int]]]:
        """The positions of the training part and of the held-out part of each fold."""
        return list(GroupFolds(self.k).split(self.sentences, documents_of(self.sentences)))

    @cached_property
    def pairs(self) -> list[Pair]:
        """The sentences of both parts of each fold."""
        every = self.sentences
        return [([every[i] for i in train], [every[i] for i in test]) for train, test in self.positions]

    def in_order(self, found: Sequence[Sequence[Result]]) -> list[Result]:
        """The results for the held-out sentences of each fold, in the order of all sentences."""
        by_position = {
            i: one
            for (_, test), some in zip(self.positions, found, strict=True)
            for i, one in zip(test, some, strict=True)
        }
        return [by_position[i] for i in range(len(self.sentences))]

    def __reduce__(self) -> tuple[type[Folds], tuple[Sentences, int]]:
        """Let another process split the sentences itself."""
        return Folds, (self.sentences, self.k)


class FoldRuns:
    """Workers for the folds of some sentences. The calls of a fold go to the worker that has trained without it."""

    def __init__(self, folds: Folds, engine: Engine, make: Callable[[], object]) -> None:
        """`make` makes a worker, whose methods take the folds and the number of a fold first."""
        self._number = len(folds.pairs)
        self._crew = engine.crew(make)
        self._folds = shared(self._crew, folds)

    def every(self, method: str, *given: object, progress: Progress | None = None) -> list[Any]:
        """The results of a method for all folds."""
        return self.every_of(method, [given], progress)[0]

    def every_of(
        self, method: str, many: Sequence[tuple[object, ...]], progress: Progress | None = None
    ) -> list[list[Any]]:
        """The results for several lists of arguments, each for all folds; all calls may run at the same time."""
        calls = [(self._folds, fold, *given) for given in many for fold in range(self._number)]
        found = in_order(self._crew, method, calls, homes=len(many) == 1, progress=progress)
        return [found[i : i + self._number] for i in range(0, len(found), self._number)]

    def __enter__(self) -> FoldRuns:
        return self

    def __exit__(self, *raised: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._crew.close()


class _PairWorker(Generic[Result]):
    """Calls a function with the training and the held-out sentences of a fold."""

    def __init__(self, fit_predict: Callable[[Sentences, Sentences], Result]) -> None:
        self._fit_predict = fit_predict

    def run(self, folds: Folds, fold: int) -> Result:
        return self._fit_predict(*folds.pairs[fold])


def cross_validate(
    fit_predict: Callable[[Sentences, Sentences], Result],
    folds: Folds,
    engine: Engine,
    progress: Progress | None = None,
) -> list[Result]:
    """The results of a function for the training and the held-out sentences of each fold."""
    with FoldRuns(folds, engine, partial(_PairWorker, fit_predict)) as runs:
        return runs.every("run", progress=progress)


def cross_val_predict(
    fit_predict: Callable[[Sentences, Sentences], Sequence[Result]], folds: Folds, engine: Engine
) -> list[Result]:
    """The results for all sentences, each by a training without its fold. The function returns a list for a fold."""
    return folds.in_order(cross_validate(fit_predict, folds, engine))
