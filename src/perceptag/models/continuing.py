"""Training that continues from an earlier model: which kinds of model fit."""

from __future__ import annotations

from perceptag.errors import ModelError, brief
from perceptag.models.task import Task


def check_kind(task: Task, *kinds: str) -> None:
    """Refuse to go on from a model of another kind."""
    if task.start is not None and task.start.facts.get("kind") not in kinds:
        raise ModelError(
            f"learner {task.recipe.learner!r} goes on from models of kind {' or '.join(kinds)}; found one of kind "
            f"{brief(task.start.facts.get('kind'))}, trained with learner {task.start.recipe.learner!r}"
        )
