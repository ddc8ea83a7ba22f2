"""The number of shards of a recipe."""

from __future__ import annotations

from perceptag.errors import SettingError
from perceptag.recipe.recipe import Recipe, uses

MUCH = 50_000  # tokens from which shards pay and cost no accuracy: docs/measurements/performance.md
FOR_MUCH = 8


def settle_shards(recipe: Recipe, tokens: int) -> Recipe:
    """Return the recipe with a number of shards, if it leaves that to the size of the data (0).

    The number of threads has no part in it, so the model does not depend on the machine.
    """
    if recipe.own["shards"]:
        return recipe
    several = recipe.replace({"shards": FOR_MUCH if tokens >= MUCH and uses(recipe, "mix") else 1})
    return several if _refusal(several) is None else recipe.replace({"shards": 1})


def are_mixed(recipe: Recipe) -> bool:
    """Return whether the weights of shards are mixed; shards of a `crf` only add their gradients."""
    return number_of_shards(recipe) > 1 and uses(recipe, "mix")


def number_of_shards(recipe: Recipe) -> int:
    """Return the number of shards, 1 if the learner does not know them; refuse settings that do not go with several."""
    if refusal := _refusal(recipe):
        raise SettingError(refusal)
    return max(1, int(recipe.own["shards"])) if uses(recipe, "shards") else 1


def _refusal(recipe: Recipe) -> str | None:
    """Why the recipe cannot have several shards, if it asks for them."""
    if not uses(recipe, "shards") or recipe.own["shards"] < 2:
        return None
    if recipe.weights == "voted":
        return "shards: expected 1 with weights = 'voted': the vectors of shards cannot vote"
    if uses(recipe, "bpm") and recipe.own["bpm"]:
        return "shards: expected 1 with bpm, whose runs see all data one after the other"
    return None
