"""Places of words from those of tokens, and small operations on arrays of numbers: as the obvious versions say."""

from __future__ import annotations

import itertools
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import _core
from reference.word_places import spaces_behind, word_places


def longs(numbers: list[int]) -> memoryview:
    return memoryview(array("q", numbers))


def ints(numbers: list[int]) -> memoryview:
    return memoryview(array("i", numbers))


@st.composite
def tokens(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    """Draw where tokens begin and end, and where words begin inside them."""
    begin, end, cuts, place = [], [], [], 0
    for gap, lengths in draw(st.lists(st.tuples(st.integers(0, 2), st.lists(st.integers(1, 3), min_size=1)))):
        place += gap
        begin.append(place)
        for number, length in enumerate(lengths):
            cuts += [place] if number else []
            place += length
        end.append(place)
    return begin, end, cuts


@given(tokens(), st.integers(0, 2))
def test_places_of_words(found: tuple[list[int], list[int], list[int]], gap: int) -> None:
    starts, ends = _core.word_places(*map(longs, found))
    assert (starts.tolist(), ends.tolist()) == word_places(*found)
    behind = found[1][-1] + gap if found[1] else gap
    expected = spaces_behind(starts.tolist(), ends.tolist(), behind)
    assert _core.spaces_behind(starts, ends, behind).tolist() == expected


def test_places_that_do_not_fit_are_refused() -> None:
    with pytest.raises(ValueError, match="expected an end for each token"):
        _core.word_places(longs([0]), longs([]), longs([]))
    with pytest.raises(ValueError, match="expected places in order"):
        _core.word_places(longs([0]), longs([9]), longs([5, 3]))
    with pytest.raises(ValueError, match="expected an end for each word"):
        _core.spaces_behind(longs([0]), longs([]), 1)


@given(st.lists(st.integers(-9, 9), min_size=1), st.data())
def test_numbers_at_places(numbers: list[int], data: st.DataObject) -> None:
    places = data.draw(st.lists(st.integers(0, len(numbers) - 1)))
    assert _core.take(ints(numbers), ints(places)).tolist() == [numbers[place] for place in places]
    for wrong in (-1, len(numbers)):
        with pytest.raises(ValueError, match="a place is out of range"):
            _core.take(ints(numbers), ints([*places, wrong]))


def test_pairs_of_labels() -> None:
    table = ints([1, 2, 3, 4, 5, 6]).cast("B").cast("i", (3, 2))
    assert _core.by_pairs(table, ints([0, 1, 1, 0]), ints([0, 2, 2, 4])).tolist() == [5, 2, 6, 3]
    assert _core.by_pairs(table, ints([]), ints([0])).tolist() == []
    with pytest.raises(ValueError, match="a label is out of range"):
        _core.by_pairs(table, ints([2]), ints([0]))
    with pytest.raises(ValueError, match="expected a row for each label and one for the start"):
        _core.by_pairs(ints([1, 2, 3, 4]).cast("B").cast("i", (2, 2)), ints([0]), ints([0]))


@given(st.text(alphabet="ab \n", max_size=6))
def test_text_of_phrases(text: str) -> None:
    expected = not text or all(all(line.split(" ")) for line in text.split("\n"))
    assert _core.are_phrases(text.encode()) == expected


@given(st.lists(st.tuples(st.sampled_from([0.0, -0.0, 1.0]), st.sampled_from([0.0, 2.0]))))
def test_rows_of_weights(rows: list[tuple[float, float]]) -> None:
    values = memoryview(array("f", [value for row in rows for value in row]))
    assert _core.has_no_empty_row(values, 2) == all(any(row) for row in rows)
    with pytest.raises(ValueError, match="width: expected a number above 0, found 0"):
        _core.has_no_empty_row(values, 0)


@given(st.lists(st.integers(0, 5), max_size=4))
def test_rising_numbers(numbers: list[int]) -> None:
    expected = all(a < b for a, b in itertools.pairwise(numbers))
    assert _core.are_rising(memoryview(array("Q", numbers))) == expected
    assert _core.are_rising(memoryview(array("I", numbers))) == expected
