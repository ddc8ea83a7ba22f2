"""Edit scripts: word and script give the lemma, and the twin in `reference` agrees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import DataError
from perceptag.labels.edit_scripts import CONSTANT, parse_script, script_of, shared_scripts
from reference import edit_scripts as reference

anything = st.text(max_size=12)
letters = st.text("abABiI\u0130ıßéÉ> …=\\", max_size=8)  # with many common strings, case changes and escapes
words = anything | letters


@given(words, words)
def test_word_and_script_give_the_lemma(form, lemma):
    script = script_of(form, lemma)
    assert parse_script(script).apply(form) == lemma
    assert str(parse_script(script)) == script
    assert not {"\n", "\t", "\r"} & set(script)


@given(words, words, words)
def test_the_twin_makes_the_same_of_every_word(form, lemma, other):
    expected = reference.script_of(form, lemma)
    script = script_of(form, lemma)
    assert parse_script(script).case == expected[0]
    assert parse_script(script).apply(form) == reference.apply_script(expected, form) == lemma
    assert parse_script(script).apply(other) == reference.apply_script(expected, other)


@pytest.mark.parametrize(
    ("form", "lemma", "script"),
    [
        ("Chantés", "chanter", "lower … és>er"),
        ("Häuser", "Haus", "same =1 ä>a … er>"),
        ("ingesluit", "insluit", "lower =2 ge> …"),
        ("aufgehört", "aufhören", "lower … ge> =3 t>en"),
        ("PARIS", "Paris", "title …"),
        ("İyiler", "iyi", "lower … ler>"),
        ("İZMİR", "İzmir", "title …"),
        ("IŞIK", "ışık", "dotless …"),
        ("USA", "USA", "same …"),
        ("was", "be", "is be"),
        ("a b", "c d>", "lower a>c … b>d\\g"),
    ],
)
def test_scripts_are_readable(form, lemma, script):
    assert script_of(form, lemma) == script
    assert parse_script(script).apply(form) == lemma


def test_a_script_is_impossible_where_its_strings_are_not():
    assert parse_script("lower … és>er").apply("chanta") is None
    assert parse_script("lower … és>er").apply("és") is None  # nothing would be left
    assert parse_script("same …").apply("paris") is None  # the same as in lower case
    assert parse_script("lower =1 ä>a … er>").apply("Mäuser") == "maus"


@pytest.mark.parametrize(
    "text", ["", "lower", "small …", "lower … =x", "lower … … a>b", "is a b", "lower … =", "lower … =" + "9" * 5000]
)
def test_what_is_not_a_script_is_refused(text):
    with pytest.raises(DataError, match="edit script"):
        parse_script(text)


def test_scripts_of_a_single_word_are_left_out():
    sentences = [(["cats", "Dogs", "was", "was"], ["cat", "dog", "be", "be"])]
    assert shared_scripts(sentences) == {"lower … s>"}
    assert shared_scripts([(["was"], ["be"])]) == {f"{CONSTANT} be"}
