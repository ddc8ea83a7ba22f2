"""Templates and attributes as users write them: text form, and error messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import Sentence
from perceptag.errors import SettingError
from perceptag.features.attributes import as_values, compose, find, known_names
from perceptag.features.template import MAX_OFFSET, Field, Template, parse, parse_all
from perceptag.features.template_checks import leave_out_missing
from perceptag.models.linear.packing import model_templates
from perceptag.training.train import Training
from toys import make_recipe

COLUMNS = ["form", "pos", "chunk"]

paths = st.lists(st.sampled_from(known_names()), max_size=3).map(tuple)
fields = st.builds(Field, st.sampled_from(COLUMNS), paths, st.integers(-MAX_OFFSET, MAX_OFFSET))
contexts = st.sets(st.sampled_from([-2, -1, 1, 2])).map(lambda offsets: tuple(sorted(offsets)))
any_template = st.builds(Template, st.lists(fields, max_size=5).map(tuple), contexts)


@given(any_template)
def test_a_template_written_and_read_is_the_same(template):
    assert parse(str(template), COLUMNS) == template


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused_with_a_sentence(text):
    try:
        template = parse(text, COLUMNS)
    except SettingError as error:
        assert repr(text) in str(error)
    else:
        assert parse(str(template), COLUMNS) == template


MANY = " ".join(["form[-20..20]"] * 3)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([MANY], r"template 'form\[-20\.\.20\] .*: expected a short form of at most 10000 templates, found one of"),
        (["bias *" + " y0 |" * 700 + " y0 form[0..99]"], "at most 10000 templates, found one of 70100 or more"),
        ([f"form[{i // 41 - 20}] form[{i % 41 - 20}] " + "form[0] " * 60 for i in range(1640)], "at most 500000"),
        ([f"form[{'9' * 2000}..{'9' * 2000}]"], "expected an ascending range"),
        (["form[0..1..2]"], r"found 'form\[0\.\.2\]'"),
    ],
)
def test_more_templates_than_anybody_needs(texts, message):
    with pytest.raises(SettingError, match=message):
        parse_all(texts)


def test_a_template_may_stand_for_very_many():
    assert len(parse_all(["prefix1..9[-20..20] form[-5..5] * y0 | y-1 y0"], ["form"])) == 9 * 41 * 11 * 2


def test_columns_are_told_from_attributes():
    assert parse("pos[0]", COLUMNS).fields[0] == Field("pos", (), 0)
    assert parse("lower.suffix3[0]", COLUMNS).fields[0] == Field("form", ("lower", "suffix3"), 0)
    assert parse("pos.prefix1[-1]", COLUMNS).fields[0] == Field("pos", ("prefix1",), -1)


# ------------------------------------------------------------------------------------------ attributes


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("prefix1", "élan", "é"),  # two bytes in UTF-8, one character
        ("suffix1", "cafe\u0301", "\u0301"),
        ("prefix1", "😀x", "😀"),  # outside the basic plane
        ("prefix3", "ab", None),
        ("digit", "a٣", "1"),
        ("digit", "abc", None),
        ("upper", "iPhone", "1"),
        ("hyphen", "re-do", "1"),
        ("capital", "Éa", "1"),
        ("allcaps", "U.S.", "1"),
        ("alllower", "e.g.", "1"),
        ("number", "1,000.5", "1"),
        ("alphanumeric", "B2B", "1"),
        ("punctuation", "?!", "1"),
        ("length", "x" * 50, "20"),
        ("shape", "McX-9é", "XxX-dx"),
        ("shortshape", "AAbb11", "Xxd"),
    ],
)
def test_attributes(name, value, expected):
    assert find(name)(value) == expected


@given(st.text(max_size=12), st.integers(1, 9))
def test_prefixes_and_suffixes_count_characters(value, n):
    prefix, suffix = find(f"prefix{n}")(value), find(f"suffix{n}")(value)
    assert (prefix is None) == (suffix is None) == (len(value) < n)
    if prefix is not None:
        assert len(prefix) == len(suffix) == n
        assert value.startswith(prefix) and value.endswith(suffix)


def test_attributes_compose_from_left_to_right_and_through_bags():
    extra = {"letters": list, "none": lambda _: None}
    assert compose(["lower", "suffix2"])("DOG") == "og"
    assert compose([])("DOG") == "DOG"
    assert as_values(compose(["letters", "upper"], extra)("aBC")) == ["1"]
    assert as_values(compose(["letters", "lower"], extra)("aAb")) == ["a", "b"]
    assert as_values(compose(["none", "lower"], extra)("x")) == []


def test_templates_are_counted_before_columns_are_looked_for():
    texts = tuple(f"c{i}[-20..20]" for i in range(10_000))
    with pytest.raises(SettingError, match=r"expected at most 500000 characters in all written out templates"):
        leave_out_missing(texts, (), [], ["form"])


def test_attributes_with_the_name_of_a_column_are_spelt_out_in_the_model():
    sentence = Sentence({"form": ["A", "b"], "upper": ["x", "y"], "lower": ["P", "Q"]})
    for written, stored in (
        ("lower[0]", "form.lower[0]"),
        ("form.upper[0]", "form.upper[0]"),
        ("upper[0]", "upper[0]"),
    ):
        model = Training(make_recipe(templates=[written]), [sentence]).model()
        assert model.facts["templates"] == [stored]
        assert model_templates(model) == parse_all([written], ["form", "upper"])
