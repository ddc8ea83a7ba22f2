"""Training: passes over the data, dev scores, the best pass, early stopping.

`Training.run` yields a report after each pass; the caller prints it, saves checkpoints, and may stop.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from perceptag._version import __version__
from perceptag.corpus.digest import describe
from perceptag.evaluation import evaluate
from perceptag.features.attributes import Attribute
from perceptag.features.user import UserFeature
from perceptag.models.kinds import make_trainer
from perceptag.models.task import Task, make_task
from perceptag.models.trainer import Trainer
from perceptag.recipe.recipe import Recipe
from perceptag.store.file import to_bytes
from perceptag.store.model import Model
from perceptag.text.sentence import Sentence


@dataclass(frozen=True, slots=True)
class PassReport:
    """What one pass did. Dev scores are F1 of spans, or accuracy if labels do not mark spans, in per cent."""

    epoch: int
    mistakes: int  # wrongly labelled sequences during the pass
    sequences: int
    dev_last: float | None  # with the current weights
    dev_kept: float | None  # with the averaged or voted weights
    is_best: bool
    seconds: float = dataclasses.field(compare=False, default=0.0)
    log_likelihood: float | None = None  # of the training data, for learners that maximise it


class Training:
    """One training run. Same data, recipe and seed: the same model, bit for bit, at any number of threads.

    `start`: an earlier model to continue from, whose features, labels and weights are kept.
    """

    def __init__(
        self,
        recipe: Recipe,
        train: Sequence[Sentence],
        dev: Sequence[Sentence] | None = None,
        *,
        threads: int = 1,
        attributes: Mapping[str, Attribute] | None = None,
        functions: Mapping[str, UserFeature] | None = None,
        choice: Mapping[str, object] | None = None,
        start: Model | None = None,
    ) -> None:
        self.task = make_task(recipe, train, dev, threads, attributes, functions, start)
        self.trainer: Trainer[Any] = make_trainer(self.task)
        self.reports: list[PassReport] = []
        self.best: Any = None  # the weights of the best pass
        self._dev_gold = _dev_gold(self.task)
        self._choice = {"auto": dict(choice)} if choice else {}  # why this recipe was chosen, if the data decided

    def run(self) -> Iterator[PassReport]:
        """Train, one pass at a time, until the recipe says to stop."""
        recipe = self.task.recipe
        best, since = self._so_far()
        while len(self.reports) < recipe.epochs and not 0 < recipe.patience <= since:
            if self.trainer.has_converged():
                break
            started = time.perf_counter()
            epoch = len(self.reports) + 1
            mistakes = self.trainer.learn_epoch(epoch)
            snapshot = self.trainer.snapshot()
            dev_kept = self._score(snapshot)
            dev_last = self._score_last(snapshot, dev_kept)
            # The first of equal scores wins; without dev data the last pass does.
            is_best = dev_kept is None or best is None or dev_kept > best
            since += 1
            if is_best:
                self.best, best, since = snapshot, dev_kept, 0
            seconds = time.perf_counter() - started
            likelihood = self.trainer.log_likelihood
            self.reports.append(
                PassReport(epoch, mistakes, len(self.task.train), dev_last, dev_kept, is_best, seconds, likelihood)
            )
            yield self.reports[-1]

    def _score_last(self, snapshot: Any, kept: float | None) -> float | None:
        """The dev score of the weights as they stand: `kept` where a snapshot is a plain copy of them."""
        recipe = self.task.recipe
        if recipe.weights == "last" and not recipe.declaration.real_steps:
            return kept
        current = self.trainer.current()
        return kept if current is snapshot else self._score(current)

    def _score(self, snapshot: Any) -> float | None:
        if self._dev_gold is None:
            return None
        return evaluate(self._dev_gold, self.trainer.tag_dev(snapshot), bootstrap=0).main_score[1]

    def _so_far(self) -> tuple[float | None, int]:
        """Return the best dev score so far, and the number of passes since then."""
        best: float | None = None
        since = 0
        for report in self.reports:
            if report.dev_kept is not None and (best is None or report.dev_kept > best):
                best = report.dev_kept
            since = 0 if report.is_best else since + 1
        return best, since

    def model(self) -> Model:
        """Return the model of the best pass so far, or of the current weights if no pass has ended yet."""
        arrays, facts = self.trainer.pack(self.best if self.best is not None else self.trainer.snapshot())
        columns = tuple(self.task.train[0].columns)
        return Model(self.task.recipe, self.task.label_set, columns, arrays, facts, self._manifest())

    def _manifest(self) -> dict[str, object]:
        # No times, paths or threads: the same run must give the same file.
        curve = [_curve_point(report) for report in self.reports]
        return {
            "perceptag": __version__,
            **self._choice,
            **self.data_facts,
            "curve": curve,
            "best_epoch": max((r.epoch for r in self.reports if r.is_best), default=0),
        }

    @cached_property
    def data_facts(self) -> dict[str, object]:
        """Sizes and digests of the training and dev data, and the digest of the model that training continues from."""
        dev, start = self.task.dev, self.task.start
        facts: dict[str, object] = {"train": describe(self.task.train), "dev": describe(dev) if dev else None}
        return facts if start is None else facts | {"from": to_bytes(start)[1]}


def _curve_point(report: PassReport) -> dict[str, object]:
    facts = dataclasses.asdict(report)
    has_likelihood = report.log_likelihood is not None
    return {k: v for k, v in facts.items() if k != "seconds" and (k != "log_likelihood" or has_likelihood)}


def _dev_gold(task: Task) -> list[list[str]] | None:
    return None if task.dev is None else [task.label_set.gold(s) for s in task.dev]
