"""A chunker that continues from an earlier one: its support vectors stay, and new ones join them.

Predicates, features and categories of the earlier model keep their numbers; new ones come after them. Coefficients must
be whole numbers, but those of an averaged model are not. So they are rounded to units of 1 / `STEP`, and a new support
vector counts `STEP` units.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from perceptag.errors import ModelError
from perceptag.models.chunker.encoder import ChunkEncoder
from perceptag.models.chunker.model import Functions
from perceptag.models.chunker.tagger import ChunkTagger
from perceptag.models.continuing import check_kind
from perceptag.models.task import Task

STEP = 256
_SAME = ("chunker.degree", "chunker.word_window", "chunker.phrase_window", "chunker.word", "chunker.columns")

Entries = dict[tuple[str, ...], list[int]]


def earlier_chunker(task: Task) -> ChunkTagger | None:
    """The earlier model, if it looks at the same things."""
    check_kind(task, "chunker")
    if task.start is None:
        return None
    for key in _SAME:
        expected, found = task.start.recipe.own[key], task.recipe.own[key]
        if found != expected:
            raise ModelError(f"{key}: expected {expected!r}, with which the earlier model was trained, found {found!r}")
    return ChunkTagger(task.start)


def join_categories(earlier: ChunkTagger | None, found: Sequence[str]) -> tuple[str, ...]:
    """All categories; those of the earlier model come first and keep their numbers."""
    return tuple(dict.fromkeys([*(earlier.categories if earlier else ()), *found]))


def grow(encoder: ChunkEncoder) -> ChunkEncoder:
    """An encoder with the same predicates that takes in new words. Functional words stay as they are."""
    return ChunkEncoder(encoder.form, encoder.word, encoder.further, encoder.functional, encoder.vocabularies)


def join_entries(earlier: ChunkTagger | None, found: Entries) -> Entries:
    """The phrases of both gazetteers with all their categories, in a fixed order."""
    joined = {entry: set(categories) for entry, categories in found.items()}
    for words, categories in earlier.model.facts["gazetteer"] if earlier else ():
        joined.setdefault(tuple(words), set()).update(categories)
    return {entry: sorted(joined[entry]) for entry in sorted(joined)}


def take_over(earlier: ChunkTagger, functions: Functions, columns: Sequence[int]) -> None:
    """Give new functions the earlier support vectors. `columns`: how many functions of words and of phrases."""
    for before, now, wide in zip(earlier.functions, functions, columns, strict=True):
        begin, ids, coefficients, _ = before.arrays()
        n = len(begin) - 1
        known = np.round(coefficients.reshape(-1, n) / max(1.0, before.clock) * STEP)
        wider = np.zeros((wide, n))
        wider[: len(known)] = known
        now.load(begin, ids, wider.ravel(), np.zeros(wider.size), 0.0)
