"""Conversion by table equals conversion through chunks, on valid and invalid sequences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag.labels.label_set import LabelSet, LabelWriter

TAGS = {"IOB1": "BI", "IOB2": "BI", "IOBES": "BIES", "none": ""}


def make(inner: str, outer: str, kinds: tuple[str, ...] = ("PER", "LOC")) -> LabelSet:
    names = ("O", *(f"{tag}-{kind}" if kind else tag for tag in TAGS[inner] for kind in kinds))
    return LabelSet(names, inner, outer, "label")


PAIRS = [(a, b) for a in ("IOB1", "IOB2", "IOBES") for b in ("IOB1", "IOB2", "IOBES")]


@pytest.mark.parametrize(("inner", "outer"), [*PAIRS, ("none", "none")])
@pytest.mark.parametrize("kinds", [("PER", "LOC"), ("",), ("", "A-B", "A")])
@settings(max_examples=30)
@given(data=st.data())
def test_the_table_says_what_the_chunks_say(
    inner: str, outer: str, kinds: tuple[str, ...], data: st.DataObject
) -> None:
    label_set = make(inner, outer, kinds)
    ids = st.integers(0, len(label_set.names) - 1)
    sentences = data.draw(st.lists(st.lists(ids, max_size=8), max_size=4))
    flat = np.array([y for sentence in sentences for y in sentence], np.int32)
    begin = np.cumsum([0, *map(len, sentences)]).astype(np.int32)
    expected = [label_set.to_outer([label_set.names[y] for y in sentence]) for sentence in sentences]
    assert LabelWriter(label_set)(flat, begin) == expected


@pytest.mark.parametrize(("kinds", "is_by_table"), [(500, True), (600, False)])
def test_large_label_sets_do_without_a_table(kinds: int, is_by_table: bool) -> None:
    label_set = make("IOBES", "IOB2", tuple(f"K{i}" for i in range(kinds)))
    outer = LabelWriter(label_set)
    names = ["B-K7", "E-K7", "S-K499", "I-K0"]
    ids = np.array([label_set.names.index(name) for name in names], np.int32)
    assert (outer.pairs is not None) == is_by_table
    assert outer(ids, np.array([0, 4], np.int32)) == [["B-K7", "I-K7", "B-K499", "B-K0"]]
