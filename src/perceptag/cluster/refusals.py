"""Refuse recipes that cannot be trained on shards, before any work begins."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.errors import SettingError
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.template import Template
from perceptag.features.template_checks import numbers_of
from perceptag.models.task import Task
from perceptag.recipe.auto import NAME as AUTO
from perceptag.recipe.auto import number_of_shards
from perceptag.recipe.common_settings import TEXT
from perceptag.recipe.recipe import Recipe
from perceptag.training.fold_choices import SMALL

MOST = 2**31 - 1  # tokens of a shard
HINT = "without --on, training has all sentences in memory"


def refuse_settings(recipe: Recipe) -> None:
    """Refuse a recipe that needs all sentences in one place."""
    learner, name = recipe.declaration, repr(recipe.learner)
    for key, is_set, why in (
        ("recipe", recipe.name == AUTO, "auto looks at all sentences; name a recipe, as in --recipe pos"),
        ("learner", recipe.outside is not None, "a learner of yours is not on the machines of the workers"),
        ("learner", learner.kind != "linear", f"{name} needs whole documents or all data at once"),
        ("learner", learner.epoch is None, f"{name} adds up gradients, which workers do not send yet"),
        ("learner", learner.state is not None, f"{name} remembers more than weights"),
        ("unit", recipe.unit == TEXT, "a tokeniser looks at all text before it learns"),
        ("labels.missing", bool(recipe.labels_missing), "which labels may be missing depends on all of the data"),
        ("augment", any(recipe.case_copies.values()), "copies in other case depend on the position in all of the data"),
        ("margins", recipe.margins > 1, "the margin is chosen in short runs; --set margins=1 makes no choice"),
    ):
        if is_set:
            raise _not_possible(key, why)
    if number_of_shards(recipe) == 1:
        raise SettingError(
            "shards: expected more than one for data that are spread out, such as --set shards=8; "
            "their number belongs to the recipe, because it changes the model"
        )


def refuse_folds(task: Task, tokens: int) -> None:
    """Refuse data without dev data that are so little that choices would be made on folds of them."""
    if task.dev is None and task.recipe.inner_folds > 1 and tokens <= SMALL:
        why = f"with {tokens} tokens and no dev data, choices are made on folds; give --dev, or --set inner_folds=0"
        raise _not_possible("inner_folds", why)


def refuse_large(tokens: int) -> None:
    """Refuse a shard that has too many tokens to number them."""
    if tokens > MOST:
        raise SettingError(f"shards: expected more of them: one has {tokens} tokens, and {MOST} is the most")


def _not_possible(key: str, why: str) -> SettingError:
    return SettingError(f"{key}: not possible with data that are spread out: {why}; {HINT}")


def refuse_templates(task: Task, templates: Sequence[Template]) -> None:
    """Refuse templates that look at a whole document, or at numbers."""
    for template in templates:
        if numbers_of(template):
            raise _not_possible("templates", f"{str(template)!r} looks at numbers")
        for field in template.fields:
            if field.column in DOCUMENT_COLUMNS and field.column not in task.columns:
                raise SettingError(
                    f"templates: {str(template)!r} looks at the whole document, which may be in several parts of the "
                    f"data; leave it out, e.g. --set without=document; {HINT}"
                )
