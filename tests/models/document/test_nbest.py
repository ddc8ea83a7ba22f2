"""The n best labellings of a model with non-local features, under all its features."""

from __future__ import annotations

import numpy as np
import pytest

from document_toys import LEARNERS, corpus, document_recipe
from perceptag import Tagger
from perceptag.models.document.search import choose
from perceptag.text.documents import split_documents


def document_score(model, document, found, chosen) -> float:
    """The score of a document with these candidates: a sum over its sequences, and one of all non-local features."""
    candidates = choose(model.features, model._sequences(document), found.lists, model.weights, found.scores)
    for s, k in enumerate(chosen):
        candidates.choose(s, k)
    vector = candidates.vector()
    local = sum(float(scores[k]) for scores, k in zip(found.scores, chosen, strict=True))
    return local + float(vector @ model.weights[: len(vector)])


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("unit", ["sentence", "document"])
def test_scores_are_those_of_the_document_up_to_a_constant(learner, unit):
    tagger = Tagger(document_recipe(learner, unit=unit, nbest_tagging=6)).fit(corpus(1, 12))
    model, changed = tagger.ready_model, 0
    for document in split_documents(corpus(5, 4)):
        for scope in model._scopes(document):
            found = model.candidates(scope)
            best = model._choose(scope, found)
            for s, ranked in enumerate(model.nbest(scope, 6)):
                numbers = range(len(found.scores[s]))
                with_each = [[*best.chosen[:s], k, *best.chosen[s + 1 :]] for k in numbers]
                totals = np.sort([document_score(model, scope, found, chosen) for chosen in with_each])[::-1]
                scores = np.array([score for _, score in ranked])
                assert scores - scores[0] == pytest.approx(totals - totals[0], abs=1e-9)
                changed += not np.allclose(scores - scores[0], found.scores[s] - found.scores[s][0])
    assert changed, "the test must be able to fail: non-local features count somewhere"


def test_the_first_is_the_chosen_one_even_if_the_ascent_ends_early():
    tagger = Tagger(document_recipe("ascent"), nbest_tagging=6).fit(corpus(1, 12))
    data = corpus(5, 30)
    assert [best[0][0] for best in tagger.predict_nbest(data, 6)] == tagger.predict(data)
