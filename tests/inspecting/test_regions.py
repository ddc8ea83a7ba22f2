"""Where two labellings differ, in whole spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.inspecting.regions import changed, regions, units, written
from perceptag.labels.schemes import Span, spans, spans_to_labels

LABELS = st.lists(st.sampled_from(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"]), min_size=1, max_size=8)


@pytest.mark.parametrize(
    ("mine", "other", "kind"),
    [
        ([Span(0, 2, "PER")], [Span(0, 2, "LOC")], "wrong type"),
        ([Span(0, 2, "PER")], [Span(0, 3, "PER")], "wrong border"),
        ([Span(0, 2, "PER")], [Span(0, 3, "LOC")], "other spans"),
        ([Span(0, 2, "PER")], [Span(0, 1, "PER"), Span(1, 2, "PER")], "other spans"),
        ([], [Span(0, 2, "PER")], "missing"),
        ([Span(0, 2, "PER")], [], "spurious"),
    ],
)
def test_a_region_has_a_kind(mine, other, kind):
    (region,) = regions(mine, other)
    assert region.kind(of_spans=True) == kind
    assert (region.given, region.suggested) == (tuple(mine), tuple(other))


def test_tags_differ_token_by_token():
    found = regions(units(["DT", "NN", "NN"], "none"), units(["DT", "VB", "JJ"], "none"))
    assert [(r.start, r.end, r.kind(of_spans=False)) for r in found] == [(1, 2, "wrong label"), (2, 3, "wrong label")]
    assert written(units(["DT", "NN"], "none"), 2, "none") == ["DT", "NN"]


@given(LABELS, LABELS)
def test_taking_all_suggestions_gives_the_other_labelling(one, other):
    other = [*other, *["O"] * len(one)][: len(one)]
    mine, theirs = spans(one), spans(other)
    now = mine
    for region in regions(mine, theirs):
        now = changed(now, region)
        spans_to_labels(now, len(one), "IOB2")  # refuses spans that overlap
    assert now == sorted(theirs)
