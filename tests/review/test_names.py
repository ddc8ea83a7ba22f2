"""Names of labels that look misspelt."""

from __future__ import annotations

import pytest

from perceptag.review.names import misspelt_labels, one_slip
from perceptag.text import Sentence
from review_toys import names, relabelled


def tags(**counts: int) -> list[Sentence]:
    return [Sentence({"form": ["x"] * n, "label": [label] * n}) for label, n in counts.items()]


@pytest.mark.parametrize(
    ("labels", "name", "meant"),
    [
        ("B-PRE I-PER O O B-LOC O", "B-PRE", "B-PER"),
        ("b-per I-PER O O B-LOC O", "b-per", "B-PER"),
        ("B-PER I-PER O O B-LOCC O", "B-LOCC", "B-LOC"),
        ("B-PER I-PER OO O B-LOC O", "OO", "O"),
        ("B-PER I-PER o O B-LOC O", "o", "O"),
    ],
)
def test_a_misspelt_label_of_spans_is_found(labels, name, meant):
    (found,) = misspelt_labels(relabelled(names(), 7, labels), "label")
    assert (found.name, found.count, found.meant) == (name, 1, meant)
    assert found.places == ((7, labels.split().index(name)),)
    assert found.meant_count > 50


def test_a_rare_type_with_another_name_is_not_misspelt():
    assert misspelt_labels(relabelled(names(), 7, "B-MISC I-MISC O O B-ORG O"), "label") == []


def test_both_labels_of_a_misspelt_type_are_found():
    found = misspelt_labels(relabelled(names(), 7, "B-PRE I-PRE O O B-LOC O"), "label")
    assert [(label.name, label.meant) for label in found] == [("B-PRE", "B-PER"), ("I-PRE", "I-PER")]


def test_short_tags_may_differ_by_a_letter():
    assert misspelt_labels(tags(NN=100, NNS=1, NNP=2, VB=40), "label") == []
    (found,) = misspelt_labels(tags(NN=100, nn=2, VB=40), "label")
    assert (found.name, found.meant, found.meant_count) == ("nn", "NN", 100)
    (found,) = misspelt_labels(tags(NOUN=100, NUON=2), "label")
    assert (found.name, found.meant) == ("NUON", "NOUN")


def test_names_that_are_seen_often_are_meant():
    assert misspelt_labels(tags(NOUN=100, NUON=3), "label") == []
    assert misspelt_labels(tags(NOUN=9, NUON=2), "label") == []


@pytest.mark.parametrize(("a", "b"), [("PER", "PRE"), ("PER", "PERS"), ("PER", "PR"), ("PER", "PEX"), ("", "O")])
def test_one_slip(a, b):
    assert one_slip(a, b)
    assert one_slip(b, a)


@pytest.mark.parametrize(("a", "b"), [("PER", "PER"), ("PER", "REP"), ("PER", "LOC"), ("PER", "PERSN")])
def test_no_slip_or_more_than_one(a, b):
    assert not one_slip(a, b)
    assert not one_slip(b, a)
