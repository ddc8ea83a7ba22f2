"""Why one process needs all sentences of some data."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from perceptag.cluster.one_place import _why_here
from perceptag.recipe.auto import MUCH
from perceptag.recipe.recipe import load


@pytest.mark.parametrize(
    ("tokens", "why"),
    [(MUCH - 1, f"fewer than {MUCH:,} tokens are one shard"), (MUCH, "the recipe has one shard; ")],
)
def test_little_data_is_one_shard_and_so_is_a_recipe_that_knows_no_others(tokens: int, why: str) -> None:
    source: Any = SimpleNamespace(tokens=lambda most: min(most, tokens))
    recipe = load("collins-pos").replace({"weights": "voted", "shards": 0})
    assert _why_here(recipe, source, has_dev=True).startswith(why)
