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


def test_some_clients_may_be_passed_over_and_keep_their_jobs() -> None:
    queue: FairQueue[int] = FairQueue(9)
    queue.put("slow", 1)
    assert queue.take(lambda client: client != "slow") is None
    queue.put("quick", 2)
    assert queue.take(lambda client: client != "slow") == ("quick", 2)
    assert queue.take() == ("slow", 1)


def test_more_jobs_of_a_client_are_taken_in_their_order_as_long_as_they_fit() -> None:
    queue: FairQueue[int] = FairQueue(9)
    for number in (1, 2, 30, 4):
        queue.put("a", number)
    queue.put("b", 5)
    assert queue.take_more("a", lambda n: n < 10, 8) == [1, 2]
    assert queue.take_more("a", lambda n: n < 10, 8) == []
    assert queue.take_more("nobody", lambda _: True, 8) == []
    queue.put("a", 0, is_first=True)
    queue.remove("a", 30)
    queue.remove("a", 30)
    assert [queue.take() for _ in range(len(queue))] == [("a", 0), ("b", 5), ("a", 4)]


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
