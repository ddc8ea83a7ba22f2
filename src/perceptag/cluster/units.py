"""Assign sentences to shards: a shard is a contiguous range of units.

A unit is a document, or a sentence before the first mark of a document, exactly as `divide_documents` has it for
sentences in memory. Here no process holds the sentences; the parts say how many there are, and where documents start.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

import numpy as np

from perceptag.arrays import Ints, Longs, ranges


@dataclass(frozen=True, slots=True)
class ShardPiece:
    """Some sentences of a part, which belong to one shard."""

    part: int
    first: int
    last: int  # exclusive
    starts: bool = False  # the first of them starts a document whose mark is in an earlier part


@dataclass(frozen=True, slots=True)
class Shard:
    """A range of units."""

    number: int
    pieces: tuple[ShardPiece, ...]
    sentences: int
    units: int
    first_unit: int = 0
    first_sentence: int = 0


@dataclass(slots=True)
class Units:
    """The units of all parts, added in order."""

    first: list[int] = field(default_factory=lambda: [0])  # the number of the first sentence of each part, and the end
    starts: list[bool] = field(default_factory=list)  # whether a mark before the part belongs to its first sentence
    marks: list[Longs] = field(default_factory=list)  # numbers of the sentences that start a document
    _marked: bool = False  # whether the next sentence starts a document

    def add(self, sentences: int, starts: Ints, ends_marked: bool) -> None:
        """Add the next part."""
        numbers = starts.astype(np.int64)
        marked = self._marked and sentences > 0
        if marked and not (len(numbers) and numbers[0] == 0):
            numbers = np.concatenate([np.zeros(1, np.int64), numbers])
        self.marks.append(numbers + self.first[-1])
        self.starts.append(marked)
        self._marked = ends_marked or (self._marked and not sentences)
        self.first.append(self.first[-1] + sentences)

    def cut_document(self) -> int | None:
        """The first part that begins within a document of an earlier part, or whose first mark is in that part."""
        marked = False
        for part, marks in enumerate(self.marks):
            begins = len(marks) > 0 and int(marks[0]) == self.first[part] and not self.starts[part]
            if marked and self.first[part] < self.first[part + 1] and not begins:
                return part
            marked = marked or len(marks) > 0
        return None

    def shards(self, number: int) -> list[Shard]:
        """Cut the units into shards."""
        marks = np.concatenate([*self.marks, np.zeros(0, np.int64)])
        sentences = self.first[-1]
        alone = int(marks[0]) if len(marks) else sentences  # sentences before the first mark

        def begin(unit: int) -> int:
            return unit if unit < alone else int(marks[unit - alone]) if unit - alone < len(marks) else sentences

        found = []
        for k, own in enumerate(ranges(alone + len(marks), number)):
            a, b = begin(own.start), begin(own.stop)
            found.append(Shard(k, tuple(self._pieces(a, b)), b - a, len(own), own.start, a))
        return found

    def _pieces(self, a: int, b: int) -> list[ShardPiece]:
        """The parts of sentences a to b."""
        pieces = []
        part = max(0, bisect_right(self.first, a) - 1)
        while part < len(self.starts) and self.first[part] < b:
            first, end = self.first[part], self.first[part + 1]
            if max(a, first) < min(b, end):
                starts = self.starts[part] and a <= first
                pieces.append(ShardPiece(part, max(a, first) - first, min(b, end) - first, starts))
            part += 1
        return pieces
