"""Normalised values: no text whatever ends in an exception, and what is no value has none."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import Rules
from perceptag.rules.values import VALUES

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
