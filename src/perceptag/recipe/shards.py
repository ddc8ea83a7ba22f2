"""How many shards a recipe asks for."""

from __future__ import annotations

from perceptag.errors import SettingError
from perceptag.recipe.recipe import Recipe, uses


def are_mixed(recipe: Recipe) -> bool:
    """Whether shards learn on their own and what they changed is mixed; those of a `crf` only add their gradients."""
    return number_of_shards(recipe) > 1 and uses(recipe, "mix")


def number_of_shards(recipe: Recipe) -> int:
    """The number of shards, 1 if the learner does not know them; refuse settings that do not go with several."""
    shards = int(recipe.own["shards"]) if uses(recipe, "shards") else 1
    if shards > 1:
        if recipe.weights == "voted":
            raise SettingError("shards: expected 1 with weights = 'voted': the vectors of shards cannot vote")
        if uses(recipe, "bpm") and recipe.own["bpm"]:
            raise SettingError("shards: expected 1 with bpm, whose runs see all data one after the other")
    return shards
