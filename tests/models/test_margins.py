"""Margins of tokens and spans equal those found by looking at all labellings, for every kind of model."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from perceptag import Sentence, Tagger, _core
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import convert, spans
from perceptag.models.chunker.margins import OUTSIDE, best_with, compare
from perceptag.models.margins import LIMIT, MarginsOfScores, list_margins, margins_of_lists
from perceptag.models.protocol import MARGINS_AT_ONCE
from reference.chunker import all_chunkings
from toys import make_recipe, random_corpus

ALL = 100_000  # more than there are labellings of a short sentence
TEMPLATES = ("form[0]", "form[-1]", "bias * y-1 y0")


def labelled(seed: int, scheme: str, sentences: int = 30) -> list[Sentence]:
    made = random_corpus(seed, sentences, labels=("O", "B-X", "I-X", "B-Y"), longest=5)
    for s in made:  # repaired labels, so that all of them are right in their scheme
        s.columns["label"] = convert(s.columns["label"], scheme, "IOB2")
    return made


def check_margins(found, lists, scheme, one_way=True):
    """Return the margins by looking at all labellings, the best first. `one_way`: a span is written in one way only."""
    for m, best in zip(found, lists, strict=True):
        (labels, top), *others = best
        assert m.labels == labels
        for t, margin in enumerate(m.tokens):
            rival = max((score for other, score in others if other[t] != labels[t]), default=-inf)
            assert margin == pytest.approx(min(LIMIT, top - rival), abs=1e-3)
        assert [span for span, _ in m.spans] == (spans(labels, scheme) if scheme != "none" else [])
        for span, margin in m.spans:
            rival = max(score for other, score in others if span not in spans(other, scheme))
            if one_way:
                assert margin == pytest.approx(top - rival, abs=1e-3)
                continue
            assert margin <= top - rival + 1e-3
            a, b = span.start, span.end
            rival = max(
                score for other, score in others if other[a:b] != labels[a:b] or span not in spans(other, scheme)
            )
            assert margin == pytest.approx(top - rival, abs=1e-3)


@pytest.mark.parametrize("scheme", ["IOB1", "IOB2", "IOBES"])
@pytest.mark.parametrize("constrain", [False, True])
def test_spans_of_linear_models(scheme, constrain):
    recipe = make_recipe(templates=TEMPLATES, epochs=2, labels_scheme=scheme, constrain=constrain)
    tagger = Tagger(recipe).fit(labelled(0, scheme))
    unseen = labelled(1, scheme, 12)
    found = tagger.ready_model.margins(unseen)
    assert sum(len(m.spans) for m in found) > 10
    check_margins(found, tagger.predict_nbest(unseen, ALL), scheme, constrain and scheme != "IOB1")


@pytest.mark.parametrize("scheme", ["IOB1", "IOB2", "IOBES"])
def test_labels_that_join_are_those_of_a_look_at_every_pair(scheme):
    names = ("O", "B", "I", "S", "XX", "XX-X", *(f"{tag}-{kind}" for tag in "BIES" for kind in "XY"))
    found = MarginsOfScores(LabelSet(names, scheme, scheme, "label"))._joins
    assert found.tolist() == [[any(s.end - s.start > 1 for s in spans([a, b], scheme)) for b in names] for a in names]


@pytest.mark.parametrize("order", ["bias * y0", "bias * y-2 y-1 y0", "form[0] * y-1 y0"])
def test_tokens_of_linear_models(order):
    tagger = Tagger(make_recipe(templates=("form[0]", order), epochs=2)).fit(random_corpus(0, 30))
    unseen = random_corpus(1, 12)
    check_margins(tagger.ready_model.margins(unseen), tagger.predict_nbest(unseen, ALL), "none")


def test_documents_as_sequences():
    """A span ends where its sentence ends, whatever the next sentence begins with."""
    recipe = make_recipe(templates=TEMPLATES, epochs=2, unit="document", learner="margin", margin=5)
    tagger = Tagger(recipe).fit(labelled(0, "IOB2"))
    first, second = labelled(1, "IOB2", 2)
    first.starts_document = True
    [best] = tagger.predict_nbest([first, second], ALL)
    found = tagger.ready_model.margins([first, second])
    top = best[0][1]
    ends = {0: len(first), len(first): len(first) + len(second)}
    for (a, b), m in zip(ends.items(), found, strict=True):
        assert m.labels == best[0][0][a:b]
        for span, margin in m.spans:
            rival = max((score for labels, score in best if span not in spans(labels[a:b], "IOB2")), default=-inf)
            assert margin == pytest.approx(top - rival, abs=1e-3)


def test_votes_are_averaged():
    """Each vector says how good the best labelling with each label at each token is; their mean decides."""
    tagger = Tagger(make_recipe(templates=TEMPLATES, epochs=3, weights="voted")).fit(random_corpus(0, 30))
    unseen = random_corpus(1, 12)
    ready = tagger.ready_model
    found = ready.margins(unseen)
    assert [m.labels for m in found] == tagger.predict(unseen)
    places = [(i, t) for i, m in enumerate(found) for t in range(len(m.labels))]
    best = []
    assert len(ready.vectors) > 1
    for vector in ready.vectors:
        lists = ready.ranked(
            unseen, ALL, vector, lambda corpus, _, vector=vector: _core.nbest_batch(vector, corpus, n=ALL)
        )
        best.append([[max(v for y, v in lists[i] if y[t] == label) for label in tagger.labels_] for i, t in places])
    for (i, t), scores in zip(places, np.mean(best, axis=0), strict=True):
        y = tagger.labels_.index(found[i].labels[t])
        assert found[i].tokens[t] == pytest.approx(scores[y] - np.delete(scores, y).max(), abs=1e-3)


def test_guided_margins_are_those_of_the_actions():
    tagger = Tagger("shen-pos", epochs=2).fit(random_corpus(0, 30))
    unseen = random_corpus(1, 12)
    for sentence, m in zip(unseen, tagger.ready_model.margins(unseen), strict=True):
        explained = tagger.explain(sentence)
        assert m.labels == list(explained.labels)
        assert m.tokens == pytest.approx([token.margin for token in explained.details], abs=1e-4)


@pytest.mark.parametrize("context", ["none", "best"])
def test_spans_of_chunkers(context):
    tagger = Tagger("carreras-ner", epochs=2, cutoff=0, chunker_context=context).fit(labelled(0, "IOB2", 60))
    unseen = labelled(1, "IOB2", 30)
    found = tagger.ready_model.margins(unseen)
    assert sum(len(m.spans) for m in found) > 20
    for m, best in zip(found, tagger.predict_nbest(unseen, ALL), strict=True):
        (labels, top), *others = best
        assert m.labels == labels
        for span, margin in m.spans:
            rival = max(score for other, score in others if span not in spans(other, "IOB2"))
            assert margin == pytest.approx(top - rival, rel=1e-6, abs=1e-6)
        for t, margin in enumerate(m.tokens):
            rivals = [score for other, score in others if other[t] != labels[t]]
            if rivals:
                assert margin == pytest.approx(top - max(rivals), rel=1e-6, abs=1e-6)
            else:
                assert margin >= 0  # by how much the filters reject


def words_by_all_pieces(best, phrases, n):
    """Margins of words from a list of all the pieces that cover each."""
    found = []
    for t in range(n):
        s, _, k = next((p for p in phrases if p[0] <= t <= p[1]), (t, t, OUTSIDE))
        covering = [(p[2] == k and (p[0] == t) == (s == t), score) for p, score in best.items() if p[0] <= t <= p[1]]
        found.append(max(v for same, v in covering if same) - max(v for same, v in covering if not same))
    return found


def test_pieces_against_enumeration():
    rng = np.random.default_rng(0)
    for n in range(1, 5):
        scores = {(s, e, k): float(rng.normal()) for s in range(n) for e in range(s, n) for k in range(2)}
        pieces = sorted({**scores, **{(t, t, OUTSIDE): 0.0 for t in range(n)}}.items())
        totals = {chunking: sum(scores[p] for p in chunking) for chunking in all_chunkings(n, 2)}
        best = best_with(pieces, n)
        for piece in scores:
            assert best[piece] == pytest.approx(max(total for c, total in totals.items() if piece in c))
        top = max(totals, key=totals.__getitem__)
        of_phrases, of_words = compare(best, top, n)
        assert of_words == words_by_all_pieces(best, top, n)
        for phrase, margin in zip(top, of_phrases, strict=True):
            assert margin == pytest.approx(totals[top] - max(v for c, v in totals.items() if phrase not in c))


NONLOCAL = {"learner": "ascent", "nonlocal_features": ["phrase", "majority"], "epochs": 3, "constrain": True}


def test_non_local_features_count():
    """One sentence a document and lists of all labellings: the margin is that of the sums of all features."""
    recipe = make_recipe(templates=TEMPLATES, **NONLOCAL, nbest_tagging=2000)
    tagger = Tagger(recipe).fit(labelled(0, "IOB2", 40))
    ready, names = tagger.ready_model, tagger.labels_
    beyond = 0.0
    for sentence in labelled(1, "IOB2", 12):
        [found] = ready.margins([sentence])
        [best] = ready.candidates([sentence]).lists
        document = ready.features.candidate_document([sentence], [[best[k] for k in range(len(best))]])
        totals = {}
        for k in range(len(best)):
            document.choose(0, k)
            values = document.document().items()
            score = sum(ready.weights[ready.features.numbers[name]] * value for name, value in values)
            beyond += abs(score)
            totals[tuple(names[y] for y in best.labels[k])] = best.scores[k] + score
        top = max(totals.values())
        assert totals[tuple(found.labels)] == pytest.approx(top)
        for t, margin in enumerate(found.tokens):
            rival = max(total for labels, total in totals.items() if labels[t] != found.labels[t])
            assert margin == pytest.approx(top - rival, abs=1e-3)
        for span, margin in found.spans:
            rival = max(total for labels, total in totals.items() if span not in spans(labels, "IOB2"))
            assert margin == pytest.approx(top - rival, abs=1e-3)
    assert beyond > 0, "the test must have such features"


@pytest.mark.parametrize("unit", ["sentence", "document"])
def test_without_non_local_weights_margins_are_local(unit):
    tagger = Tagger(make_recipe(templates=TEMPLATES, **NONLOCAL, unit=unit, nbest_tagging=3)).fit(labelled(0, "IOB2"))
    ready, unseen = tagger.ready_model, labelled(1, "IOB2", 12)
    unseen[2].starts_document = True
    ready.weights = np.zeros_like(ready.weights)
    for mine, theirs in zip(ready.margins(unseen), ready.local.margins(unseen), strict=True):
        assert (mine.labels, mine.tokens) == (theirs.labels, pytest.approx(theirs.tokens, abs=1e-3))
        assert [span for span, _ in mine.spans] == [span for span, _ in theirs.spans]
        assert [m for _, m in mine.spans] == pytest.approx([m for _, m in theirs.spans], abs=1e-3)


# -------------------------------------------------------------------------------- from n-best lists


@pytest.mark.parametrize("length", [5, 50, ALL])
@pytest.mark.parametrize("unit", ["sentence", "document"])
def test_lists_tell_the_same_as_far_as_they_go(length, unit):
    """For a model with lists only: the margin, or the range of the list if no labelling in it differs."""
    recipe = make_recipe(templates=TEMPLATES, epochs=2, constrain=True, unit=unit, learner="margin", margin=5)
    tagger = Tagger(recipe).fit(labelled(0, "IOB2"))
    unseen = labelled(1, "IOB2", 6)
    unseen[2].starts_document = True
    unseen = unseen[:4]
    ready = tagger.ready_model
    exact, lengths = ready.margins(unseen), [[len(s) for s in part] for part in ready.reader.sequences(unseen)]
    found = margins_of_lists(lengths, ready.tag(unseen), ready.nbest(unseen, length), "IOB2", length)
    assert [m.labels for m in found] == [m.labels for m in exact]
    for mine, theirs in zip(found, exact, strict=True):
        assert [span for span, _ in mine.spans] == [span for span, _ in theirs.spans]
        a = np.array([*mine.tokens, *(margin for _, margin in mine.spans)])
        b = np.array([*theirs.tokens, *(margin for _, margin in theirs.spans)])
        assert (a <= b + 1e-3).all()
        if length == ALL:
            assert a == pytest.approx(b, abs=1e-3)


@pytest.mark.parametrize("unit", ["sentence", "document"])
def test_batches_change_nothing(unit):
    recipe = make_recipe(templates=(*TEMPLATES, "doc_before[0]"), **NONLOCAL, unit=unit)
    tagger = Tagger(recipe).fit(labelled(0, "IOB2"))
    unseen = labelled(1, "IOB2", 20)
    for i in (0, 5, 9, 12):
        unseen[i].starts_document = True
    times = 2 * MARGINS_AT_ONCE // sum(map(len, unseen)) + 1
    assert tagger.ready_model.margins(unseen * times, 2) == tagger.ready_model.margins(unseen) * times


def test_lists_without_the_chosen_labels():
    """The choice of the model is not the best of its list, or not in the list."""
    best = [(["A", "B"], 5.0), (["A", "A"], 3.0)]
    assert list_margins(["A", "B"], best, "none", complete=False).tokens == [2.0, 2.0]
    assert list_margins(["A", "A"], best, "none", complete=True).tokens == [LIMIT, -2.0]
    assert list_margins(["B", "A"], best, "none", complete=False).tokens == [-2.0, -2.0]
    assert list_margins(["B", "B"], best, "none", complete=True).tokens == [-LIMIT, 2.0]
    assert list_margins([], [([], 0.0)], "none", complete=True).tokens == []
