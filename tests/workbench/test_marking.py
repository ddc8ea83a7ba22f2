"""*Mark all*: where words are, and what becomes of labels and drafts there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.labels.schemes import violations
from perceptag.workbench.mark_all_routes import label_at, marked, places


def test_places_do_not_overlap_and_case_counts_if_it_is_asked_for() -> None:
    assert list(places(["a", "a", "a", "b", "A"], ["a", "a"], False)) == [0]
    assert list(places(["a", "b", "A", "B"], ["a", "b"], False)) == [0]
    assert list(places(["a", "b", "A", "B"], ["a", "b"], True)) == [0, 2]
    assert list(places([], ["a"], False)) == list(places(["a"], ["a", "b"], False)) == []


@pytest.mark.parametrize(
    ("before", "start", "length", "label", "after"),
    [
        ("O O O", 1, 1, "PER", "O B-PER O"),
        ("O O O", 0, 2, "PER", "B-PER I-PER O"),
        ("B-LOC I-LOC O", 1, 1, "PER", "O B-PER O"),
        ("B-PER O O", 1, 1, "PER", "B-PER B-PER O"),
        ("B-LOC I-LOC B-ORG", 0, 2, "O", "O O B-ORG"),
    ],
)
def test_marked_spans(before: str, start: int, length: int, label: str, after: str) -> None:
    assert marked(before.split(), [start], length, label, "spans") == after.split()


def labelling(kinds: list[str]) -> list[str]:
    """Labels without a span that begins with "I-"."""
    labels: list[str] = []
    for kind in kinds:
        before = labels[-1] if labels else "O"
        labels.append(kind if kind != "I" else "O" if before == "O" else f"I-{before[2:]}")
    return labels


LABELLINGS = st.lists(st.sampled_from(["O", "B-A", "B-B", "I"]), min_size=1, max_size=8).map(labelling)


@given(LABELLINGS, st.data())
def test_marked_labels_are_valid_and_hold_the_mark(labels: list[str], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(labels) - 1))
    length = data.draw(st.integers(1, len(labels) - start))
    found = marked(labels, [start], length, "C", "spans")
    assert violations(found, "IOB2") == []
    assert label_at(found, start, length, "spans") == "C"


@given(LABELLINGS, st.sampled_from(["C", "O"]), st.sampled_from(["spans", "tags"]), st.data())
def test_all_places_at_once_are_one_after_the_other(
    labels: list[str], label: str, kind: str, data: st.DataObject
) -> None:
    length = data.draw(st.integers(1, len(labels)))
    starts = data.draw(st.lists(st.integers(0, len(labels) - length), min_size=1, max_size=4))
    found = labels
    for start in starts:
        found = marked(found, [start], length, label, kind)
    assert marked(labels, starts, length, label, kind) == found
