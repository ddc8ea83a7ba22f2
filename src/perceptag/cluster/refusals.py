"""Say which recipes need all sentences in one process, and refuse what cannot be trained on shards."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.errors import SettingError
from perceptag.features.gazetteer import FROM_TRAINING_IN_ANY_CASE
from perceptag.features.template import Template
from perceptag.features.template_checks import numbers_of
from perceptag.recipe.auto import NAME as AUTO
from perceptag.recipe.auto import number_of_shards
from perceptag.recipe.common_settings import TEXT
from perceptag.recipe.recipe import Recipe, uses

MOST = 2**31 - 1  # tokens of a shard


def why_together(recipe: Recipe) -> str:
    """Why one process must hold all sentences, whatever the data; empty if workers can share them."""
    learner, name = recipe.declaration, repr(recipe.learner)
    for is_so, why in (
        (recipe.outside is not None, "a learner of yours is not on the machines of the workers"),
        (recipe.unit == TEXT, "a tokeniser looks at all text before it learns"),
        (bool(recipe.own.get("nonlocal.functions")), "nonlocal.functions: workers know only the built-in features"),
        (
            learner.kind != "linear" and not (learner.kind == "nonlocal" and uses(recipe, "shards")),
            f"learner {name} compares candidates of whole documents or of all data",
        ),
        (learner.state is not None, f"learner {name} remembers more than weights, which cannot be mixed"),
        (bool(recipe.labels_missing), "labels.missing: which labels may be missing depends on all sentences"),
        (any(recipe.case_copies.values()), "augment: copies in other case depend on the position in all of the data"),
        (FROM_TRAINING_IN_ANY_CASE in recipe.gazetteer, "gazetteer: workers look for chunks as they are written"),
        (
            bool(recipe.spans_longest),
            "spans.longest: features of whole spans are made from all sentences; --set spans.longest=0 --set shards=8 "
            "spreads the data, and gives another model",
        ),
    ):
        if is_so:
            return why
    return ""


def refuse_settings(recipe: Recipe) -> None:
    """Refuse a recipe that cannot be trained on shards."""
    why = "auto is chosen before" if recipe.name == AUTO else why_together(recipe)
    if why:
        raise SettingError(f"not possible with data that are spread out: {why}")
    if number_of_shards(recipe) == 1 and recipe.own["shards"]:
        refuse_one_shard()


def refuse_one_shard() -> None:
    """Refuse to spread data that are one shard."""
    raise SettingError(
        "shards: expected more than one for data that are spread out, such as --set shards=8; "
        "their number belongs to the recipe, because it changes the model"
    )


def refuse_large(tokens: int) -> None:
    """Refuse a shard that has too many tokens to number them."""
    if tokens > MOST:
        raise SettingError(f"shards: expected more of them: one has {tokens} tokens, and {MOST} is the most")


def refuse_numbers(templates: Sequence[Template]) -> None:
    """Refuse templates that look at numbers."""
    for template in templates:
        if numbers_of(template):
            raise SettingError(
                f"templates: not possible with data that are spread out: {str(template)!r} looks at numbers; "
                "without --on, training has all sentences in memory"
            )
