"""The sentences of a file as a sequence: read when they are needed, and kept for the next time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from perceptag.errors import PerceptagError
from perceptag.system.plural import plural
from perceptag.text.sentence import Sentence


class SentenceList(Sequence[Sentence]):
    """A sequence of sentences over a reader, which is read at most once.

    A loop gets each sentence as soon as it is read; length, index and a second loop use those that are kept. It is an
    iterator, too, for ``next(sentences)``.
    """

    def __init__(self, reader: Iterator[Sentence]) -> None:
        self._reader = reader
        self._kept: list[Sentence] = []
        self._next = 0
        self._error: PerceptagError | None = None  # every loop ends with it, not only the first

    def __iter__(self) -> Iterator[Sentence]:
        place = 0
        while place < len(self._kept) or self._read_one():
            yield self._kept[place]
            place += 1

    def __next__(self) -> Sentence:
        if self._next >= len(self._kept) and not self._read_one():
            raise StopIteration
        self._next += 1
        return self._kept[self._next - 1]

    def _read_one(self) -> bool:
        if self._error is not None:
            raise self._error
        try:
            for sentence in self._reader:
                self._kept.append(sentence)
                return True
        except PerceptagError as error:
            self._error = error
            raise
        return False

    def _all(self) -> list[Sentence]:
        while self._read_one():
            pass
        return self._kept

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, place: Any) -> Any:
        return self._all()[place]

    def __eq__(self, other: object) -> bool:
        return self._all() == list(other) if isinstance(other, (list, SentenceList)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as lists

    def __repr__(self) -> str:
        return f"<SentenceList: {plural(len(self._kept), 'sentence')} read so far>"
