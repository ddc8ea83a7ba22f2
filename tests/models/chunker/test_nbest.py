"""The n best labellings of a chunker."""

from __future__ import annotations

import random

import pytest

from perceptag.models.chunker.encoder import left_context
from perceptag.models.chunker.margins import search
from reference import chunker as reference


@pytest.mark.parametrize("context", ["exact", "none"])
@pytest.mark.parametrize("seed", range(20))
def test_nbest_equals_enumeration(seed, context):
    rng = random.Random(seed)
    n_words, categories = rng.randint(1, 5), rng.randint(1, 2)
    width = 2 if context == "exact" else 0
    begin, inside = ([rng.choice([-1, 1, 1]) for _ in range(n_words)] for _ in range(2))
    table: dict[object, list[int]] = {}

    def score(s, e, left):
        return table.setdefault((s, e, tuple(left)), [rng.randint(-6, 6) for _ in range(categories)])

    every = [
        sum(score(s, e, left_context(s, y, width))[k] for s, e, k in y)
        for y in reference.all_chunkings(n_words, categories)
        if all(reference.is_candidate(s, e, begin, inside) for s, e, _ in y)
    ]
    for n in (1, 3, 1000):
        found = search(begin, inside, score, n, context, width)
        assert [value for value, _ in found] == sorted(every, reverse=True)[:n]
        assert len({phrases for _, phrases in found}) == len(found)
        for value, phrases in found:
            assert list(phrases) == sorted(phrases)
            assert value == sum(score(s, e, left_context(s, phrases, width))[k] for s, e, k in phrases)
