"""Training: passes over the data, dev scores, the best pass, early stopping.

`Training.run` yields a report after each pass; the caller prints it, saves checkpoints, and may stop. `Training.finish`
makes the model of the best pass.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from perceptag._version import __version__
from perceptag.arrays import whole_number
from perceptag.engines.threads_engine import is_dismissed
from perceptag.errors import SettingError
from perceptag.evaluation.comparison import standard_errors
from perceptag.evaluation.scoring import MainScore
from perceptag.features.attributes import Attribute
from perceptag.features.user_functions import UserFeature
from perceptag.models.kinds import make_ready, make_trainer
from perceptag.models.model import Model, check_weights
from perceptag.models.model_classes import KnownClasses
from perceptag.models.model_file import to_bytes
from perceptag.models.protocol import ReadyModel
from perceptag.models.task import Task, make_task
from perceptag.models.trainer import Trainer
from perceptag.recipe.auto import number_of_shards
from perceptag.recipe.recipe import Recipe, given_recipe
from perceptag.system.cores import thread_map
from perceptag.text.documents import describe, split_documents
from perceptag.text.sentence import Sentence
from perceptag.training.learned import Kept, Learned
from perceptag.training.outside import Tried, best_step, can_choose, try_scores

AVERAGED = "averaged"
Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class PassReport:
    """What one pass did. Dev scores are F1 of spans, or accuracy if labels do not mark spans, in per cent."""

    epoch: int
    mistakes: int  # wrongly labelled sequences during the pass
    sequences: int
    dev_last: float | None  # with the current weights
    dev_kept: float | None  # with the averaged or voted weights
    is_best: bool  # the best so far of the passes that dev data may choose
    seconds: float = dataclasses.field(compare=False, default=0.0)
    log_likelihood: float | None = None  # of the training data, for learners that maximise it


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of training: the model, and what was chosen for it."""

    model: Model
    epoch: int  # the pass that became the model; 0: none has ended yet
    weights: str  # averaged, last or voted
    dev: float | None  # the dev score of the model
    dev_labels: list[list[str]] | None  # what it gives to the dev sentences


class TrainingEndedError(Exception):
    """Ends a training in another thread whose result is not needed any more."""


class Training:
    """One training run. Same data, recipe and seed: the same model, bit for bit, at any number of threads.

    `start`: an earlier model to continue from, whose features, labels and weights are kept. `classes`: word classes to
    use instead of those in the file that the recipe names.
    """

    def __init__(
        self,
        recipe: str | Recipe,
        train: Sequence[Sentence],
        dev: Sequence[Sentence] | None = None,
        *,
        threads: int = 1,
        attributes: Mapping[str, Attribute] | None = None,
        functions: Mapping[str, UserFeature] | None = None,
        chosen: Mapping[str, object] | None = None,
        start: Model | None = None,
        classes: KnownClasses | None = None,
    ) -> None:
        recipe, threads = given_recipe(recipe), whole_number("threads", threads, 1)
        task = make_task(recipe, train, dev, threads, attributes, functions, start, classes)
        _check_outside_score(task)
        self._begin(task, make_trainer(task), chosen)

    def _begin(self, task: Task, trainer: Trainer[Any], chosen: Mapping[str, object] | None) -> None:
        self.task, self.trainer = task, trainer
        self.reports: list[PassReport] = []
        self.kept: dict[str, Kept] = {}  # by kind of weights
        self._dev_gold = _dev_gold(self.task)
        self._finished: Finished | None = None
        self._leaves_out_choices = False
        self._ahead = 0  # passes that `run` has not reported yet
        self._learned: Learned | None = None  # a pass that has not been scored yet
        self._is_between_passes = True
        self.keeps_up: Callable[[], bool] = bool  # whether a checkpoint is due after this pass
        self.chosen = dict(chosen or {})  # what the data decided before training, for the manifest

    @property
    def best(self) -> Any:
        """The weights of the best pass."""
        return self._best().snapshot

    def _best(self) -> Kept:
        """The best pass; of equal scores that of the first kind of weights."""
        return max(self.kept.values(), key=lambda kept: kept.dev or 0.0)

    @property
    def reported(self) -> list[PassReport]:
        """The passes that `run` has given, or that a checkpoint has restored; it has not given those that ran ahead."""
        return self.reports[: len(self.reports) - self._ahead]

    def run(self) -> Iterator[PassReport]:
        """Train, one pass at a time, until the recipe says to stop. An error comes after the reports before it."""
        error: BaseException | None = None
        while True:
            if not self._ahead and error is None:
                try:
                    self.run_ahead()
                except BaseException as found:
                    error = found
            if not self._ahead:
                break
            self._ahead -= 1
            yield self.reports[-1 - self._ahead]
        if error is not None:
            raise error

    def run_all(self, is_ended: Callable[[], bool] | None = None) -> Training:
        """Run all passes; return the training. `is_ended` is asked after each pass, as is the engine of this thread."""
        for _ in self.run():
            if is_dismissed() or (is_ended and is_ended()):
                raise TrainingEndedError
        return self

    def run_ahead(self) -> bool:
        """Run a pass that `run` will report later; return False if the recipe says to stop.

        With several threads the next pass learns while this one is scored.
        """
        now, self._learned = self._learned or self._learn(len(self.reports) + 1), None
        if now is None:
            return False
        try:
            if self._overlaps:
                now.begin_scoring(self._score_all)
                self._learned = self._learn(len(self.reports) + 2)
        finally:
            self._report(now)
        return True

    def catch_up(self) -> bool:
        """Report what has been learned; return whether the trainer is as the last report says, not within a pass."""
        now, self._learned = self._learned, None
        if now is not None:
            self._report(now)
        return self._is_between_passes

    def forget_ahead(self) -> None:
        """Forget what has been learned and not been reported: the trainer has another state now."""
        self._learned, self._ahead, self._is_between_passes = None, 0, True

    @property
    def _overlaps(self) -> bool:
        """Whether a pass may be scored while the next one learns. The weights of both kinds are copies."""
        task = self.task
        can = task.threads > 1 and self.trainer.scores_at_once and task.elsewhere is None and task.dev is not None
        return can and len(self._kinds) > 1 and not self.keeps_up()

    @property
    def _kinds(self) -> tuple[str, ...]:
        """The kinds of weights of which the best pass is kept."""
        return self.task.recipe.kinds_of_weights[: None if self.task.dev is not None else 1]

    def _learn(self, epoch: int) -> Learned | None:
        """Run a pass; None if the recipe says to stop."""
        if epoch > self.task.recipe.epochs or self.trainer.has_converged():
            return None
        started = time.perf_counter()
        self._is_between_passes = False
        mistakes = self.trainer.learn_epoch(epoch)
        snapshots = {kind: self.trainer.snapshot(kind) for kind in self._kinds}
        learned = Learned(epoch, mistakes, self.trainer.log_likelihood, snapshots, time.perf_counter() - started)
        self._is_between_passes = True  # not before: until here nothing would report what the trainer has learned
        return learned

    def _report(self, now: Learned) -> None:
        """Score a pass, keep its weights if they are the best so far, and report it."""
        started = time.perf_counter()
        is_best, (dev_kept, dev_last) = self._keep(now)
        seconds = now.seconds + time.perf_counter() - started
        self.reports.append(
            PassReport(now.epoch, now.mistakes, self._sequences, dev_last, dev_kept, is_best, seconds, now.likelihood)
        )
        self._ahead += 1

    @cached_property
    def _sequences(self) -> int:
        """How many sequences a pass learns from: documents, if a document is one sequence."""
        task = self.task
        if self.trainer.sequences_in_a_pass:
            return self.trainer.sequences_in_a_pass
        if task.recipe.unit != "document":
            return task.sentences
        return task.elsewhere.documents if task.elsewhere else len(split_documents(task.train))

    def _keep(self, now: Learned) -> tuple[bool, tuple[float | None, float | None]]:
        """Keep the weights if they are the best so far; return that, and the dev scores, also of the last weights."""
        self._finished = None
        scores: dict[str, float | None] = dict(zip(now.snapshots, now.scores(self._score_all), strict=True))
        recipe, has_dev = self.task.recipe, self._dev_gold is not None
        replaced = AVERAGED if now.epoch == first_choice(recipe, AVERAGED) else ""
        may_be_chosen = [kind for kind in scores if not has_dev or now.epoch >= first_choice(recipe, kind)]
        rivals = [self.kept[kind].dev or 0.0 for kind in may_be_chosen if kind in self.kept and kind != replaced]
        is_best = any((scores[kind] or 0.0) > max(rivals, default=-1.0) or not has_dev for kind in may_be_chosen)
        for kind, snapshot in now.snapshots.items():
            # The first of equal scores wins; without dev data the last pass does.
            earlier, score = self.kept.get(kind) if kind != replaced else None, scores[kind]
            if earlier is None or score is None or earlier.dev is None or score > earlier.dev:
                self.kept[kind] = Kept(kind, snapshot, now.epoch, score)
        first, snapshot = next(iter(now.snapshots.items()))
        if len(now.snapshots) == 1:
            scores.setdefault("last", self._score_last(snapshot, scores[first]))
        return is_best, (scores[first], scores["last"])

    def _score_all(self, snapshots: Iterable[Any]) -> list[float | None]:
        """The dev scores of some weights."""
        return self._at_once(self._score, snapshots)

    def _at_once(self, work: Callable[[Item], Result], items: Iterable[Item]) -> list[Result]:
        """Work on several kinds of weights, at the same time if the trainer can."""
        return thread_map(work, items, self.task.threads if self.trainer.scores_at_once else 1)

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
        return self._dev_score(self.trainer.tag_dev(snapshot))

    def _dev_score(self, labels: Sequence[Sequence[str]]) -> float:
        """The main score of what some weights give to the dev sentences."""
        return self._main_score.score(labels)

    @cached_property
    def _main_score(self) -> MainScore:
        return MainScore(self._dev_gold or [])

    def model(self) -> Model:
        """Return the model of the best pass so far, or of the current weights if no pass has ended yet."""
        made = self.finish().model
        return dataclasses.replace(
            made, arrays=dict(made.arrays), facts=dict(made.facts), manifest=dict(made.manifest)
        )  # the caller may change it

    def finish(self) -> Finished:
        """Make the model of the best pass so far. If the recipe asks for it, the score of O is chosen on dev data."""
        if self._finished is None:
            chooses = self.chooses_outside_score() and not self._leaves_out_choices
            self._finished = self._with_outside_score() if chooses else self._as_it_is()
        return self._finished

    def dev_labels(self) -> list[list[str]]:
        """What the best pass so far gives to the dev sentences; the score of O is not chosen."""
        labels = self._as_it_is().dev_labels
        assert labels is not None
        return labels

    def leave_out_choices(self) -> None:
        """Let `finish` keep the score of the label O as it is, for a user who cannot wait."""
        self._leaves_out_choices = True

    def _as_it_is(self) -> Finished:
        if not self.kept:
            weights = self.task.recipe.kinds_of_weights[0]
            return self._finish(Kept(weights, self.trainer.snapshot(weights), 0, None))
        return self._choose_kind(self._at_once(self._finish, self.kept.values()))

    def _finish(self, kept: Kept) -> Finished:
        model = self._pack(kept)
        if self._dev_gold is None:
            return Finished(model, kept.epoch, kept.weights, None, None)
        if not self.task.recipe.outside_score:
            return self._scored(model, kept, self.trainer.tag_dev(kept.snapshot))
        assert self.task.dev is not None
        return self._scored(model, kept, self._ready(model).tag(self.task.dev, self.task.threads))

    def _scored(self, model: Model, kept: Kept, labels: list[list[str]]) -> Finished:
        score = self._dev_score(labels)
        model.manifest["dev_score"] = score
        return Finished(model, kept.epoch, kept.weights, score, labels)

    def _choose_kind(self, found: Sequence[Finished]) -> Finished:
        """The first kind of weights, unless another one is better by more than the standard error."""
        best = found[0]
        for other in found[1:]:
            if self._dev_gold and standard_errors(self._dev_gold, best.dev_labels or [], other.dev_labels or []) > 1:
                best = other
        return best

    # --- the score of the label O ---

    def chooses_outside_score(self) -> bool:
        """Whether the score of the label O is to be chosen, and can be."""
        gold, labels = self._dev_gold, self.task.label_set
        wanted = self.task.recipe.recall > 0 and gold is not None and bool(self.kept)
        return wanted and can_choose(labels.names, labels.outer, gold or [])

    def outside_scores(self, weights: str) -> list[Tried]:
        """What some scores of the label O give on dev data, with the best pass of one kind of weights."""
        return self._try_scores(self._pack(self.kept[weights]))

    def _with_outside_score(self) -> Finished:
        """Choose the score of O for each kind of weights, and then the kind."""
        return self._choose_kind(self._at_once(self._choose_score, self.kept.values()))

    def _choose_score(self, kept: Kept) -> Finished:
        model, beta = self._pack(kept), self.task.recipe.recall
        tried = self._try_scores(model)
        best = tried[best_step([t.f(beta) for t in tried])]
        recipe = model.recipe.replace({"outside_score": best.outside_score})
        return self._scored(dataclasses.replace(_noted(model, tried), recipe=recipe), kept, best.labels)

    def _try_scores(self, model: Model) -> list[Tried]:
        assert self.task.dev is not None
        return try_scores(self._ready(model), self.task.dev, self._dev_gold or [], self.task.threads)

    def _ready(self, model: Model) -> ReadyModel:
        return make_ready(model, self.task.attributes, self.task.functions)

    # --- models ---

    def _pack(self, kept: Kept) -> Model:
        arrays, facts = self.trainer.pack(kept.snapshot)
        for name in (name for name in arrays if name.startswith("weights")):
            check_weights(arrays[name], name)  # a forged checkpoint may have led to others
        return Model(self.task.recipe, self.task.label_set, self.task.columns, arrays, facts, self._manifest(kept))

    def _manifest(self, kept: Kept) -> dict[str, object]:
        # No times, paths or threads: the same run must give the same file.
        curve = [_curve_point(report) for report in self.reports]
        weights = {"weights": kept.weights} if self.task.recipe.weights == "best" else {}
        return {
            "perceptag": __version__,
            **self.chosen,
            **self.data_facts,
            "curve": curve,
            "best_epoch": kept.epoch,
            **weights,
        }

    @cached_property
    def data_facts(self) -> dict[str, object]:
        """Sizes and digests of the training and dev data, and the digest of the model that training continues from."""
        dev, start = self.task.dev, self.task.start
        elsewhere = self.task.elsewhere
        train = elsewhere.to_dict() if elsewhere else describe(self.task.train, number_of_shards(self.task.recipe))
        facts: dict[str, object] = {"train": train, "dev": describe(dev) if dev else None}
        return facts if start is None else facts | {"from": to_bytes(start)[1]}


def first_choice(recipe: Recipe, weights: str) -> int:
    """The first pass that dev data may choose. Until then the best pass so far is kept, in case training is stopped.

    The average of few passes is often the best on little dev data by chance, and worse on other text.
    """
    return recipe.epochs // 2 + 1 if recipe.later_passes and weights == AVERAGED else 1


def training_of(task: Task, make: Callable[[Task], Trainer[Any]], chosen: Mapping[str, object]) -> Training:
    """The training of a task that is ready, by a trainer of its own."""
    _check_outside_score(task)
    training = Training.__new__(Training)
    training._begin(task, make(task), chosen)
    return training


def _check_outside_score(task: Task) -> None:
    if task.recipe.outside_score and "O" not in task.label_set.names:
        raise SettingError(f"outside_score: there is no label 'O' in column {task.label_set.column!r}")


def _noted(model: Model, tried: Sequence[Tried]) -> Model:
    """The model with all scores of O that were tried: score, precision, recall."""
    curve = [[t.outside_score, round(t.counts.precision, 4), round(t.counts.recall, 4)] for t in tried]
    return dataclasses.replace(model, manifest={**model.manifest, "outside_scores": curve})


def _curve_point(report: PassReport) -> dict[str, object]:
    facts = dataclasses.asdict(report)
    has_likelihood = report.log_likelihood is not None
    return {k: v for k, v in facts.items() if k != "seconds" and (k != "log_likelihood" or has_likelihood)}


def _dev_gold(task: Task) -> list[list[str]] | None:
    return None if task.dev is None else task.label_set.gold(task.dev)
