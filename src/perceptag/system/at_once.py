"""Some calls at the same time, on threads. They gain where native code works without the lock of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def at_once(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> list[Result]:
    """The results for some items, in their order. Of several errors that of the first item is raised.

    With one thread, or one item, the calls are made here, one after the other.
    """
    every = list(items)
    workers = min(threads, len(every))
    if workers < 2:
        return [work(item) for item in every]
    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, every))
