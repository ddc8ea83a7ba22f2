"""Calls in a few threads: order of results, errors, and what layers share."""

from __future__ import annotations

import threading

import pytest

from perceptag.system.cores import thread_map


def test_results_have_the_order_of_the_items() -> None:
    assert thread_map(lambda n: n * n, range(7), 2) == [n * n for n in range(7)]
    assert thread_map(abs, [], 2) == []


def test_items_are_worked_on_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=30)
    assert len(set(thread_map(lambda _: (both.wait(), threading.get_ident())[1], range(2), 2))) == 2


def test_the_error_of_the_first_item_is_raised() -> None:
    def fail(number: int) -> int:
        if number in (1, 3):
            raise ValueError(str(number))
        return number

    with pytest.raises(ValueError, match=r"^1$"):
        thread_map(fail, range(5), 2)
