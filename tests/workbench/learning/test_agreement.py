"""Agreement of two annotators, worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.errors import DataError
from perceptag.workbench.learning.agreement import agreement, by_label, kappa
from reference import agreement as reference


def test_kappa_is_not_defined_where_everybody_always_says_the_same():
    assert kappa([("O", "O")] * 9) is None


def test_agreement_counts_tokens_and_confusions():
    found = agreement([(["B-PER", "O"], ["B-LOC", "O"]), (["B-PER"], ["B-LOC"]), (["O"], ["B-PER"])], "spans")
    assert found is not None
    assert (found.tokens, found.sentences, found.observed) == (4, 3, 0.25)
    assert found.confusions == [("B-PER", "B-LOC", 2), ("O", "B-PER", 1)]
    assert found.f1 == 0.0


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
