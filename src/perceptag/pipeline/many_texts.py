"""Many texts through a pipeline: in batches, on processes if asked for, and documents in the order of the texts."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perceptag.engines.calls import Call, LostWorkerError
from perceptag.engines.processes_engine import ProcessesEngine
from perceptag.errors import DataError, SettingError, brief
from perceptag.pipeline.text_documents import checked_text, listed_texts
from perceptag.system.cores import cores

if TYPE_CHECKING:
    from perceptag.pipeline.document import Document
    from perceptag.pipeline.pipeline import Pipeline

AHEAD = 4  # batches for each process that are read before the first of them is needed

Batch = tuple[list[str], list[Any]]  # texts, and what belongs to each


def pipe(
    pipeline: Pipeline, texts: Iterable[Any], batch_size: int, n_process: int, as_tuples: bool, confidence: bool | None
) -> Iterator[Any]:
    """Check the arguments of `Pipeline.pipe`, and yield documents."""
    listed = listed_texts(texts)
    size = _number("batch_size", batch_size, least=1)
    workers = _number("n_process", n_process, least=-1)
    groups = _batches(listed, size, as_tuples)
    if workers == 1 or not can_start_processes():
        return _each(((pipeline.documents(batch, confidence=confidence), kept) for batch, kept in groups), as_tuples)
    return _each(_on_processes(pipeline, groups, cores(max(workers, 0)), confidence), as_tuples)


def can_start_processes() -> bool:
    """Whether a new process can import the main script: one that Python reads from standard input has no file."""
    file = getattr(sys.modules["__main__"], "__file__", None)
    return file is None or Path(file).exists()


def _each(found: Iterable[tuple[list[Document], list[Any]]], as_tuples: bool) -> Iterator[Any]:
    for documents, kept in found:
        yield from zip(documents, kept, strict=True) if as_tuples else documents


def _number(name: str, value: object, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < least or (value == 0 and least < 0):
        expected = f"a number from {least}" if least > 0 else "-1 or a number from 1"
        raise SettingError(f"{name}: expected {expected}, found {brief(value)}")
    return value


def _batches(texts: Iterable[Any], size: int, as_tuples: bool) -> Iterator[Batch]:
    """Read texts as they are needed; the message about a wrong one has its number."""
    numbered = enumerate(texts)
    while group := list(islice(numbered, size)):
        pairs = [_pair(number, given) if as_tuples else (given, None) for number, given in group]
        batch = [checked_text(text, f"text {number}") for (number, _), (text, _) in zip(group, pairs, strict=True)]
        yield batch, [kept for _, kept in pairs]


def _pair(number: int, given: object) -> tuple[object, object]:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise SettingError(f"text {number}: as_tuples: expected (text, context), found {brief(given)}")
    return given[0], given[1]


class TextWorker:
    """A pipeline in a process of its own."""

    def __init__(self, pipeline: Pipeline, confidence: bool | None) -> None:
        self.pipeline = pipeline
        self.confidence = confidence

    def documents(self, texts: Sequence[str]) -> list[Document]:
        """Return the documents of a batch of texts."""
        return self.pipeline.documents(texts, confidence=self.confidence)


def _on_processes(
    pipeline: Pipeline, groups: Iterator[Batch], workers: int, confidence: bool | None
) -> Iterator[tuple[list[Document], list[Any]]]:
    """Label batches on processes. A few batches for each process are in memory at a time."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        raise SystemExit(1)  # a worker that imports a script without a main guard; the process that made it says so
    crew = ProcessesEngine(workers).crew(partial(TextWorker, pipeline, confidence))
    try:
        while window := list(islice(groups, AHEAD * workers)):
            found: dict[int, list[Document]] = {}
            due = 0
            for key, documents in crew.run([Call(i, "documents", (batch,)) for i, (batch, _) in enumerate(window)]):
                found[key] = documents
                while due in found:
                    yield found.pop(due), window[due][1]
                    due += 1
    except LostWorkerError as error:
        raise DataError(
            f"n_process: {error}. Each process imports the main script, so what starts them must be under "
            "\"if __name__ == '__main__':\"; if memory ran out, try fewer processes"
        ) from None
    finally:
        crew.close()
