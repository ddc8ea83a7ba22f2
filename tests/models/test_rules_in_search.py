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
from perceptag.errors import NotOfferedError, SettingError
from perceptag.labels.schemes import convert
from perceptag.models.span_rules import margin_unit
from perceptag.reference import constrained
from perceptag.rules.spans import RuleSpan
from toys import make_recipe

WORDS = ("a", "b", "c", "d")
LINEAR = ("form[0]", "form[-1]", "bias * y-1 y0")
LEARNERS = {
    "nodes": {"templates": ("form[0]",), "learner": "perceptron"},
    "perceptron": {"learner": "perceptron"},
    "observed edges": {"templates": ("form[0]", "form[0] * y-1 y0"), "learner": "perceptron"},
    "second order": {"learner": "perceptron", "templates": (*LINEAR, "bias * y-2 y-1 y0")},
    "observed trigrams": {"learner": "perceptron", "templates": ("form[0]", "form[0] * y-2 y-1 y0")},
    "tag dictionary": {"learner": "perceptron", "tag_dictionary": 8},
    "crf": {"learner": "crf", "weights": "last"},
}
SCHEMES = {  # labels of the data and inside the model, and whether the model must keep the scheme
    "IOB2": ("IOB2", "auto", True),
    "IOB2, not constrained": ("IOB2", "auto", False),
    "IOB1 as IOB2": ("IOB1", "auto", True),
    "IOB2 as IOBES": ("IOB2", "IOBES", True),
    "tags": ("none", "auto", False),
}


def random_chunks(seed: int, scheme: str, sentences: int = 30) -> list[Sentence]:
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(sentences):
        n = int(rng.integers(1, 6))
        labels: list[str] = []
        for t in range(n):
            inside = t > 0 and labels[-1] != "O" and rng.random() < 0.5
            labels.append(f"I-{labels[-1][2:]}" if inside else str(rng.choice(["O", "B-X", "B-Y", "B-X"])))
        forms = [str(rng.choice(WORDS)) for _ in range(n)]
        written = [y[-1] for y in labels] if scheme == "none" else convert(labels, scheme, "IOB2")
        made.append(Sentence({"form": forms, "label": written}))
    return made


@cache
def trained(learner: str, scheme: str) -> Tagger:
    outer, inner, constrain = SCHEMES[scheme]
    own = {"templates": LINEAR, "epochs": 2, "labels.scheme": inner, "constrain": constrain} | LEARNERS[learner]
    return Tagger(make_recipe(**own)).fit(random_chunks(1, outer))


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


@cache
def chunker(context: str) -> Tagger:
    own = {"epochs": 2, "cutoff": 1, "chunker_context": context}
    columns = [s.columns for s in random_chunks(3, "IOB2")]
    data = [Sentence({"form": c["form"], "pos": ["N"] * len(c["form"]), "label": c["label"]}) for c in columns]
    return Tagger("carreras-ner", **own).fit(data)


def chunker_input(words: list[str]) -> Sentence:
    return Sentence({"form": words, "pos": ["N"] * len(words)})


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
    own = {"templates": LINEAR, "epochs": 2, "learner": "perceptron", "weights": "voted", "snapshots": 3}
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


# --- bad rules ---


def _rule(start: int, end: int, label: str, say: str, name: str, weight: float = 0.0) -> RuleSpan:
    return RuleSpan(start, end, label, say, weight, name)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (
            [_rule(0, 2, "X", "force", "one"), _rule(1, 3, "Y", "force", "two")],
            "rule 'one' forces X at tokens 0 to 1, but rule 'two' forces Y at tokens 1 to 2",
        ),
        ([_rule(0, 1, "XY", "suggest", "odd", 1.0)], r"rule 'odd': expected a label of the model \(X, Y\), found 'XY'"),
        ([_rule(2, 4, "X", "force", "long")], "rule 'long': expected a span within 3 tokens, found 2 to 4"),
        ([_rule(0, 1, "X", "demand", "d")], "rule 'd': expected one of force, forbid, suggest, found 'demand'"),
        ([_rule(0, 1, "X", "suggest", "n", float("nan"))], "rule 'n': expected a weight within 1000, found nan"),
    ],
)
def test_wrong_rules_are_named(rules: list[RuleSpan], message: str) -> None:
    with pytest.raises(DataError, match=message):
        trained("perceptron", "IOB2").predict([["a", "b", "c"]], rules=[rules])


def test_the_same_span_may_be_forced_twice() -> None:
    rules = [_rule(0, 2, "X", "force", "one"), _rule(0, 2, "X", "force", "two"), _rule(2, 3, "X", "force", "three")]
    assert trained("perceptron", "IOB2").predict([["a", "b", "c"]], rules=[rules]) == [["B-X", "I-X", "B-X"]]


def test_force_wins_over_forbid() -> None:
    rules = [_rule(0, 2, "X", "forbid", "no"), _rule(0, 2, "X", "force", "yes")]
    assert trained("perceptron", "IOB2").predict([["a", "b"]], rules=[rules]) == [["B-X", "I-X"]]


def test_too_many_spans_at_a_token() -> None:
    rules = [_rule(s, 60 + e, "X", "suggest", "r", 1.0) for s in range(10) for e in range(6)]
    with pytest.raises(DataError, match="expected at most 50 spans of 'X' at a token, found 60"):
        trained("perceptron", "IOB2").predict([["a"] * 70], rules=[rules])


def test_rules_and_given_labels_are_not_mixed() -> None:
    with pytest.raises(SettingError, match="expected rules or given labels, found both"):
        trained("perceptron", "IOB2").predict([["a"]], [[None]], [[]])


def test_as_many_lists_as_sentences() -> None:
    with pytest.raises(DataError, match="rules: expected a list for each of 1 sentences, found 2"):
        trained("perceptron", "IOB2").predict([["a"]], rules=[[], []])


# --- what they are worth, and what explanations say ---


def test_a_weight_of_one_is_a_typical_margin() -> None:
    tagger = Tagger(make_recipe(templates=LINEAR, epochs=2)).fit(random_chunks(1, "IOB2"))
    assert margin_unit(tagger.model_) == 1
    data = random_chunks(7, "IOB2")
    tagger.calibrate([s.columns["form"] for s in data], [s.columns["label"] for s in data])
    margins = [m for found in tagger.ready_model.margins(data) for _, m in found.spans]
    assert 0 < min(m for m in margins if m > 0) <= margin_unit(tagger.model_) <= max(margins)
    [plain] = tagger.predict_nbest([["a", "b"]], 1)
    [ruled] = tagger.predict_nbest(tagger.with_rules([["a", "b"]], [[_rule(0, 2, "X", "suggest", "x", 100)]]), 1)
    assert ruled[0][0] == ["B-X", "I-X"]
    assert ruled[0][1] - plain[0][1] <= 100 * margin_unit(tagger.model_) + 1e-3
    assert ruled[0][1] > 90 * margin_unit(tagger.model_)


def test_only_learner_crf_has_the_unit_one_however_it_is_calibrated() -> None:
    data = random_chunks(7, "IOB2")
    for learner, is_one in (("crf", True), ("maxent", False)):
        recipe = make_recipe(templates=LINEAR, learner=learner, weights="last")
        tagger = Tagger(recipe).fit(random_chunks(1, "IOB2"))
        assert margin_unit(tagger.model_) == 1
        tagger.calibrate([s.columns["form"] for s in data], [s.columns["label"] for s in data])
        assert (margin_unit(tagger.model_) == 1) is is_one


@pytest.mark.parametrize("say", ["force", "suggest"])
def test_explanations_name_rules(say: str) -> None:
    tagger = trained("perceptron", "IOB2")
    [sentence] = tagger.with_rules([["a", "b"]], [[_rule(0, 2, "Y", say, "glossary", 50.0)]])
    explained = tagger.explain(sentence)
    assert explained.labels == ("B-Y", "I-Y")
    first = explained.details[0].contributions[0]
    assert (first.feature, first.weight) == (f"rule glossary {say}s Y", 50.0 if say == "suggest" else 0.0)
    [[(_, score)]] = tagger.predict_nbest([sentence], 1)
    assert explained.score == pytest.approx(score)
    assert "rule glossary" in explained.render()


def test_a_chunker_names_rules() -> None:
    tagger = chunker("none")
    [sentence] = tagger.with_rules([chunker_input(["a", "b"])], [[_rule(0, 2, "Y", "force", "glossary")]])
    explained = tagger.explain(sentence)
    assert explained.labels == ("B-Y", "I-Y")
    assert "rule glossary forces Y" in explained.render()


def test_confidence_of_forced_labels_is_the_highest() -> None:
    tagger = trained("crf", "IOB2")
    [sentence] = tagger.with_rules([["a", "b", "c"]], [[_rule(0, 2, "Y", "force", "glossary")]])
    [tokens] = tagger.predict_confidence([sentence])
    assert tokens[:2] == pytest.approx([1, 1])
    [(span, confidence), *_] = tagger.predict_confident_spans([sentence])[0]
    assert (span.start, span.end, span.label) == (0, 2, "Y")
    assert confidence == pytest.approx(1)
