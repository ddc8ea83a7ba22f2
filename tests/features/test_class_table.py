"""Classes of words: the fall-back for words that the text does not have, examples, and arrays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag.features.class_table import WordClassTable, fold_digits, spellings
from reference.class_index import class_index

WORDS = ("the", "1,500", "Paris", "iPhone", "2000", "nato", "Straße", "3D", "0")
CLASSES = WordClassTable(
    (2, 5), WORDS, np.arange(len(WORDS), 0, -1), np.array([[i % 2, i % 5] for i in range(len(WORDS))], np.int32)
)


@pytest.mark.parametrize(
    ("word", "like"),
    [
        ("the", "the"),
        ("The", "the"),
        ("9,999", "1,500"),
        ("1984", "2000"),
        ("٣", "0"),
        ("PARIS", "Paris"),
        ("NATO", "nato"),
        ("5D", "3D"),
        ("STRASSE", None),
        ("", None),
    ],
)
def test_words_that_the_text_does_not_have(word: str, like: str | None) -> None:
    assert CLASSES.row(word) == (None if like is None else WORDS.index(like))
    assert CLASSES.of(word, 5) == (None if like is None else WORDS.index(like) % 5)


@given(st.text(max_size=6))
def test_spellings_begin_with_the_word_itself(word: str) -> None:
    forms = list(spellings(word))
    assert forms[0] == word and forms[1] == fold_digits(word) and forms[2] == fold_digits(word).lower()
    assert (len(forms) == 4) == fold_digits(word).isupper()


def test_examples_are_the_most_frequent_words() -> None:
    assert CLASSES.examples(2, 0) == "the·Paris·2000…"
    assert CLASSES.examples(2, 0, 5) == "the·Paris·2000·Straße·0"
    assert CLASSES.examples(5, 3) == "iPhone·0"


def test_some_sizes_only() -> None:
    only = CLASSES.only([5])
    assert only.sizes == (5,) and [only.of(word, 5) for word in WORDS] == [CLASSES.of(word, 5) for word in WORDS]
    assert only != CLASSES and CLASSES.only([5, 2]) == CLASSES and hash(CLASSES.only([5, 2])) == hash(CLASSES)


LETTERS = st.text(alphabet="aAbB\u0130\u212a\u0661é17", min_size=1, max_size=3)


@given(
    words=st.lists(LETTERS, min_size=1, max_size=30, unique=True),
    asked=st.lists(LETTERS, max_size=10),
    largest=st.integers(1, 200),
    in_any_case=st.booleans(),
)
def test_the_core_knows_the_spellings_of_the_slow_index(
    words: list[str], asked: list[str], largest: int, in_any_case: bool
) -> None:
    counts = [max(1, largest >> place) for place in range(len(words))]
    numbers = np.zeros((len(words), 1), np.int32)
    table = WordClassTable((2,), tuple(words), np.array(counts), numbers, ("case",) if in_any_case else ())
    expected = class_index(words, counts, in_any_case)
    for one in (table, WordClassTable.from_arrays(*table.to_arrays())):
        assert {form: one.native.row(form) for form in expected} == expected
        for form in asked:
            assert one.native.row(form) == expected.get(form)
            assert (form in one.lowered) == (form in {word.lower() for word in words})


def test_arrays_and_pickles_give_back_the_same() -> None:
    assert WordClassTable.from_arrays(*CLASSES.to_arrays()) == CLASSES
    for table in (CLASSES, WordClassTable.from_arrays(*CLASSES.to_arrays())):
        again = pickle.loads(pickle.dumps(table))
        assert again == CLASSES and again.row("The") == 0
    assert CLASSES != "classes"


def test_words_are_found_in_any_case_if_the_classes_say_so() -> None:
    words, counts = ("the", "Berlin", "apple", "Apple", "IBM", "berlin"), np.array([500, 100, 40, 30, 20, 10])
    numbers = np.array([[0], [1], [2], [3], [4], [5]], np.int32)
    plain = WordClassTable((6,), words, counts, numbers)
    folded = WordClassTable((6,), words, counts, numbers, ("case",))
    asked = ("berlin", "BERLIN", "Berlin", "apple", "Apple", "APPLE", "ibm", "Ibm", "rome")
    assert [plain.of(word, 6) for word in asked] == [5, 5, 1, 2, 3, 2, None, None, None]
    assert [folded.of(word, 6) for word in asked] == [1, 1, 1, 2, 3, 2, 4, 4, None]
    arrays, facts = folded.to_arrays()
    assert WordClassTable.from_arrays(arrays, facts) == folded
