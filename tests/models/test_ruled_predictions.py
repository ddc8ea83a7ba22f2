"""Rules about spans that are given with sentences: errors in them, what they are worth, and explanations."""

from __future__ import annotations

import pytest

from perceptag import DataError, Tagger
from perceptag.models.span_rules import margin_unit
from rule_toys import LINEAR, chunker, chunker_input, random_chunks, rule_span, trained
from toys import make_recipe

# --- bad rules ---


def test_the_same_span_may_be_forced_twice() -> None:
    rules = [
        rule_span(0, 2, "X", "force", "one"),
        rule_span(0, 2, "X", "force", "two"),
        rule_span(2, 3, "X", "force", "three"),
    ]
    assert trained("perceptron", "IOB2").predict([["a", "b", "c"]], rules=[rules]) == [["B-X", "I-X", "B-X"]]


def test_force_wins_over_forbid() -> None:
    rules = [rule_span(0, 2, "X", "forbid", "no"), rule_span(0, 2, "X", "force", "yes")]
    assert trained("perceptron", "IOB2").predict([["a", "b"]], rules=[rules]) == [["B-X", "I-X"]]


def test_too_many_spans_at_a_token() -> None:
    rules = [rule_span(s, 60 + e, "X", "suggest", "r", 1.0) for s in range(10) for e in range(6)]
    with pytest.raises(DataError, match="expected at most 50 spans of 'X' at a token, found 60"):
        trained("perceptron", "IOB2").predict([["a"] * 70], rules=[rules])


# --- what they are worth, and what explanations say ---


def test_a_weight_of_one_is_a_typical_margin() -> None:
    tagger = Tagger(make_recipe(templates=LINEAR, epochs=2)).fit(random_chunks(1, "IOB2"))
    assert margin_unit(tagger.model_) == 1
    data = random_chunks(7, "IOB2")
    tagger.calibrate([s.columns["form"] for s in data], [s.columns["label"] for s in data])
    margins = [m for found in tagger.ready_model.margins(data) for _, m in found.spans]
    assert 0 < min(m for m in margins if m > 0) <= margin_unit(tagger.model_) <= max(margins)
    [plain] = tagger.predict_nbest([["a", "b"]], 1)
    [ruled] = tagger.predict_nbest(tagger.with_rules([["a", "b"]], [[rule_span(0, 2, "X", "suggest", "x", 100)]]), 1)
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
    [sentence] = tagger.with_rules([["a", "b"]], [[rule_span(0, 2, "Y", say, "glossary", 50.0)]])
    explained = tagger.explain(sentence)
    assert explained.labels == ("B-Y", "I-Y")
    first = explained.details[0].contributions[0]
    assert (first.feature, first.weight) == (f"rule glossary {say}s Y", 50.0 if say == "suggest" else 0.0)
    [[(_, score)]] = tagger.predict_nbest([sentence], 1)
    assert explained.score == pytest.approx(score)
    assert "rule glossary" in explained.render()


def test_a_chunker_names_rules() -> None:
    tagger = chunker("none")
    [sentence] = tagger.with_rules([chunker_input(["a", "b"])], [[rule_span(0, 2, "Y", "force", "glossary")]])
    explained = tagger.explain(sentence)
    assert explained.labels == ("B-Y", "I-Y")
    assert "rule glossary forces Y" in explained.render()


def test_confidence_of_forced_labels_is_the_highest() -> None:
    tagger = trained("crf", "IOB2")
    [sentence] = tagger.with_rules([["a", "b", "c"]], [[rule_span(0, 2, "Y", "force", "glossary")]])
    [tokens] = tagger.predict_confidence([sentence])
    assert tokens[:2] == pytest.approx([1, 1])
    [(span, confidence), *_] = tagger.predict_confident_spans([sentence])[0]
    assert (span.start, span.end, span.label) == (0, 2, "Y")
    assert confidence == pytest.approx(1)
