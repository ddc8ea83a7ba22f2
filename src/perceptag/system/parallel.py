"""Call a function for several items in a few threads: for work that releases the GIL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from perceptag.system.platform.machine import usable_cores

Item = TypeVar("Item")
Result = TypeVar("Result")

MOST = 2  # threads: the largest item alone takes about half of the time, so more would wait for it


def for_each(function: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
    """Return the result for each item, in their order. Of several errors, the one of the first item is raised.

    This thread starts with the last item, which in pipelines is usually the largest, and the other with the first.

    >>> for_each(abs, [1, -2, 3])
    [1, 2, 3]
    """
    results: dict[int, Result] = {}
    errors: dict[int, BaseException] = {}
    waiting = list(enumerate(items))

    def work(place: int) -> None:
        while waiting:
            try:
                number, item = waiting.pop(place)
            except IndexError:  # another thread took it
                return
            try:
                results[number] = function(item)
            except BaseException as error:  # raised below, in the thread of the caller
                errors[number] = error

    others = [threading.Thread(target=work, args=[0]) for _ in range(min(MOST, usable_cores(), len(items)) - 1)]
    for thread in others:
        thread.start()
    work(-1)
    for thread in others:
        thread.join()
    if errors:
        raise errors[min(errors)]
    return [results[number] for number in range(len(items))]
