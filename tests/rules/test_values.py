"""Normalised values: any text gives a value or None, never an exception."""

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from perceptag import Rules
from perceptag.rules.values import NUMBERED, VALUES, wrong_list
from perceptag.text.jsonl import JsonLayout
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.sentence import Sentence, SentenceLayout
from perceptag.text.word_spacing import spaces_after

ENGLISH = Rules.load("en").file.lists
PIECES = ["5", "99", "2024", "1,234", ".5", "½", "1/0", "3:99", "pm", "half", "past", "to", "may", "31", "th", "'", "$"]
PIECES += ["million", "cents", "%", "per cent", "km", "°F", "-", "–", "/", ":", " "]
PIECES += ["1990s", "first", "friday", "é", "²"]


@pytest.mark.parametrize("name", sorted(VALUES))
@settings(max_examples=30, deadline=None)
@example(text="²5 may")
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


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [("time", "23:59", "23:59"), ("time", "24:00", "00:00"), ("time", "25:00", None), ("time", "12:59", "12:59"),
     ("time", "12:60", None), ("time", "10:30:59", "10:30:59"), ("time", "10:30:60", None), ("time", "1 pm", "13:00"),
     ("time", "12 pm", "12:00"), ("time", "12 am", "00:00"), ("time", "0 pm", None), ("time", "13 pm", None),
     ("date", "2000s", "200X"), ("date", "1900s", "19XX"), ("date", "1990s", "199X"),
     ("date", "first quarter of 2024", "2024-Q1"), ("date", "fourth quarter of 2024", "2024-Q4"),
     ("date", "fifth quarter of 2024", "2024"), ("date", "first century", "00XX"), ("date", "99th century", "98XX"),
     ("date", "100th century", "0100"), ("date", "1999-00", "1999/2000"), ("date", "2000-2000", "2000"),
     ("money", "$999-1,000", "999/1000 USD"), ("money", "$1,000-2,000", "1000/2000 USD"),
     ("money", "$5-10 million", "5000000/10000000 USD"), ("money", "$5-1 thousand", "5000/1000 USD"),
     ("money", "$1-2 million", "1000000/2000000 USD")],
)  # fmt: skip
def test_the_ends_of_ranges(name: str, text: str, value: str | None) -> None:
    assert VALUES[name](text, ENGLISH) == value


@pytest.mark.parametrize(("value", "name"), [(value, name) for value, lists in NUMBERED.items() for name in lists])
def test_numbers_of_lists_may_be_at_either_end(value: str, name: str) -> None:
    least, most = NUMBERED[value][name]
    for number, is_wrong in ((least, False), (most, False), (least - 1, True), (most + 1, True)):
        assert bool(wrong_list(value, {name: {"word": str(number)}})) == is_wrong


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
