"""Choose the recipe of models that look for label errors: quick to train, with good margins.

First order, averaged weights, words and their spelling, and no choices that need folds of their own.
"""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.errors import SettingError
from perceptag.recipe.recipe import TEXT, Recipe, load
from perceptag.text.sentence import Sentence
from perceptag.training.fit import make_plan

# Margins of passive-aggressive learning rank errors better than those of the plain perceptron, at the same cost.
_OF_SPANS = ("basic-ner", {"learner": "pa", "epochs": 10})
_OF_TAGS = ("pos", {"learner": "pa", "epochs": 5, "support": "gold"})
_QUICK = {"weights": "averaged", "recall": 0.0, "inner_folds": 0, "shuffle": True}


def quick_recipe(of_spans: bool) -> Recipe:
    """Return the recipe for labels that mark spans, or for labels of single tokens."""
    name, own = _OF_SPANS if of_spans else _OF_TAGS
    return load(name).replace({**own, **_QUICK})


def chosen_recipe(name: str, sentences: Sequence[Sentence], column: str, of_spans: bool) -> Recipe:
    """Return the recipe that the user names, for labels in this column; without a name, the quick one."""
    fixed = {"labels.column": column, "inner_folds": 0} | ({} if of_spans else {"labels.scheme": "none"})
    if not name:
        return quick_recipe(of_spans).replace(fixed)
    wanted = load(name)
    if wanted.unit == TEXT:
        raise SettingError(f"--recipe: expected a recipe for labels of tokens, found {name!r}, which is for tokenisers")
    return make_plan(wanted, fixed).resolve(sentences).recipe
