"""Probabilities of labels and spans, against sums over all labellings."""

from __future__ import annotations

import dataclasses
from itertools import combinations

import numpy as np
import pytest

from perceptag import Sentence, Tagger
from perceptag.errors import SettingError
from perceptag.labels.pairs import chunk_pairs
from perceptag.labels.schemes import Span, spans
from perceptag.models.linear.marginals import join_pairs, span_masks
from toys import make_recipe, random_corpus

LABELS = {
    "IOB2": ("B-X", "I-X", "B-Y", "O"),
    "IOB1": ("I-X", "B-X", "I-Y", "O"),
    "IOBES": ("B-X", "I-X", "E-X", "S-X", "O"),
}
FIRST = ("form[0]", "pos[-1]", "bias * y-1 y0")
SETTINGS = {
    "IOB2": {},
    "no transitions": {"templates": ("form[0]", "pos[-1]")},
    "second order": {"templates": (*FIRST, "bias * y-2 y-1 y0")},
    "observed edges": {"templates": ("form[0]", "pos[0] * y-1 y0")},
    "constrained": {"constrain": True, "labels.repair": True},
    "IOBES inside": {"labels.scheme": "IOBES", "constrain": True},
    "IOBES inside, any order": {"labels.scheme": "IOBES"},
    "IOB1 outside": {"data": "IOB1"},
    "IOB1 inside": {"data": "IOB1", "labels.scheme": "IOB1"},
    "IOBES": {"data": "IOBES"},
    "tag dictionary": {"tag_dictionary": 2},
    "documents": {"unit": "document"},
    "documents, IOBES inside": {"unit": "document", "labels.scheme": "IOBES"},
}
cases = pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)


def make_tagger(settings, **more):
    settings = dict(settings)
    labels = LABELS[settings.pop("data", "IOB2")]
    train = in_documents(random_corpus(1, 24, labels=labels, longest=3))
    recipe = make_recipe(**{"learner": "crf", "weights": "last", "epochs": 15, "templates": FIRST, **settings, **more})
    tagger = Tagger(recipe).fit(train)
    new = random_corpus(2, 6, labels=labels, longest=3)
    return tagger, in_documents([Sentence({c: s.columns[c] for c in ("form", "pos")}) for s in new])


def in_documents(sentences):
    """Two sentences a document."""
    return [dataclasses.replace(s, starts_document=i % 2 == 0) for i, s in enumerate(sentences)]


def all_labellings(tagger, sentences, temperature=1.0):
    """For every sentence, pairs of a labelling and its probability; a sentence of a document sums over the others."""
    sequences = tagger.ready_model.reader.sequences(sentences)
    for sequence, ranked in zip(sequences, tagger.predict_nbest(sentences, 1_000_000 // 16), strict=True):
        scores = np.array([score for _, score in ranked]) / temperature
        p = np.exp(scores - scores.max())
        p /= p.sum()
        start = 0
        for sentence in sequence:
            part = slice(start, start := start + len(sentence))
            yield [(labels[part], q) for (labels, _), q in zip(ranked, p.tolist(), strict=True)]


@cases
def test_marginals_of_tokens_are_sums_over_labellings(settings):
    tagger, sentences = make_tagger(settings)
    found = tagger.predict_marginals(sentences)
    for sentence, labellings, tokens in zip(sentences, all_labellings(tagger, sentences), found, strict=True):
        assert len(tokens) == len(sentence)
        for t, token in enumerate(tokens):
            assert sum(token.values()) == pytest.approx(1)
            for label, p in token.items():
                assert p == pytest.approx(sum(q for y, q in labellings if y[t] == label), abs=1e-6)


@cases
def test_marginals_of_spans_are_sums_over_labellings(settings):
    tagger, sentences = make_tagger(settings)
    scheme = tagger.model_.label_set.outer
    wanted = [
        [Span(a, b, kind) for a, b in combinations(range(len(s) + 1), 2) for kind in ("X", "Y", "Z")] for s in sentences
    ]
    found = tagger.predict_span_marginals(sentences, wanted)
    assert [[span for span, _ in some] for some in found] == wanted
    assert any(p > 0.3 for some in found for _, p in some)
    for labellings, some in zip(all_labellings(tagger, sentences), found, strict=True):
        read = [(set(spans(y, scheme)), q) for y, q in labellings]
        for span, p in some:
            assert p == pytest.approx(sum(q for there, q in read if span in there), abs=1e-6), span


def test_spans_of_the_best_labelling_are_the_default():
    tagger, sentences = make_tagger({})
    found = tagger.predict_span_marginals(sentences)
    assert [[span for span, _ in some] for some in found] == tagger.predict_spans(sentences)
    assert any(found)


def test_any_linear_model_has_a_distribution_at_a_temperature():
    tagger, sentences = make_tagger({}, learner="perceptron", weights="averaged", epochs=3)
    for temperature in (0.01, 1.0, 50.0):  # at 0.01 scores differ by hundreds
        probabilities = tagger.ready_model.probabilities(temperature)
        found = probabilities.of_tokens(sentences, threads=2)
        wanted = [[Span(0, 1, "X")] for _ in sentences]
        of_spans = probabilities.of_spans(sentences, wanted)
        everything = all_labellings(tagger, sentences, temperature)
        for labellings, tokens, some in zip(everything, found, of_spans, strict=True):
            for t, token in enumerate(tokens):
                for label, p in token.items():
                    assert p == pytest.approx(sum(q for y, q in labellings if y[t] == label), abs=1e-6)
            assert some[0] == pytest.approx(sum(q for y, q in labellings if wanted[0][0] in spans(y)), abs=1e-6)


def test_where_the_tag_dictionary_leaves_nothing_it_is_ignored():
    """As in tagging: 'b' may only be I-X, which cannot begin a sentence."""
    train = [Sentence({"form": ["a", "b"], "pos": ["A", "B"], "label": ["B-X", "I-X"]})] * 3
    recipe = make_recipe(learner="crf", weights="last", epochs=5, templates=FIRST, tag_dictionary=1, constrain=True)
    tagger = Tagger(recipe).fit(train)
    [[token]] = tagger.predict_marginals([Sentence({"form": ["b"], "pos": ["B"]})])
    assert token == {"B-X": 1.0, "I-X": 0.0}


def test_empty_input():
    tagger, _ = make_tagger({})
    nothing = Sentence({"form": [], "pos": []})
    assert tagger.predict_marginals([]) == tagger.predict_span_marginals([]) == []
    assert tagger.predict_marginals([nothing]) == tagger.predict_span_marginals([nothing]) == [[]]


def test_what_has_no_probabilities_says_so():
    perceptron, sentences = make_tagger({}, learner="perceptron", weights="averaged")
    for call in (perceptron.predict_marginals, perceptron.predict_span_marginals):
        with pytest.raises(SettingError, match=r"marginals.*: not offered by a model of learner 'perceptron'"):
            call(sentences)
    voted, _ = make_tagger({}, learner="perceptron", weights="voted")
    with pytest.raises(SettingError, match="vote"):
        voted.ready_model.probabilities()
    crf, _ = make_tagger({})
    with pytest.raises(SettingError, match="temperature"):
        crf.ready_model.probabilities(0.0)
    with pytest.raises(SettingError, match="a span within sentence 0"):
        crf.predict_span_marginals(sentences[:1], [[Span(0, 99, "X")]])
    with pytest.raises(SettingError, match="a list for each of"):
        crf.predict_span_marginals(sentences, [])
    inside, _ = make_tagger({"data": "IOBES", "labels.scheme": "IOB2"})
    with pytest.raises(SettingError, match="IOB2 inside gives no probabilities of IOBES"):
        inside.predict_marginals(sentences)
    tags, _ = make_tagger({"labels.scheme": "none"})
    with pytest.raises(SettingError, match="not spans"):
        tags.predict_span_marginals(sentences, [[] for _ in sentences])


ODD = ("O", "O-X", "B", "I", "S", "XX", *(f"{tag}-{kind}" for tag in ("B", "I", "E", "S", "XX") for kind in ("X", "Y")))


@pytest.mark.parametrize("scheme", LABELS)
def test_masks_say_what_a_look_at_every_pair_says(scheme):
    """Labels that are none of the scheme included."""
    L = len(ODD)
    for kind in ("X", "Y", "", "Z"):
        begins, first, inside, after = span_masks(ODD, chunk_pairs(ODD, scheme), kind)
        for y, label in enumerate(ODD):
            alone = Span(0, 1, kind) in spans([label], scheme)
            assert [begins[L, y], inside[L, y], after[L, y]] == [alone, 0, 1]
            assert (first[:, y] == alone).all()
            for u, before in enumerate(ODD):
                found = spans([before, label], scheme)
                joined = any(span.end - span.start == 2 for span in found)
                expected = [Span(1, 2, kind) in found, Span(0, 2, kind) in found, not joined]
                assert [begins[u, y], inside[u, y], after[u, y]] == expected, (before, label, kind)


@pytest.mark.parametrize(("tokens", "L", "names"), [(0, 3, 2), (7, 3, 2), (20, 17, 11)])
def test_sums_of_pairs_are_those_of_every_name(tokens, L, names):
    rng = np.random.default_rng(tokens)
    rows, table = rng.random((tokens, (L + 1) * L)), rng.integers(0, names, (L + 1, L)).astype(np.int32)
    table[table == 1] = 0  # a name without pairs
    found = join_pairs(rows.copy(), table, np.array([0, 0, 2 * (tokens > 0), tokens], np.int32), names)
    both = rows.reshape(tokens, L + 1, L)
    for t in {0, 2} & set(range(tokens)):  # where sentences begin
        both[t, L] = both[t].sum(axis=0)
        both[t, :L] = 0
    expected = [[both[t, table == name].sum() for name in range(names)] for t in range(tokens)]
    assert found == pytest.approx(np.array(expected).reshape(tokens, names), rel=1e-12)
