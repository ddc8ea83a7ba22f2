"""Rules about spans in the search of every kind of model: what they leave is what trying all labellings leaves."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import DataError, Sentence, Tagger
from perceptag._core import Labels
from perceptag.errors import NotOfferedError
from perceptag.rules.spans import RuleSpan
from reference import constrained
from rule_toys import LEARNERS, LINEAR, SCHEMES, WORDS, chunker, chunker_input, random_chunks, trained
from toys import make_recipe


def score_of(tagger: Tagger, words: list[str]) -> Callable[[tuple[int, ...]], float]:
    """The score of a labelling: of what the scheme forbids, minus infinity."""
    ready = tagger.ready_model
    data = ready.reader.read([Sentence({"form": words})])
    x = ready.encoder.encode(data.columns, data.units)[0]
    return lambda labels: ready.score_of(x, Labels(np.array(labels, np.int32)))


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[str], list[RuleSpan]]:
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
    rules = []
    for number in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(words) - 1))
        end = draw(st.integers(start + 1, len(words)))
        say = draw(st.sampled_from(["force", "forbid", "forbid", "suggest", "suggest", "suggest", "feature"]))
        weight = draw(st.integers(-6, 12)) if say == "suggest" else 0
        rules.append(RuleSpan(start, end, draw(st.sampled_from("XY")), say, float(weight), f"rule {number}"))
    return words, rules


def expected(tagger: Tagger, words: list[str], rules: list[RuleSpan]) -> dict[tuple[int, ...], float]:
    labels = tagger.model_.label_set
    score = score_of(tagger, words)
    return constrained.all_labellings(labels.names, [len(words)], [rules], labels.inner, score)


def allowed_by_dictionary(tagger: Tagger, words: list[str], scores: dict[tuple[int, ...], float]):
    """Labellings that the tag dictionary leaves; all if it leaves none."""
    closed = tagger.ready_model.encoder.closed
    if closed is None:
        return scores
    entries = closed.find([words]).tolist()
    kept = {
        y: s
        for y, s in scores.items()
        if all(e < 0 or label in closed.entries[e] for e, label in zip(entries, y, strict=True))
    }
    return kept or scores


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("learner", LEARNERS)
@settings(max_examples=8, deadline=None)
@given(case=cases())
def test_search_is_exact(learner: str, scheme: str, case: tuple[list[str], list[RuleSpan]]) -> None:
    tagger, (words, rules) = trained(learner, scheme), case
    ready, labels = tagger.ready_model, tagger.model_.label_set
    try:
        [sentence] = tagger.with_rules([words], [rules])
    except DataError as error:
        assert "but rule" in str(error)
        assert not expected(tagger, words, rules)
        return
    scores = allowed_by_dictionary(tagger, words, expected(tagger, words, rules))
    if not scores:
        with pytest.raises(DataError, match="no labelling that satisfies"):
            ready.tag([sentence])
        return
    ids = tuple(ready.label_ids([sentence]).tolist())
    best = max(scores.values())
    assert scores[ids] == pytest.approx(best, abs=1e-3)
    data = ready.reader.read([sentence])
    corpus, L = ready.encoder.encode(data.columns, data.units), len(labels.names)
    [found] = ready.lists(corpus, data, 50)
    assert found.scores.tolist() == pytest.approx(sorted(scores.values(), reverse=True)[:50], abs=1e-3)
    listed = [tuple(y) for y in found.labels.tolist()]
    assert len({*listed}) == len(listed)
    assert [scores[y] for y in listed] == pytest.approx(found.scores.tolist(), abs=1e-3)
    margins = ready.max_marginals(ready.vectors[0], corpus, data).reshape(-1, L)
    assert margins.tolist() == pytest.approx(np.array(constrained.max_marginals(scores, len(words), L)), abs=1e-3)
    of_labels = ready.probabilities(4.0).of_labels(data)
    assert of_labels == pytest.approx(np.array(constrained.marginals(scores, len(words), L, 0.25)), abs=1e-4)


# --- other kinds of models: compared with the list of all their labellings ---

NONLOCAL = {
    "nonlocal.features": ["phrase", "majority"],
    "nbest": 5,
    "nbest_tagging": 700,
    "margin": 5,
    "support": "all",
}
RERANK = NONLOCAL | {"folds": 2, "first_epochs": 2, "first_margin": 5}
KINDS = {
    "maxent": {"learner": "maxent", "maxent.beam": 0, "weights": "last", "constrain": True},
    "maxent of second order": {"learner": "maxent", "maxent.beam": 0, "weights": "last"}
    | {"templates": (*LINEAR, "bias * y-2 y-1 y0")},
    "candidate": {"learner": "candidate", **NONLOCAL},
    "ascent": {"learner": "ascent", **NONLOCAL},
    "rerank-1": {"learner": "rerank-1", **RERANK},
    "rerank-2": {"learner": "rerank-2", **RERANK},
}
EVERY = 10_000


@cache
def trained_kind(kind: str) -> Tagger:
    own = {"templates": LINEAR, "epochs": 2} | KINDS[kind]
    return Tagger(make_recipe(**own)).fit(random_chunks(2, "IOB2"))


def ranked(tagger: Tagger, sentence: object) -> dict[tuple[str, ...], float]:
    [found] = tagger.ready_model.nbest(tagger._sentences([sentence]), EVERY)
    return {tuple(labels): score for labels, score in found}


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=8, deadline=None)
@given(case=cases())
def test_other_kinds_rank_the_labellings_that_rules_leave(kind: str, case: tuple[list[str], list[RuleSpan]]) -> None:
    tagger, (words, rules) = trained_kind(kind), case
    scores = {y: s + constrained.bonus(y, rules, "IOB2") for y, s in ranked(tagger, words).items()}
    left = {y: s for y, s in scores.items() if s > float("-inf")}
    try:
        [sentence] = tagger.with_rules([words], [rules])
    except DataError:
        assert not left
        return
    if not left:
        with pytest.raises(DataError, match="no labelling that satisfies"):
            tagger.predict([sentence])
        return
    found = ranked(tagger, sentence)
    assert {*found} == {*left}
    assert list(found.values()) == pytest.approx([left[y] for y in found], abs=1e-3)
    [best] = tagger.predict([sentence])
    assert left[tuple(best)] == pytest.approx(max(left.values()), abs=1e-3)
    [margins] = tagger.ready_model.margins([sentence])
    assert margins.labels == best
    assert tagger.explain(sentence).labels == tuple(best)


@settings(max_examples=8, deadline=None)
@given(case=cases())
def test_maxent_marginals_are_those_of_the_labellings_that_rules_leave(case: tuple[list[str], list[RuleSpan]]) -> None:
    tagger, (words, rules) = trained_kind("maxent of second order"), case
    names = tagger.labels_
    scores = {tuple(names.index(y) for y in labels): s for labels, s in ranked(tagger, words).items()}
    left = {y: s + constrained.bonus([names[i] for i in y], rules, "IOB2") for y, s in scores.items()}
    left = {y: s for y, s in left.items() if s > float("-inf")}
    if not left:
        return
    [found] = tagger.predict_marginals(tagger.with_rules([words], [rules]))
    expected_rows = constrained.marginals(left, len(words), len(names))
    for row, wanted in zip(found, expected_rows, strict=True):
        assert [row[name] for name in names] == pytest.approx(wanted, abs=1e-4)


def test_an_empty_batch_and_sentences_without_rules() -> None:
    tagger = trained("perceptron", "IOB2")
    words = [["a", "b"], [], ["c", "d", "a"]]
    assert tagger.predict(words, rules=[[], [], []]) == tagger.predict(words)
    force = RuleSpan(1, 3, "Y", "force", 0.0, "y")
    found = tagger.predict(words, rules=[[], [], [force]])
    assert found[:2] == tagger.predict(words)[:2]
    assert found[2][1:] == ["B-Y", "I-Y"]


@pytest.mark.parametrize("context", ["none", "exact"])
@settings(max_examples=12, deadline=None)
@given(case=cases())
def test_the_chunker_keeps_to_rules(context: str, case: tuple[list[str], list[RuleSpan]]) -> None:
    tagger, (words, rules) = chunker(context), case
    try:
        [sentence] = tagger.with_rules([chunker_input(words)], [rules])
    except DataError:
        return
    found = ranked(tagger, sentence)
    assert all(constrained.bonus(y, rules, "IOB2") > float("-inf") for y in found)
    [best] = tagger.predict([sentence])
    assert found[tuple(best)] == max(found.values())
    [margins] = tagger.ready_model.margins([sentence])
    assert margins.labels == best
    assert tagger.explain(sentence).labels == tuple(best)
    if any(rule.say == "force" for rule in rules):
        return  # the list without rules need not have phrases that the filters of words leave out
    scores = {y: s + constrained.bonus(y, rules, "IOB2") for y, s in ranked(tagger, chunker_input(words)).items()}
    left = {y: s for y, s in scores.items() if s > float("-inf")}
    assert found == pytest.approx(left, abs=1e-6)


@settings(max_examples=8, deadline=None)
@given(case=cases())
def test_vectors_that_vote_keep_to_rules(case: tuple[list[str], list[RuleSpan]]) -> None:
    words, rules = case
    try:
        [labels] = voting().predict([words], rules=[rules])
    except DataError:
        return
    assert constrained.bonus(labels, rules, "IOB2") > float("-inf")


@cache
def voting() -> Tagger:
    own = {"templates": LINEAR, "epochs": 2, "learner": "perceptron", "weights": "voted"}
    return Tagger(make_recipe(**own)).fit(random_chunks(4, "IOB2"))


@pytest.mark.parametrize("learner", ["perceptron", "crf"])
@settings(max_examples=15, deadline=None)
@given(first=cases(), second=cases())
def test_sentences_of_a_document_that_is_one_sequence(
    learner: str, first: tuple[list[str], list[RuleSpan]], second: tuple[list[str], list[RuleSpan]]
) -> None:
    tagger = document_tagger(learner)
    words, rules = [first[0][:2], second[0][:2]], [_within(first[1], 2), _within(second[1], 2)]
    sentences = [Sentence({"form": w}, starts_document=i == 0) for i, w in enumerate(words)]
    score, labels = score_of_document(tagger, sentences), tagger.model_.label_set
    left = constrained.all_labellings(labels.names, [len(w) for w in words], rules, labels.inner, score)
    try:
        found = tagger.predict(sentences, rules=rules)
    except DataError:
        assert not left
        return
    ids = tuple(labels.names.index(y) for own in found for y in own)
    assert left[ids] == pytest.approx(max(left.values()), abs=1e-3)


def _within(rules: list[RuleSpan], length: int) -> list[RuleSpan]:
    return [rule for rule in rules if rule.end <= length]


@cache
def document_tagger(learner: str) -> Tagger:
    own = {"templates": LINEAR, "epochs": 2, "unit": "document"} | LEARNERS[learner]
    return Tagger(make_recipe(**own)).fit(random_chunks(5, "IOB2"))


def score_of_document(tagger: Tagger, sentences: list[Sentence]) -> Callable[[tuple[int, ...]], float]:
    ready = tagger.ready_model
    data = ready.reader.read(sentences)
    x = ready.encoder.encode(data.columns, data.units)[0]
    return lambda labels: ready.score_of(x, Labels(np.array(labels, np.int32)))


@cache
def guided(scheme: str) -> Tagger:
    own = {"learner": "guided", "templates": ("form[0]", "bias * y-1 y0", "bias * y+1 y0"), "epochs": 2, "beam": 3}
    return Tagger(make_recipe(**own, constrain=scheme != "none")).fit(random_chunks(6, scheme))


@pytest.mark.parametrize("scheme", ["IOB2", "none"])
@settings(max_examples=12, deadline=None)
@given(case=cases())
def test_bidirectional_search_keeps_to_rules_that_force_and_forbid(
    scheme: str, case: tuple[list[str], list[RuleSpan]]
) -> None:
    tagger, (words, rules) = guided(scheme), case
    kept = [rule for rule in rules if rule.say != "suggest"]
    try:
        [labels] = tagger.predict([words], rules=[kept])
    except DataError:
        return
    assert constrained.bonus(labels, kept, scheme) == 0
    [sentence] = tagger.with_rules([words], [kept])
    [best] = tagger.predict_nbest([sentence], 3)
    assert best[0][0] == labels
    assert all(constrained.bonus(y, kept, scheme) == 0 for y, _ in best)
    assert tagger.explain(sentence).labels == tuple(labels)
    assert tagger.ready_model.margins([sentence])[0].labels == labels


def test_bidirectional_search_refuses_votes() -> None:
    with pytest.raises(NotOfferedError, match="rules that suggest labels: not offered by a model of learner 'guided'"):
        guided("IOB2").predict([["a"]], rules=[[RuleSpan(0, 1, "X", "suggest", 1.0, "x")]])
