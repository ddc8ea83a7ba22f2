"""Run the work on batches of sentences or blocks of lines in order, and read the next ones meanwhile."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Group = TypeVar("Group")
Result = TypeVar("Result")


def batchwise(
    work: Callable[[Group], Result], groups: Iterable[Group], ahead: bool = True, workers: int = 1
) -> Iterator[tuple[Group, Result]]:
    """Do the work of each group in turn. With `ahead`, read and begin the next groups while native code is busy.

    The first group is done at once: a single one needs no thread.
    """
    rest = iter(groups)
    for group in islice(rest, 1) if ahead else rest:
        yield group, work(group)
    for second in islice(rest, 1):
        yield from _ahead(work, chain([second], rest), workers)


def _ahead(work: Callable[[Group], Result], groups: Iterable[Group], workers: int) -> Iterator[tuple[Group, Result]]:
    from concurrent.futures import ThreadPoolExecutor  # short texts need not wait for it

    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[tuple[Group, Future[Result]]] = deque()
        for group in groups:
            waiting.append((group, pool.submit(work, group)))
            if len(waiting) > workers:
                yield _done(*waiting.popleft())
        while waiting:
            yield _done(*waiting.popleft())


def _done(group: Group, result: Future[Result]) -> tuple[Group, Result]:
    return group, result.result()
