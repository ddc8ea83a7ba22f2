"""The interface of trainers, and the call of a learner's loop."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from perceptag.errors import ModelError, PerceptagError, SettingError, brief
from perceptag.learn.learner import Errors
from perceptag.models.model import AnyArrays, Arrays
from perceptag.models.task import Task
from perceptag.recipe.recipe import Recipe

Snapshot = TypeVar("Snapshot")


class Trainer(ABC, Generic[Snapshot]):
    """What the training loop needs from a kind of model.

    A `Snapshot` is the weights that a trainer would put into a model after one pass.

    The constructor gets a `Task` and makes everything ready for the first pass. An earlier model to continue from,
    `task.start`, may be of any kind: the constructor takes its weights over, or refuses it with a `ModelError` or a
    `SettingError`; it never ignores it. The facts that `pack` returns name the kind of model, ``facts["kind"]``, a key
    of `perceptag.models.kinds.KINDS`: the tagger is found by it.
    """

    scores_at_once = False  # whether several threads may call `snapshot`, `tag_dev` and `pack` at the same time
    sequences_in_a_pass = 0  # where it is not the number of sentences or documents
    log_likelihood: float | None = None  # of the training data after the last pass, for learners that maximise it

    @abstractmethod
    def learn_epoch(self, epoch: int) -> int:
        """Run one pass, counted from 1; return the number of sequences labelled wrongly."""

    @abstractmethod
    def has_converged(self) -> bool:
        """Whether training should end before the last pass."""

    @abstractmethod
    def current(self) -> Snapshot:
        """The weights as they stand."""

    @abstractmethod
    def snapshot(self, weights: str) -> Snapshot:
        """The weights that would become the model after this pass: ``averaged``, ``voted`` or ``last``."""

    @abstractmethod
    def tag_dev(self, snapshot: Snapshot) -> list[list[str]]:
        """Labels of the dev sentences, as the data writes them."""

    @abstractmethod
    def pack(self, snapshot: Snapshot) -> tuple[Arrays, dict[str, Any]]:
        """Arrays and facts of a model with these weights."""

    @abstractmethod
    def state(self) -> Arrays:
        """Everything that changes in training, for a checkpoint."""

    @abstractmethod
    def restore(self, state: Arrays) -> None:
        """Continue from a checkpoint."""

    @abstractmethod
    def snapshot_arrays(self, snapshot: Snapshot) -> Arrays:
        """A snapshot as arrays, for a checkpoint."""

    @abstractmethod
    def restore_snapshot(self, arrays: AnyArrays) -> Snapshot:
        """The inverse of `snapshot_arrays`."""


def run_loop(recipe: Recipe, *given: Any, step: float = 1.0, native: bool = False) -> Errors:
    """Run one pass of the recipe's learner. Its loop gets `given`, and then its settings by name.

    `native`: run its loop in C++, if it has one.
    An error in a loop from outside perceptag is reported with the name of the learner.
    """
    learner = recipe.declaration
    assert learner.epoch is not None, learner.name  # see perceptag.models.kinds
    arguments = learner.arguments(learner.epoch, recipe.own, step)
    if recipe.outside is None:
        epoch = learner.native if native and learner.native else learner.epoch
        return epoch(*given, **arguments)
    try:
        errors: object = learner.epoch(*given, **arguments)
    except PerceptagError:
        raise
    except Exception as error:
        raise SettingError(f"learner {learner.name!r}: its loop failed: {type(error).__name__}: {error}") from error
    if not isinstance(errors, Errors):
        raise SettingError(
            f"learner {learner.name!r}: its loop: expected Errors as the result, such as this.errors after "
            f"this.count(x, guess) for every sequence, found {brief(errors)}"
        )
    return errors


def check_kind(task: Task, *kinds: str) -> None:
    """Refuse to continue from a model of another kind."""
    if task.start is not None and task.start.facts.get("kind") not in kinds:
        raise ModelError(
            f"learner {task.recipe.learner!r}: expected a model of kind {' or '.join(kinds)} to start from, found kind "
            f"{brief(task.start.facts.get('kind'))}, trained with learner {task.start.recipe.learner!r}"
        )
