"""The n best labellings of a chunker."""

from __future__ import annotations

import random

import pytest

from chunker_toys import train
from perceptag import SettingError
from perceptag.models.chunker.encoder import left_context
from perceptag.models.chunker.margins import search
from perceptag.models.kinds import make_ready
from perceptag.text.sentence import Sentence
from reference import chunker as reference


@pytest.mark.parametrize("context", ["best", "exact", "none"])
def test_nbest_starts_with_what_is_tagged_and_goes_down(sentences, unseen, context):
    tagger = make_ready(train(sentences[:80], epochs=2, **{"chunker.context": context}).model())
    lists = tagger.nbest(unseen, 5)
    assert [best[0][0] for best in lists] == tagger.tag(unseen)
    for best in lists:
        scores = [score for _, score in best]
        assert scores == sorted(scores, reverse=True)
        assert len({tuple(labels) for labels, _ in best}) == len(best)
    assert tagger.nbest([Sentence({"form": [], "pos": []})], 3) == [[([], 0.0)]]
    with pytest.raises(SettingError, match="n: expected"):
        tagger.nbest(unseen, 0)


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
