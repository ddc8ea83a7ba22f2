"""A queue in which clients take turns, and which is never longer than it may be."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from perceptag.server.fair_queue import FairQueue


def test_clients_take_turns() -> None:
    queue: FairQueue[int] = FairQueue(100)
    for number in range(4):
        queue.put("many", number)
    queue.put("one", 10)
    queue.put("two", 20)
    assert [queue.take() for _ in range(6)] == [
        ("many", 0), ("one", 10), ("two", 20), ("many", 1), ("many", 2), ("many", 3)
    ]  # fmt: skip
    assert queue.take() is None


def test_the_client_with_the_most_jobs_loses_its_newest_one() -> None:
    queue: FairQueue[int] = FairQueue(4)
    assert [queue.put("many", number) for number in range(4)] == [None] * 4
    assert queue.put("many", 4) == 4
    assert queue.put("one", 10) == 3  # not the one that has just come
    assert queue.put("one", 11) == 2
    assert queue.put("one", 12) == 12  # both have as many, so the newcomer goes
    assert sorted(queue) == [0, 1, 10, 11] and len(queue) == 4


@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=60), st.integers(1, 8))
def test_no_entry_is_lost_or_returned_twice(steps: list[tuple[str, bool]], most: int) -> None:
    queue: FairQueue[tuple[str, int]] = FairQueue(most)
    put, out = 0, []
    for client, is_put in steps:
        if is_put:
            out.append(queue.put(client, (client, put)))
            put += 1
        elif (taken := queue.take()) is not None:
            assert taken[0] == taken[1][0]
            out.append(taken[1])
        assert len(queue) == len(list(queue)) <= most
        assert max(Counter(entry[0] for entry in queue).values(), default=0) <= most
    seen = [entry for entry in [*out, *queue] if entry is not None]
    assert sorted(number for _, number in seen) == list(range(put))
