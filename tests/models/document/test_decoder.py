"""Documents labelled natively, mostly without n-best lists, against the search through all lists."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from document_toys import NAMES, corpus, document_recipe
from perceptag import Sentence, Tagger
from perceptag._core import LONGEST_PHRASE
from perceptag.arrays import Floats
from perceptag.features.document_columns import read_documents
from perceptag.models.document.features import FAMILIES
from perceptag.models.document.search import DocumentDecoder
from perceptag.models.document.tagger import NonLocalTagger
from perceptag.training.outside import on_grid

WORDS = [*NAMES, "Ann", "saw", "in", "and", ",", "or", "Ωmega"]
SENTENCE = st.tuples(st.lists(st.sampled_from(WORDS), max_size=6), st.booleans())
DOCUMENTS = st.lists(SENTENCE, max_size=7).map(
    lambda rows: [Sentence({"form": words}, starts_document=starts) for words, starts in rows]
)
SCHEMES: dict[str, dict[str, Any]] = {
    "IOBES": {"labels_scheme": "IOBES", "constrain": True, "labels_repair": True},
    "IOB2": {"labels_scheme": "IOB2", "constrain": True},
    "free": {"labels_scheme": "IOB2", "constrain": False},
    "IOBES, free": {"labels_scheme": "IOBES", "constrain": False},
    "edges": {"templates": ["form[0]", "form[-1] * y-1 y0", "bias * y-1 y0"]},
    "second order": {"templates": ["form[0]", "bias * y-1 y0", "bias * y-2 y-1 y0"]},
    "no edges": {"templates": ["form[0]", "lower[1]"]},
    "documents": {"unit": "document"},
}


def trained(settings_: dict[str, Any]) -> NonLocalTagger:
    recipe = document_recipe(
        "ascent", **{"nonlocal_features": list(FAMILIES), "nonlocal_view": "sentence", "epochs": 1, **settings_}
    )
    ready = Tagger(recipe).fit(corpus(3)).ready_model
    assert isinstance(ready, NonLocalTagger)
    return ready


READY = {name: trained(found) for name, found in SCHEMES.items()}


def with_weights(ready: NonLocalTagger, weights: Floats, n: int) -> NonLocalTagger:
    """Return the same model with other non-local weights and lists of another length."""
    ready.weights = weights
    recipe = ready.model.recipe.replace({"nbest_tagging": n})
    ready.model = replace(ready.model, recipe=recipe)
    ready.decoder = DocumentDecoder(ready.local.decoder, ready.features, weights, n)
    return ready


def by_lists(ready: NonLocalTagger, sentences: list[Sentence]) -> list[int]:
    return [y for document in ready._scopes(sentences) for y in ready._flat_ids(document, 1)]


@pytest.mark.parametrize("name", SCHEMES)
@given(
    sentences=DOCUMENTS,
    seed=st.integers(0, 1000),
    size=st.sampled_from([0.0, 1.0, 4.0, 0.1]),
    n=st.sampled_from([1, 2, 5, 30]),
    outside=st.sampled_from([0.0, 1.0, -0.5, on_grid(0.3)]),  # as training chooses it: ties stay ties
)
@settings(deadline=None, max_examples=40)
def test_labels_are_those_of_the_search_through_all_lists(name, sentences, seed, size, n, outside):
    rng = np.random.default_rng(seed)
    ready = READY[name]
    weights = size * rng.integers(-3, 4, ready.features.built_in).astype(np.float64)
    weights[rng.random(len(weights)) < 0.5] = 0
    ready = with_weights(ready, weights, n)
    ready.set_outside_score(outside)
    assert ready._is_native
    assert ready.label_ids(sentences).tolist() == by_lists(ready, sentences)


REPEATED = st.lists(
    st.tuples(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), st.integers(1, 12), st.booleans()),
    min_size=1,
    max_size=4,
).map(lambda rows: [Sentence({"form": words * n}, starts_document=starts) for words, n, starts in rows])


@pytest.mark.parametrize("name", SCHEMES)
@given(
    sentences=REPEATED,
    seed=st.integers(0, 1000),
    n=st.sampled_from([2, 10]),
    longest=st.sampled_from([1, 2, LONGEST_PHRASE]),
)
@settings(deadline=None, max_examples=30)
def test_labels_of_repeated_words_are_those_of_the_search_through_all_lists(name, sentences, seed, n, longest):
    rng = np.random.default_rng(seed)
    ready = READY[name]
    ready.features.longest = longest
    try:
        ready = with_weights(ready, rng.integers(-3, 4, ready.features.built_in).astype(np.float64), n)
        ready.set_outside_score(0.0)
        assert ready.label_ids(sentences).tolist() == by_lists(ready, sentences)
    finally:
        ready.features.longest = LONGEST_PHRASE


def test_lists_are_made_only_where_they_may_matter():
    ready = with_weights(READY["IOBES"], np.zeros(READY["IOBES"].features.built_in), 30)
    ready.set_outside_score(0.0)
    sentences = corpus(5)
    data, encoder = ready.reader.read(sentences), ready.local.encoder
    documents = read_documents(sentences)
    found = encoder.look_up(data.columns, documents)

    def lists() -> int:
        native, joining = ready.decoder._decoder_of(found.types)
        tokens = found.tables, found.ids, data.units, np.zeros(0, np.int32), found.words
        return native.tag(None, *tokens, documents.documents, joining)[1]

    assert lists() == 0  # non-local features say nothing
    with_weights(ready, np.full(ready.features.built_in, 100.0), 30)
    assert lists() > 0
    with_weights(ready, np.full(ready.features.built_in, 0.1), 30)
    assert lists() == len(sentences)  # sums may round, so nothing is certain


def test_many_threads_give_the_same_labels():
    ready = with_weights(READY["IOBES"], np.ones(READY["IOBES"].features.built_in), 10)
    sentences = [*corpus(5, documents=20), Sentence({"form": []}), Sentence({"form": ["Ann"]}, starts_document=True)]
    expected = by_lists(ready, sentences)
    assert ready.label_ids(sentences, threads=3).tolist() == expected
    found: list[list[int]] = []
    work = [threading.Thread(target=lambda: found.append(ready.label_ids(sentences).tolist())) for _ in range(4)]
    for one in work:
        one.start()
    for one in work:
        one.join()
    assert found == [expected] * 4
