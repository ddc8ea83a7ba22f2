"""Work on sentences batch by batch, and read the next batch meanwhile."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, TypeVar

from perceptag.text import Sentence
from perceptag.text.documents import iter_documents

if TYPE_CHECKING:
    from concurrent.futures import Future

Group = TypeVar("Group")
Result = TypeVar("Result")


def batches(sentences: Iterable[Sentence], tokens: int, whole_documents: bool = False) -> Iterator[list[Sentence]]:
    """Group sentences into batches of at least `tokens` tokens. With `whole_documents` no document is cut."""
    batch: list[Sentence] = []
    size = 0
    for part in iter_documents(sentences) if whole_documents else ([sentence] for sentence in sentences):
        batch += part
        size += sum(map(len, part))
        if size >= tokens:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def batchwise(
    work: Callable[[Group], Result], groups: Iterable[Group], ahead: bool = True, workers: int = 1
) -> Iterator[tuple[Group, Result]]:
    """Do the work of each batch in turn. With `ahead` the next batches are read and begun while native code is busy.

    The first batch is done at once: where there is only one, no thread has to be started.
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
