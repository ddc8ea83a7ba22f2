"""A recipe for data that has lists of features in place of words (`perceptag.text.feature_lists`)."""

from __future__ import annotations

from perceptag.recipe.recipe import Recipe
from perceptag.text.feature_lists import COLUMN

TRANSITIONS = "bias * y-1 y0"  # what CRFsuite has as well: every feature with its label, and these


def for_lists(recipe: Recipe, has_numbers: bool) -> Recipe:
    """Return the recipe with templates that look at every feature of a token, and at nothing else."""
    templates = (f"{COLUMN}.{'valued' if has_numbers else 'each'}[0]", TRANSITIONS)
    return recipe.replace({"templates": templates, "optional": (), "gazetteer": (), "tag_dictionary": 0})


def takes_numbers(recipe: Recipe) -> bool:
    """Return whether templates of the recipe look at features that are numbers."""
    return any(f"{COLUMN}.valued[" in template for template in recipe.templates)
