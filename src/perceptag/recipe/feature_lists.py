"""A recipe for data that has lists of features in place of words (`perceptag.text.feature_lists`)."""

from __future__ import annotations

from perceptag.recipe.recipe import Recipe
from perceptag.text.feature_lists import COLUMN

TEMPLATES = (f"{COLUMN}.each[0]", "bias * y-1 y0")  # what CRFsuite has: every feature with its label, and transitions


def for_lists(recipe: Recipe) -> Recipe:
    """Return the recipe with templates that look at every feature of a token, and at nothing else."""
    return recipe.replace({"templates": TEMPLATES, "optional": (), "gazetteer": (), "tag_dictionary": 0})
