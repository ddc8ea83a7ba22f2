"""Agreement of two annotators, worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.errors import DataError
from perceptag.workbench.learning.agreement import agreement, by_label, kappa
from reference import agreement as reference

TAGS = st.sampled_from(["A", "B", "C"])


def test_kappa_of_the_textbook():
    # 50 cases: both yes 20, both no 15, yes/no 5, no/yes 10. Observed 0.7; chance 0.5 * 0.6 + 0.5 * 0.4 = 0.5.
    pairs = [("y", "y")] * 20 + [("n", "n")] * 15 + [("y", "n")] * 5 + [("n", "y")] * 10
    assert kappa(pairs) == pytest.approx(0.4)


def test_kappa_below_chance_is_negative_and_of_equal_labels_is_one():
    assert kappa([("A", "B"), ("B", "A")]) == -1.0
    assert kappa([("A", "A"), ("B", "B")]) == 1.0


def test_kappa_is_not_defined_where_everybody_always_says_the_same():
    assert kappa([("O", "O")] * 9) is None


@given(st.lists(st.tuples(TAGS, TAGS), min_size=1, max_size=20))
def test_kappa_does_not_depend_on_who_comes_first(pairs):
    assert kappa(pairs) == kappa([(b, a) for a, b in pairs])


def test_tags_have_no_spans_and_nothing_has_no_agreement():
    found = agreement([(["NN", "VB"], ["NN", "NN"])], "tags")
    assert found is not None and found.f1 is None
    assert agreement([], "tags") is None


def test_labellings_of_different_lengths_are_refused():
    with pytest.raises(DataError, match="pair 1: expected two labellings of 1 tokens, found one of 2"):
        agreement([(["A"], ["A"]), (["A"], ["A", "B"])], "tags")


def _written(types: list[str], starts: list[bool]) -> list[str]:
    """IOB2 labels of these types; a span begins where its type does, and where `starts` says so."""
    found: list[str] = []
    for t, (kind, is_start) in enumerate(zip(types, starts, strict=True)):
        is_inside = t > 0 and types[t - 1] == kind and not is_start
        found.append("O" if kind == "O" else f"{'I' if is_inside else 'B'}-{kind}")
    return found


@st.composite
def _pairs(draw):
    pairs = []
    for _ in range(draw(st.integers(1, 4))):
        length = draw(st.integers(1, 6))
        types = st.lists(st.sampled_from(["O", "PER", "LOC"]), min_size=length, max_size=length)
        starts = st.lists(st.booleans(), min_size=length, max_size=length)
        pairs.append((_written(draw(types), draw(starts)), _written(draw(types), draw(starts))))
    return pairs


@given(_pairs())
def test_agreement_is_that_of_plain_counting(pairs):
    found = agreement(pairs, "spans")
    words = [pair for a, b in pairs for pair in zip(a, b, strict=True)]
    assert found is not None
    assert found.kappa == pytest.approx(reference.kappa(words))
    assert found.f1 == pytest.approx(reference.f1(pairs))
    listed = {one.label: one for one in by_label(pairs, "spans")}
    assert set(listed) == {span[2] for pair in pairs for labels in pair for span in reference.spans(labels)}
    for label, one in listed.items():
        assert one.f1 == pytest.approx(reference.f1(pairs, label))
        assert one.kappa == pytest.approx(reference.kappa_of(pairs, label))
        assert one.both <= min(one.first, one.second)


def test_labels_that_occur_most_come_first_and_tags_are_counted_by_words():
    found = by_label([(["NN", "NN", "VB"], ["NN", "VB", "VB"])], "tags")
    assert [(one.label, one.first, one.second, one.both) for one in found] == [("NN", 2, 1, 1), ("VB", 1, 2, 1)]
    assert found[0].f1 == pytest.approx(200 / 3)
