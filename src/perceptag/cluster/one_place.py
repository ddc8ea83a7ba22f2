"""Decide where a training takes place: on the workers of an engine, or in one process that holds all sentences.

Workers share the data if the recipe has shards that can be mixed, or whose gradients add up. Everything else needs all
sentences in one place, and so does little data: what is chosen on folds, and what has one shard. The model does not
depend on the place.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from perceptag.cluster.first_look import look
from perceptag.cluster.refusals import why_together
from perceptag.cluster.sources import Source, open_source
from perceptag.cluster.survey import Progress
from perceptag.engines.calls import Engine
from perceptag.recipe import auto
from perceptag.recipe.auto import number_of_shards, settle_shards
from perceptag.recipe.recipe import Recipe
from perceptag.system.memory import require
from perceptag.text import feature_lists
from perceptag.text.format import FormatLike, Names
from perceptag.text.sentence import Sentence
from perceptag.training import fold_choices
from perceptag.training.fit import Plan, Resolved

OF_A_BYTE = 30  # bytes of memory for each byte of a file: sentences, type ids and feature rows


@dataclass(frozen=True, slots=True)
class Place:
    """The recipe for workers; or why one process needs all sentences."""

    resolved: Resolved | None = None
    why: str = ""


def find_place(plan: Plan, source: Source, column: str, has_dev: bool, engine: Engine, progress: Progress) -> Place:
    """Find the recipe, and where it is trained. For ``auto`` the workers of the engine look at the data."""
    why = "training continues from a model" if plan.start is not None else why_together(plan.recipe)
    if why:
        return Place(why=why)
    seen = None
    if plan.recipe.name == auto.NAME:
        if feature_lists.are_in([source.first()]):
            return Place(why="auto looks at all lists of features")
        if source.tokens(auto.MUCH) < auto.MUCH:
            return Place(why=f"fewer than {auto.MUCH:,} tokens are one shard")
        seen = look(engine, source, column, plan.recipe.labels_keep, progress)
    resolved = plan.resolve_seen(seen, column)
    why = _why_here(resolved.recipe, source, has_dev)
    return Place(why=why) if why else Place(resolved)


def _why_here(recipe: Recipe, source: Source, has_dev: bool) -> str:
    """Why one process needs all sentences of some data; empty if it does not."""
    if why := why_together(recipe):
        return why
    tokens = source.tokens(max(auto.MUCH, fold_choices.SMALL))
    if number_of_shards(settle_shards(recipe, tokens)) == 1:
        if recipe.own["shards"] == 0 and tokens < auto.MUCH:
            return f"fewer than {auto.MUCH:,} tokens are one shard"
        return "the recipe has one shard; --set shards=8 spreads the data, and gives another model"
    if not has_dev and recipe.inner_folds > 1 and tokens <= fold_choices.SMALL:
        return f"with {tokens:,} tokens and no dev data, choices are made on folds"
    return ""


def gather(paths: Sequence[str], format: FormatLike, columns: Names | None) -> list[Sentence]:  # noqa: A002
    """All sentences of some files, one after the other; the first one says what the columns are called."""
    source = open_source(paths, format, columns, sys.maxsize)
    source = source.expecting(tuple(source.first().columns))
    return [sentence for number in range(len(source.parts)) for sentence in source.read(number)]


def require_memory(paths: Sequence[str], why: str) -> None:
    """Refuse data that one process cannot hold."""
    size = sum(os.path.getsize(path) for path in paths)  # noqa: PTH202
    require(OF_A_BYTE * size, f"--on: {size:,} bytes of data in one process, since {why}")
