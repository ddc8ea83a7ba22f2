"""The benchmark of label errors spoils what it says, and counts hits fairly."""

from __future__ import annotations

import pytest

from perceptag.inspecting.suspects import suspects
from perceptag.labels.schemes import violations
from perceptag.text import Sentence
from review_toys import names

label_errors = pytest.importorskip("benchmarks.label_errors")  # a source distribution is without it
CORPORA, hits, spoil = label_errors.CORPORA, label_errors.hits, label_errors.spoil


@pytest.mark.parametrize("corpus", CORPORA)
def test_as_many_sentences_are_spoilt_as_asked_for(corpus):
    data = names()
    if corpus == "tags":
        data = [Sentence({"form": s.tokens, "label": [str(len(w)) for w in s.tokens]}) for s in data]
    ways = CORPORA[corpus][1]
    changed, spoilt = spoil(data, ways, 20, seed=1)
    differing = [i for i, (a, b) in enumerate(zip(data, changed, strict=True)) if a != b]
    assert sorted(spoilt) == differing
    assert len(differing) == 20
    assert len({place.way for place in spoilt.values()}) == len(ways)
    assert corpus == "tags" or not any(violations(s.columns["label"], "IOB2") for s in changed)
    assert spoil(data, ways, 20, seed=1) == (changed, spoilt)


def test_a_hit_must_touch_what_was_spoilt_and_counts_once():
    changed, spoilt = spoil(names(), CORPORA["names"][1], 3, seed=1)
    found = suspects(changed, "label", limit=0).suspects
    assert sum(hits([*found, *found], spoilt).values()) == 3
    elsewhere = [s for s in found if s.sentence not in spoilt]
    assert hits(elsewhere, spoilt) == {}
