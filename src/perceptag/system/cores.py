"""Use several cores: how many there are, and threads for calls into native code, which releases the GIL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TypeVar

from perceptag.system.platform.machine import usable_cores

Item = TypeVar("Item")
Result = TypeVar("Result")


def cores(wanted: int = 0) -> int:
    """Return the number of threads or processes to use; 0 stands for all cores that this process may use."""
    return wanted or usable_cores()


def thread_map(work: Callable[[Item], Result], items: Iterable[Item], threads: int) -> list[Result]:
    """Apply a function to all items in a few threads; worthwhile when native code releases the GIL.

    Results are in the order of the items; if several calls fail, the error of the first item is raised. This thread
    starts with the last item, which in pipelines is usually the largest, and the others with the first.

    >>> thread_map(abs, [1, -2, 3], 2)
    [1, 2, 3]
    """
    results: dict[int, Result] = {}
    errors: dict[int, BaseException] = {}
    waiting = list(enumerate(items))
    count = len(waiting)
    if min(threads, count) < 2:
        return [work(item) for _, item in waiting]

    def run(place: int) -> None:
        while waiting:
            try:
                number, item = waiting.pop(place)
            except IndexError:  # another thread took it
                return
            try:
                results[number] = work(item)
            except BaseException as error:  # raised below, in the thread of the caller
                errors[number] = error

    others = [threading.Thread(target=run, args=[0]) for _ in range(min(threads, count) - 1)]
    for thread in others:
        thread.start()
    run(-1)
    for thread in others:
        thread.join()
    if errors:
        raise errors[min(errors)]
    return [results[number] for number in range(count)]
