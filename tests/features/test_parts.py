"""Features and counts of parts of the data, merged in their order, are those of all data."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import _core
from perceptag.features.encoder import Encoder
from perceptag.features.template import parse_all

TEMPLATES = ["form[0]", "bias", "form[-1] list[0]", "list[0] list[1]", "list[0] * y-1 y0", "form[0] * y-1 y0",
             "form[-1] form[0] form[1] * y-2 y-1 y0"]  # fmt: skip
LABELS = 3
# A token has a form, several values in another column, and a label.
TOKEN = st.tuples(st.sampled_from("abcd"), st.sets(st.sampled_from("xyz")), st.integers(0, LABELS - 1))
SENTENCES = st.lists(st.lists(TOKEN, max_size=5), min_size=1, max_size=8)
NONE = np.zeros(0, np.int32)


class Data:
    """Sentences as arrays of type ids."""

    def __init__(self, sentences: list[list[tuple[str, set[str], int]]]) -> None:
        self.encoder = Encoder(parse_all(TEMPLATES, ["form", "list"]))
        columns: Any = {"form": [[form for form, _, _ in s] for s in sentences],
                        "list": [[tuple(sorted(some)) for _, some, _ in s] for s in sentences]}  # fmt: skip
        self.ids = self.encoder.type_ids(columns)
        self.begin = np.cumsum([0, *map(len, sentences)]).astype(np.int32)
        self.labels = np.array([label for s in sentences for _, _, label in s], np.int32)

    def part(self, first: int, last: int) -> tuple[_core.FeatureIndex, _core.Corpus]:
        """An index and encoded sequences of some sentences only."""
        a, b = self.begin[first], self.begin[last]
        index, begin = self.encoder.freeze(), self.begin[first : last + 1] - a
        ids = [column[a:b] for column in self.ids]
        return index, _core.encode_new(index, self.encoder.tables(), ids, begin, self.labels[a:b], NONE)

    def some(self, index: _core.FeatureIndex, chosen: Any) -> _core.Corpus:
        """The chosen sentences, encoded."""
        return _core.encode_some(index, self.encoder.tables(), self.ids, self.begin, self.labels, NONE, chosen)


def lists(index: _core.FeatureIndex) -> list[tuple[Any, Any]]:
    return [index.list(i) for i in range(len(TEMPLATES))]


def plain(index: _core.FeatureIndex) -> list[list[list[int]]]:
    return [[array.tolist() for array in pair] for pair in lists(index)]


def rows(x: _core.Sequence) -> list[list[int]]:
    return [x.rows(order, t).tolist() for order in range(3) for t in range(len(x))]


def arrays(support: _core.Support) -> list[list[int]]:
    return [support.begin.tolist(), support.codes.tolist(), support.counts.tolist()]


def counted(corpus: _core.Corpus, index: _core.FeatureIndex) -> list[_core.Support]:
    return [_core.count_support(corpus, order, index.rows(order), LABELS) for order in range(3)]


@given(sentences=SENTENCES, cuts=st.sets(st.integers(0, 8)), cutoff=st.integers(2, 3), whole_rows=st.booleans())
def test_parts_are_merged_to_the_whole(
    sentences: list[list[tuple[str, set[str], int]]], cuts: set[int], cutoff: int, whole_rows: bool
) -> None:
    data, n = Data(sentences), len(sentences)
    index, corpus = data.part(0, n)
    merged = data.encoder.freeze()
    supports: list[list[_core.Support]] = [[], [], []]
    for first, last in pairwise([0, *sorted(cut for cut in cuts if cut < n), n]):
        own, part = data.part(first, last)
        maps = merged.merge(lists(own))
        for i in range(last - first):
            found = [maps[order][part[i].rows(order, t)].tolist() for order in range(3) for t in range(len(part[i]))]
            assert found == rows(corpus[first + i])
        for order, support in enumerate(counted(part, own)):
            supports[order].append(support.moved(maps[order], merged.rows(order)))
    assert plain(merged) == plain(index)
    summed = [_core.sum_support(parts) for parts in supports]
    assert [arrays(s) for s in summed] == [arrays(s) for s in counted(corpus, index)]
    for order in range(3):
        kept, renumber = _core.cut_features(summed[order], cutoff, whole_rows, order, merged)
        same = _core.apply_cutoff(counted(corpus, index)[order], cutoff, whole_rows, order, index, corpus)
        assert arrays(kept) == arrays(same)
        assert [row for row in renumber.tolist() if row >= 0] == list(range(merged.rows(order)))
    assert plain(merged) == plain(index)
    chosen = np.array([n - 1, 0, *range(n)], np.int32)
    some = data.some(merged, chosen)
    assert [rows(some[i]) for i in range(len(some))] == [rows(corpus[i]) for i in chosen.tolist()]
    assert [some[i].labels for i in range(len(some))] == [corpus[i].labels for i in chosen.tolist()]


@given(sentences=SENTENCES)
def test_transitions_are_counted(sentences: list[list[tuple[str, set[str], int]]]) -> None:
    _, corpus = Data(sentences).part(0, len(sentences))
    for order in (1, 2):
        counts = _core.count_transitions(corpus, order, LABELS)
        padded = [[LABELS] * order + [label for _, _, label in s] for s in sentences]
        expected = Counter(tuple(p[t : t + order + 1]) for p in padded for t in range(len(p) - order))
        ids = np.array(list(expected) or np.zeros((0, order + 1)), np.int32).T.copy()
        assert counts.sum() == sum(expected.values())
        assert counts[_core.label_codes(ids, LABELS)].tolist() == list(expected.values())
        for cutoff in (0, 2):
            unseen = _core.unseen_transitions(corpus, order, LABELS, cutoff)
            assert unseen.tolist() == [int(count < max(1, cutoff)) for count in counts.tolist()]


def simple() -> Data:
    return Data([[("a", {"x", "y"}, 0), ("b", set(), 1)], [("a", {"x"}, 2)], []])


def test_mapped_files_and_64_bits_will_do(tmp_path: Path) -> None:
    data = simple()
    index, corpus = data.part(0, 3)
    for i, column in enumerate(data.ids):
        column.tofile(tmp_path / str(i))
        data.ids[i] = np.memmap(tmp_path / str(i), np.int32, "r")
    data.begin = data.begin.astype(np.int64)
    some = data.some(index, np.array([1, 0], np.int64))
    assert [rows(some[i]) for i in (0, 1)] == [rows(corpus[1]), rows(corpus[0])]
    assert len(data.some(index, np.zeros(0, np.int64))) == 0


def test_only_what_is_chosen_is_read() -> None:
    data = simple()
    index, _ = data.part(0, 3)
    data.ids[0][2] = 99
    assert len(data.some(index, np.array([0], np.int32))) == 1
    with pytest.raises(ValueError, match="a type id is out of range"):
        data.some(index, np.array([1], np.int32))


@pytest.mark.parametrize("chosen", [-1, 3, 2**31 - 1])
def test_sequences_that_are_not_there_are_refused(chosen: int) -> None:
    data = simple()
    with pytest.raises(ValueError, match="chosen: a sequence is out of range"):
        data.some(data.part(0, 3)[0], np.array([chosen], np.int32))


@pytest.mark.parametrize("begin", [[0, 2, 1, 3], [0, -1, 2, 3], [0, 2, 9, 9], [3, 2, 1, 0]])
def test_sequences_beyond_the_tokens_are_refused(begin: list[int]) -> None:
    data = simple()
    index, _ = data.part(0, 3)
    data.begin = np.array(begin, np.int32)
    with pytest.raises(ValueError, match="begin: a sequence is not within the tokens"):
        data.some(index, np.array([0, 1], np.int32))


def test_arrays_that_do_not_fit_are_refused() -> None:
    data = simple()
    index, _ = data.part(0, 3)
    tables, chosen = data.encoder.tables(), np.array([0], np.int32)
    with pytest.raises(ValueError, match="one column for each table"):
        _core.encode_some(index, tables, data.ids[:1], data.begin, data.labels, NONE, chosen)
    with pytest.raises(ValueError, match="the same number of tokens"):
        _core.encode_some(index, tables, [data.ids[0], data.ids[1][:2]], data.begin, data.labels, NONE, chosen)
    with pytest.raises(ValueError, match="one label for each token"):
        _core.encode_some(index, tables, data.ids, data.begin, data.labels[:1], NONE, chosen)


def test_lists_that_are_not_those_of_an_index_are_refused_as_a_whole() -> None:
    data = simple()
    index, _ = data.part(0, 3)
    good, merged = lists(index), data.encoder.freeze()
    values, own = good[0]
    for bad, message in (
        (good[:-1], "features for each template"),
        ([(values[:-1], own), *good[1:]], "differ in number"),
        ([(values + 50, own), *good[1:]], "not in the vocabulary"),
        ([(values - 50, own), *good[1:]], "not in the vocabulary"),
        ([(values, own + 50), *good[1:]], "all rows, each row once"),
        ([(values, own * 0), *good[1:]], "all rows, each row once"),
        ([(values, own - 1), *good[1:]], "all rows, each row once"),
    ):
        with pytest.raises(ValueError, match=message):
            merged.merge(bad)
    assert merged.rows(0) == 0
    assert [rows.tolist() for rows in merged.merge(good)] == [list(range(index.rows(order))) for order in range(3)]


def numbers(*values: int) -> Any:
    return np.array(values, np.uint32)


def test_supports_have_arrays_that_fit() -> None:
    support = _core.Support(numbers(0, 2, 3), numbers(1, 4, 0), numbers(7, 1, 2**32 - 1))
    assert arrays(support) == [[0, 2, 3], [1, 4, 0], [7, 1, 2**32 - 1]]
    more = _core.Support(numbers(0, 0, 1, 2), numbers(0, 5), numbers(1, 1))
    assert arrays(_core.sum_support([support, more])) == [[0, 2, 3, 4], [1, 4, 0, 5], [7, 1, 2**32 - 1, 1]]
    assert arrays(_core.sum_support([])) == [[0], [], []]
    for begin, codes, counts in (
        (numbers(), numbers(), numbers()),
        (numbers(0, 3), numbers(1, 2), numbers(1, 2)),
        (numbers(0, 2, 1), numbers(1), numbers(1)),
        (numbers(0, 2), numbers(1, 1), numbers(1, 1)),
        (numbers(0, 1), numbers(1), numbers(1, 1)),
    ):
        with pytest.raises(ValueError, match=r"cover|overlap|sorted"):
            _core.Support(begin, codes, counts)
    for to, rows in (([0], 2), ([0, 0], 2), ([0, 2], 2), ([-1, 0], 2)):
        with pytest.raises(ValueError, match="row"):
            support.moved(np.array(to, np.int32), rows)
