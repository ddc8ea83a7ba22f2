"""The errors of a model, their tables and their page."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.evaluation import evaluate
from perceptag.inspecting.error_analysis import OUTSIDE, Confusion, ErrorAnalysis, Rate, _covering, analyse
from perceptag.inspecting.error_page import confusion_matrix, page, tables
from perceptag.labels.schemes import Span, spans
from perceptag.text import Sentence

LABELS = st.lists(st.sampled_from(["O", "B-A", "I-A", "B-B", "I-B"]), min_size=1, max_size=9)


@given(LABELS, st.integers(0, 9), st.integers(1, 5))
def test_the_span_that_covers_most(labels: list[str], start: int, length: int) -> None:
    others, span = spans(labels, "IOB2"), Span(start, start + length, "A")
    common = [min(span.end, other.end) - max(span.start, other.start) for other in others]
    most = max(common, default=0)
    assert _covering(span, others) == (others[common.index(most)].label if most > 0 else OUTSIDE)


def analysed(words: str, gold: str, predicted: str, known: frozenset[str] | None = None) -> ErrorAnalysis:
    """An analysis of one sentence."""
    tokens, right, found = words.split(), [gold.split()], [predicted.split()]
    return analyse([Sentence({"form": tokens}, "f", 1)], right, found, evaluate(right, found, bootstrap=0), known)


@pytest.mark.parametrize(
    ("gold", "predicted", "kind"),
    [
        ("B-PER I-PER O", "O O O", "missed"),
        ("O O O", "B-PER I-PER O", "invented"),
        ("B-PER I-PER O", "B-LOC I-LOC O", "type"),
        ("B-PER I-PER O", "B-PER O O", "boundary"),
        ("B-PER I-PER O", "B-LOC O O", "several"),
        ("B-PER B-PER O", "B-PER I-PER O", "several"),
    ],
)
def test_kinds_of_errors_of_spans(gold, predicted, kind):
    found = analysed("a b c", gold, predicted)
    ((wrong,),) = ([e.kind for e in s.errors] for s in found.sentences)
    assert wrong == kind
    assert {k: times for counts in found.kinds.values() for k, times in counts.items() if times} == {kind: 1}


def test_rates_and_confusions_of_spans():
    found = analysed(
        "Anna Berg met BBC in Oslo", "B-PER I-PER O B-ORG O B-LOC", "B-PER I-PER O B-LOC O O", frozenset({"Oslo"})
    )
    assert found.confusions == [Confusion("LOC", "O", 1), Confusion("ORG", "LOC", 1)]
    assert found.by_label == [Rate("LOC", 1, 1), Rate("ORG", 1, 1), Rate("PER", 1, 0)]
    assert found.by_shape == [Rate("X", 1, 1), Rate("Xx", 1, 1), Rate("Xx Xx", 1, 0)]
    assert found.by_length == [Rate("1", 2, 2), Rate("2", 1, 0)]
    assert [rate[1:] for rate in found.by_known] == [(2, 1), (1, 1)]
    assert found.by_word == [Rate("BBC", 1, 1), Rate("Oslo", 1, 1)]


def test_labels_of_tokens():
    found = analysed("the dog barks loud", "DT NN VBZ RB", "DT VB VBZ JJ", frozenset({"the", "dog"}))
    assert found.errors == 2
    assert found.confusions == [Confusion("NN", "VB", 1), Confusion("RB", "JJ", 1)]
    assert found.by_known == [Rate("not seen in training", 2, 1), Rate("seen in training", 2, 1)]
    assert (found.kinds, found.by_length, found.unit) == ({}, [], "tokens")
    titles = [view.title for view in tables(found, 1)]
    assert titles[:2] == ["confusions: the first 1 of 2", "by label: the first 1 of 2"]


@given(st.lists(st.tuples(LABELS, LABELS), min_size=1, max_size=4))
def test_every_figure_counts_errors_that_can_be_chosen(pairs: list[tuple[list[str], list[str]]]) -> None:
    right, predicted = ([pair[side][: min(map(len, pair))] for pair in pairs] for side in (0, 1))
    sentences = [Sentence({"form": [f"w{t}" for t in range(len(labels))]}) for labels in right]
    found = analyse(sentences, right, predicted, evaluate(right, predicted, bootstrap=0))
    text = page("Errors", {}, found, sentences)
    there = {name for names in re.findall(r'data-errors="([^"]*)"', text) for name in names.split("\n")}
    for view in [*confusion_matrix(found), *tables(found, 0)]:
        for row, names in zip(view.rows, view.errors, strict=False):
            counted = {name for name, cell in zip(names, row, strict=True) if name and cell not in ("", "0")}
            assert counted <= there


def test_the_page_is_one_file_with_the_sentences():
    found = analysed("Anna Berg met Oslo", "B-PER I-PER O B-LOC", "B-PER O O B-LOC")
    text = page("Errors", {"model": "m"}, found, [Sentence({"form": ["Anna", "Berg", "met", "Oslo"]}, "d/f.txt", 7)])
    assert not re.search(r"(?:src|href)=\"(?!#)|https?:|@import|url\(", text)
    assert (
        '<span class="wrong" title="boundary">Anna Berg<sub><del>PER [Anna]</del> <ins>PER</ins></sub></span>' in text
    )
    assert '<span class="right">Oslo<sub>LOC</sub></span>' in text
    assert "f.txt:7<" in text
    assert '<option value="boundary">boundary (1)</option>' in text
    assert "prefers-color-scheme: dark" in text


def test_nothing_in_the_data_becomes_markup():
    words = ["<script>alert(1)</script>", "a\x1b[2J&"]
    gold, predicted = [['"><b>', "B"]], [["A", "B"]]
    sentences = [Sentence({"form": words}, "<i>", 1)]
    found = analyse(sentences, gold, predicted, evaluate(gold, predicted, bootstrap=0))
    text = page("<b>", {"<b>": "<b>"}, found, sentences)
    assert not re.search(r"<b>|<i>|<script>alert", text)
    assert text.count("<script>") == 1
    assert "a\\x1b[2J&amp;" in text
