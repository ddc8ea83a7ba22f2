"""Endings with which words also occur in a text."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import _core
from perceptag.errors import ModelError
from perceptag.features.class_attributes import class_attributes
from perceptag.features.class_table import WordClassTable
from perceptag.features.encoder import Encoder
from perceptag.features.lexicon import Lexicon
from perceptag.features.template import parse_all
from perceptag.features.word_endings import (
    LONGEST,
    MOST_CHANGES,
    STEM,
    EndingsAttribute,
    checked_changes,
    frequent_changes,
)

WORDS = st.lists(st.text(alphabet="abeé", min_size=1, max_size=7), min_size=1, max_size=40)


def test_changes_connect_the_words_of_the_text() -> None:
    words = ["walk", "walks", "walked", "Talk", "talks", "talked", "a1s", "a1"]
    assert set(frequent_changes(words)) == {("", "s"), ("s", ""), ("", "ed"), ("ed", ""), ("s", "ed"), ("ed", "s")}


def test_short_stems_and_long_endings_do_not_count() -> None:
    assert frequent_changes(["go", "goes", "act", "actually"]) == ()


@given(WORDS)
def test_changes_are_as_slow_counting_finds_them(words: list[str]) -> None:
    lowered = sorted({word.lower() for word in words})
    pairs: dict[tuple[str, str], int] = {}
    for a in lowered:
        for b in lowered:
            common = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
            if a != b and common >= STEM and max(len(a), len(b)) - common <= LONGEST:
                change = a[common:], b[common:]
                pairs[change] = pairs.get(change, 0) + 1
    expected = sorted(pairs, key=lambda change: (-pairs[change], change))[:MOST_CHANGES]
    assert list(frequent_changes(words)) == expected


@given(WORDS, st.lists(st.text(alphabet="abeEAé", max_size=7), min_size=1, max_size=20))
def test_the_core_finds_the_same_endings(words: list[str], others: list[str]) -> None:
    known = list(dict.fromkeys(words))
    table = WordClassTable((2,), tuple(known), np.arange(len(known), 0, -1), np.zeros((len(known), 1), np.int32))
    attributes = class_attributes(table, frequent_changes(words))
    attribute = attributes["endings"]
    assert isinstance(attribute, EndingsAttribute)
    lowered = EndingsAttribute(frozenset(word.lower() for word in words), attribute.changes)
    assert [attribute(word) for word in (*words, *others)] == [lowered(word) for word in (*words, *others)]
    encoder = Encoder(parse_all(["form.endings[0]", "lower[0]"], ["form"]), attributes)
    nothing = np.zeros(0, np.int32)
    encoder.encode_new({"form": [words]}, np.array([0, len(words)], np.int32), np.zeros(len(words), np.int32))
    native = encoder.fresh_lexicons()["form"]
    plain = Lexicon(native.attributes, native.vocabularies, grows=False)
    found = []
    for lexicon in (native, plain):
        ends = np.array([0, len(others)], np.int32)
        corpus = _core.encode(
            encoder.frozen_index, [lexicon.table], [lexicon.numbers([others])], ends, nothing, nothing
        )
        order = encoder.templates[0].order
        found.append([corpus[0].rows(order, t).tolist() for t in range(len(others))])
    assert found[0] == found[1]
    assert (encoder.native_reader("form") is not None) == bool(attribute.changes)


@pytest.mark.parametrize("data", [None, "s>", [["s"]], [["s", 1]], [["long", ""]], [["", "s"]] * (MOST_CHANGES + 1)])
def test_changes_of_a_damaged_model_are_refused(data: object) -> None:
    with pytest.raises(ModelError, match="endings: expected at most 50 pairs"):
        checked_changes(data)
