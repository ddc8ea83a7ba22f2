"""Splitters: every item is in one test part, groups stay whole, and the rules of the folds."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import Sentence
from perceptag.evaluation.splitters import EvenRuns, GroupFolds, documents_of

GROUPS = st.lists(st.integers(1, 4), max_size=12).map(
    lambda sizes: [group for group, size in enumerate(sizes) for _ in range(size)]
)


@given(GROUPS, st.integers(2, 6))
def test_every_item_is_in_one_test_part(groups: list[int], k: int) -> None:
    items = [range(3)] * len(groups)
    for splitter in (GroupFolds(k), EvenRuns(k)):
        pairs = list(splitter.split(items, groups))
        assert sorted(i for _, test in pairs for i in test) == list(range(len(groups)))
        for train, test in pairs:
            assert test and sorted(train + test) == list(range(len(groups))) and train == sorted(train)
        number = len({*groups})
        if isinstance(splitter, EvenRuns) or number >= k:  # groups stay whole
            assert len(pairs) == min(k, number)
            assert all(not {groups[i] for i in train} & {groups[i] for i in test} for train, test in pairs)


def held_out(splitter: GroupFolds | EvenRuns, items: list[range], groups: list[int] | None = None) -> list[list[int]]:
    return [test for _, test in splitter.split(items, groups)]


def test_groups_are_dealt_in_turn() -> None:
    assert held_out(GroupFolds(3), [range(1)] * 7) == [[0, 3, 6], [1, 4], [2, 5]]
    assert held_out(GroupFolds(5), [range(1)] * 2) == [[0], [1]]
    assert held_out(GroupFolds(2), [range(1)] * 5, [0, 0, 1, 2, 2]) == [[0, 1, 3, 4], [2]]
    assert held_out(GroupFolds(2), []) == held_out(EvenRuns(2), []) == []


def test_too_few_groups_give_way_to_blocks() -> None:
    assert held_out(GroupFolds(2), [range(1)] * 3, [0, 0, 0]) == [[0, 1], [2]]
    assert held_out(GroupFolds(4), [range(1)] * 9, [0] * 9) == [[0, 1, 2], [3, 4, 5], [6, 7, 8]]


@pytest.mark.parametrize("k", [1, 2, 5])
def test_runs_have_about_the_same_size(k: int) -> None:
    sizes = [7 * i % 30 + 1 for i in range(500)]
    parts = held_out(EvenRuns(k), [range(size) for size in sizes])
    shares = [sum(sizes[i] for i in part) for part in parts]
    assert len(parts) == k and max(shares) - min(shares) <= 2 * 30
    assert [i for part in parts for i in part] == list(range(500))


def test_documents_are_groups() -> None:
    marks = [False, False, True, False, True]
    assert documents_of([Sentence({"form": ["a"]}, starts_document=mark) for mark in marks]) == [0, 1, 2, 2, 3]
