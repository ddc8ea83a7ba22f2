"""Use several cores: how many there are, and a thread pool for calls into native code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from perceptag.system.platform.machine import usable_cores

Item = TypeVar("Item")
Result = TypeVar("Result")


def cores(wanted: int = 0) -> int:
    """Return the number of threads or processes to use; 0 stands for all cores that this process may use."""
    return wanted or usable_cores()


def thread_map(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> list[Result]:
    """Apply a function to all items in a thread pool; worthwhile when native code releases the GIL.

    Results are in the order of the items; if several calls fail, the error of the first item is raised. One thread or
    one item needs no pool.
    """
    every = list(items)
    workers = min(threads, len(every))
    if workers < 2:
        return [work(item) for item in every]
    from concurrent.futures import ThreadPoolExecutor  # most commands start without it

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(work, every))
