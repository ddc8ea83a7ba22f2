"""Templates of whole spans are read, written and checked."""

from __future__ import annotations

import pytest

from perceptag.errors import SettingError
from perceptag.features.span_template import SpanTemplates, check_span_columns, parse_span, parse_spans, present
from perceptag.recipe.common_settings import SPAN_TEMPLATES


@pytest.mark.parametrize("text", SPAN_TEMPLATES)
def test_what_is_written_is_read_again(text):
    [template] = parse_spans([text], ["form", "pos"])
    assert SpanTemplates((template,), 8).texts == [text]


def test_fields_have_places_and_offsets():
    before, all_, length = parse_span("lower[first-2] pos[all] length", ["form", "pos"])
    assert (before.place, before.field.column, before.field.attributes, before.field.offset) == (
        *("first", "form", ("lower",)),
        -2,
    )
    assert (all_.place, all_.field.column, length.place, length.field) == ("all", "pos", "length", None)


def test_short_forms_are_written_out():
    assert len(parse_spans(["lower[first-2..-1]", "prefix1..3[last]"])) == 5


BAD_PLACES = ["lower[0]", "lower[middle]", "lower[first+99]", "lower[all+1]", "lower[any] length", "length[middle]"]


@pytest.mark.parametrize("text", ["", "lower", *BAD_PLACES])
def test_what_cannot_be_read_is_refused(text):
    for one in (text, f"{text} * y-1 y0"):
        with pytest.raises(SettingError, match="expected"):
            check_span_columns([parse_span(one, ["form"])], ["form"])


def test_columns_are_checked_and_missing_ones_left_out():
    templates = parse_spans(["pos[all]", "lower[all]"], ["form", "pos"])
    assert present(templates, ["pos"]) == templates[1:]
    with pytest.raises(SettingError, match="expected one of the columns form, found 'pos'"):
        check_span_columns(templates, ["form"])
