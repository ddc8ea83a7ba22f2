"""Suspected label errors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from perceptag.errors import SettingError
from perceptag.inspecting.suspects import TooLittleDataError, suspects
from perceptag.labels.schemes import Span, convert
from perceptag.text import Sentence
from review_toys import names, relabelled, sentence

SPOILT = {
    "wrong type": "B-LOC I-LOC O O B-LOC O",
    "wrong border": "O B-PER O O B-LOC O",
    "missing": "B-PER I-PER O O O O",
    "spurious": "B-PER I-PER O B-LOC B-LOC O",
}


@pytest.mark.parametrize("kind", SPOILT)
def test_a_spoilt_span_is_the_first_suggestion(kind):
    right = names()
    found = suspects(relabelled(right, 30, SPOILT[kind]), "label")
    first = found.suspects[0]
    assert (first.sentence, first.kind) == (30, kind)
    assert list(first.labels) == right[30].columns["label"]
    assert found.total >= len(found.suspects)


def test_reasons_name_features_of_both_sides():
    first = suspects(relabelled(names(), 30, SPOILT["wrong type"]), "label").suspects[0]
    assert first.for_suggested
    assert all(c.rival_weight > c.weight for c in first.for_suggested)
    assert all(c.weight > c.rival_weight for c in first.for_given)
    assert not any(c.feature == "bias" for c in (*first.for_suggested, *first.for_given))
    told = first.to_dict()["reason"]
    assert set(told) == {"for_suggested", "for_given"}
    assert [one["meaning"] for one in told["for_suggested"]] == [c.in_words for c in first.for_suggested]
    assert any(one["meaning"].startswith("the word") for one in told["for_suggested"]), (first, told)


@pytest.mark.parametrize("scheme", ["IOB1", "IOBES", "BILOU"])
def test_suggestions_are_written_in_the_scheme_of_the_data(scheme):
    spoilt = relabelled(names(), 30, SPOILT["wrong type"])
    data = [replace(s, columns={**s.columns, "label": convert(s.columns["label"], scheme, "IOB2")}) for s in spoilt]
    found, expected = suspects(data, "label"), suspects(spoilt, "label")
    assert list(found.suspects[0].labels) == convert(names()[30].columns["label"], scheme, "IOB2")
    assert [(s.sentence, s.start, s.margin) for s in found.suspects] == [
        (s.sentence, s.start, s.margin) for s in expected.suspects
    ]


def test_a_spoilt_tag_is_the_first_suggestion():
    data = [Sentence({"form": s.tokens, "label": [f"{len(w)}" for w in s.tokens]}) for s in names()]
    right = data[30].columns["label"]
    data[30] = Sentence({"form": data[30].tokens, "label": [*right[:3], "5", *right[4:]]})
    first = suspects(data, "label").suspects[0]
    assert (first.sentence, first.start, first.end, first.kind) == (30, 3, 4, "wrong label")
    assert first.given == (Span(3, 4, "5"),)
    assert list(first.labels) == right


def test_the_limit_cuts_the_list_and_nothing_else():
    data = relabelled(relabelled(names(), 30, SPOILT["wrong type"]), 50, SPOILT["spurious"])
    every, one = suspects(data, "label", limit=0), suspects(data, "label", limit=1)
    assert len(every.suspects) == every.total == one.total >= 2
    assert one.suspects == every.suspects[:1]


def test_kinds_take_turns_and_each_is_sorted_by_margin():
    data = names()
    for number, kind in ((2, "spurious"), (5, "missing"), (21, "missing"), (47, "missing")):
        data = relabelled(data, number, SPOILT[kind])
    found = suspects(data, "label", limit=0).suspects
    kinds = [s.kind for s in found]
    assert sorted(kinds[:2]) == ["missing", "spurious"]
    assert kinds.count("missing") == 3
    margins = [s.margin for s in found if s.kind == "missing"]
    assert margins == sorted(margins, reverse=True)


def test_confidence_needs_enough_places():
    data = relabelled(names(), 30, SPOILT["wrong type"])
    assert suspects(data, "label").suspects[0].confidence > 0.5
    assert suspects(data[20:50], "label").suspects[0].confidence is None


def test_the_callback_stops_the_work():
    class StopError(Exception):
        pass

    seen = []

    def stop(done, total):
        seen.append((done, total))
        if done == 2:
            raise StopError

    with pytest.raises(StopError):
        suspects(names(), "label", folds=4, progress=stop)
    assert seen == [(1, 4), (2, 4)]


def test_too_little_data_is_refused():
    with pytest.raises(TooLittleDataError, match="expected 20 labelled sentences or more to learn from, found 3"):
        suspects(names()[:3], "label")
    with pytest.raises(TooLittleDataError, match="found 19"):
        suspects(names()[:19], "label")
    assert suspects(names()[:20], "label", folds=2).suspects is not None
    with pytest.raises(TooLittleDataError, match="expected different labels in column 'label', found only one"):
        suspects([sentence("only words here")] * 30, "label")
    with pytest.raises(SettingError, match="folds: expected a number from 2 to 100, found 1"):
        suspects(names(), "label", folds=1)


@pytest.mark.parametrize("recipe", ["basic-ner", "crf", "auto"])
def test_other_recipes_find_it_too(recipe):
    found = suspects(relabelled(names(), 30, SPOILT["wrong type"]), "label", recipe=recipe)
    assert 30 in [s.sentence for s in found.suspects[:3]]
