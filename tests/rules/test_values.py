"""Normalised values: any text gives a value or None, never an exception."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import Rules
from perceptag.rules.values import VALUES
from perceptag.text.jsonl import JsonLayout
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.sentence import Sentence, SentenceLayout
from perceptag.text.word_spacing import spaces_after

ENGLISH = Rules.load("en").file.lists
PIECES = ["5", "99", "2024", "1,234", ".5", "½", "1/0", "3:99", "pm", "half", "past", "to", "may", "31", "th", "'", "$"]
PIECES += [
    "million",
    "cents",
    "%",
    "per cent",
    "km",
    "°F",
    "-",
    "–",
    "/",
    ":",
    " ",
    "1990s",
    "first",
    "friday",
    "é",
    "²",
]


@pytest.mark.parametrize("name", sorted(VALUES))
@settings(max_examples=30, deadline=None)
@given(text=st.lists(st.sampled_from(PIECES), max_size=6).map("".join) | st.text(max_size=8))
def test_any_text_has_a_value_or_none(name, text):
    value = VALUES[name](text, ENGLISH)
    assert value is None or isinstance(value, str)
    assert VALUES[name](text, {}) is None or isinstance(VALUES[name](text, {}), str)


@pytest.mark.parametrize(
    ("name", "text"),
    [("date", "30 February"), ("date", "2023-02-29"), ("date", "13/13/2024"), ("time", "13 pm"), ("time", "25:10"),
     ("number", "dog"), ("number", "1/0"), ("money", "5 dogs"), ("quantity", "five dogs")],
)  # fmt: skip
def test_what_is_no_value_has_none(name, text):
    assert VALUES[name](text, ENGLISH) is None


@pytest.mark.parametrize("layout", [JsonLayout, lambda record: ParquetLayout(record=record)])
def test_offsets_of_other_formats_say_where_blanks_are(layout: Callable[[dict[str, object]], SentenceLayout]) -> None:
    words = ["Call", "555", "-", "0142"]
    places = [[0, 4], [5, 8], [8, 9], [9, 13]]
    assert spaces_after(Sentence({"form": words}, layout=layout({"offsets": places}))) == b"\1\0\0\1"
    for wrong in (places[1:], [1, 2, 3, 4], "abcd", None, [[0, float("inf")]] * 4):
        assert spaces_after(Sentence({"form": words}, layout=layout({"offsets": wrong}))) == b"\1\1\1\1"


@pytest.mark.parametrize(
    ("tokens", "found"),
    [
        (["at", "2:15", "PM", "."], [(1, 3, "TIME")]),
        (["at", "2:15", "p.m."], [(1, 3, "TIME")]),
        (["AB", "-12", "left"], []),
        (["\u221212", "left"], [(0, 1, "NUMBER")]),
    ],
)
def test_full_stops_and_hyphens_are_not_part_of_values(tokens: list[str], found: list[tuple[int, int, str]]) -> None:
    assert [(span.start, span.end, span.label) for span in Rules.load("en")(tokens)] == found
