"""Settings that features of whole spans do not go with: refused where both are asked for, else spans step aside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from perceptag.learn.learner import python_name
from perceptag.recipe.recipe import Recipe, uses

LEARNERS = ("perceptron", "margin", "ascent")
TRANSITIONS = "bias * y-1 y0"
_ASKS = ("spans_longest", "spans_templates")
_NEW_FEATURES = ("templates", "features")  # a user who sets one of them names all features


class Conflict(NamedTuple):
    """A key of a recipe, and what features of whole spans expect."""

    key: str
    expected: str


def conflict(recipe: Recipe) -> Conflict | None:
    """Return the first setting of a recipe that features of whole spans do not go with."""
    shards, orders = (recipe.own[key] if uses(recipe, key) else 1 for key in ("shards", "orders"))
    known = " or ".join(map(repr, LEARNERS))
    for is_so, key, expected in (
        (recipe.learner not in LEARNERS, "learner", f"learner = {known}, found {recipe.learner!r}"),
        (not recipe.constrain, "constrain", "constrain = true, since every labelling must have spans; found false"),
        (recipe.weights == "voted", "weights", "other weights than 'voted'"),
        (bool(recipe.labels_parts), "labels.parts", "no labels.parts"),
        (shards != 1, "shards", f"shards = 1, found {shards}"),
        (orders != 1, "orders", f"orders = 1, found {orders}"),
    ):
        if is_so:
            return Conflict(key, expected)
    return None


def with_settings(recipe: Recipe, settings: Mapping[str, object]) -> Recipe:
    """Return the recipe with the user's settings, without its own features of whole spans if these are in the way."""
    found = recipe.replace(settings)
    return found.replace({"spans.longest": 0}) if recipe.spans_longest and why_aside(found, settings) else found


def why_aside(recipe: Recipe, settings: Mapping[str, object]) -> str:
    """Return the key of the user's settings that is in the way of the features of whole spans that a recipe names.

    Empty: none is, the recipe names no such features, or the user asks for them.
    """
    given = {python_name(key): key for key in settings}
    if not recipe.spans_templates or not given.keys().isdisjoint(_ASKS):
        return ""
    in_the_way = [key for key in _NEW_FEATURES if key in given]
    if found := conflict(recipe):
        in_the_way.append(python_name(found.key))
    if recipe.labels_scheme != "IOBES":
        in_the_way.append("labels_scheme")
    if any("*" in template and " ".join(template.split()) != TRANSITIONS for template in recipe.templates):
        in_the_way.append("add")
    return next((given[name] for name in in_the_way if name in given), "")
