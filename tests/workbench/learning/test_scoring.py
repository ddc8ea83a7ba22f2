"""Sentences without labels under a model, and what a new model changes."""

from __future__ import annotations

import pytest

from loop_toys import examples, sentence, text
from perceptag.models.kinds import make_ready
from perceptag.workbench.learning.pool_scoring import score_pool, score_slices
from perceptag.workbench.learning.recipes import loop_recipe
from perceptag.workbench.learning.training import sentences_of, train_model

RECIPE = loop_recipe("spans")


@pytest.fixture(scope="module")
def ready():
    return make_ready(train_model(sentences_of(examples(30), RECIPE), RECIPE))


def test_the_weakest_token_counts(ready):
    sentences = [text(i).sentence() for i in range(40, 50)]
    found = score_pool(ready, range(40, 50), sentences)
    assert [s.id for s in found] == list(range(40, 50))
    assert [s.labels for s in found] == ready.tag(sentences) == [sentence(i)[1] for i in range(40, 50)]
    assert [s.margin for s in found] == [min(m.tokens) for m in ready.margins(sentences)]
    assert all(s.confidence is None for s in found)


def test_slices_give_the_same(ready):
    ids = list(range(40, 50))
    sentences = [text(i).sentence() for i in ids]
    parts = list(score_slices(ready, ids, sentences, size=3))
    assert [len(part) for part in parts] == [3, 3, 3, 1]
    assert [s for part in parts for s in part] == score_pool(ready, ids, sentences)
