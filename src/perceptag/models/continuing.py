"""Check that training can continue from an earlier model."""

from __future__ import annotations

from perceptag.errors import ModelError, brief
from perceptag.models.task import Task


def check_kind(task: Task, *kinds: str) -> None:
    """Refuse to continue from a model of another kind."""
    if task.start is not None and task.start.facts.get("kind") not in kinds:
        raise ModelError(
            f"learner {task.recipe.learner!r}: expected a model of kind {' or '.join(kinds)} to start from, found kind "
            f"{brief(task.start.facts.get('kind'))}, trained with learner {task.start.recipe.learner!r}"
        )
