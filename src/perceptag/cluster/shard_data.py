"""Store the data of a shard as memory-mapped arrays of type ids, label ids and offsets.

Feature rows would take ten times the memory. They are looked up again for each block of sequences, and dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import IO, overload

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.features.encoder import Encoder
from perceptag.learn.learner import PART
from perceptag.models.document.features import NumberedWords
from perceptag.models.document.sequence_problem import EncodedDocument

# Gives sequences with features left out; the numbers are those that the sequences have in the shard.
LeaveOut = Callable[[_core.Corpus, Ints], _core.Corpus]


@dataclass(frozen=True, slots=True)
class ShardData:
    """The tokens of a shard: arrays that are files."""

    ids: list[Ints]  # type ids, for each column
    labels: Ints
    closed: Ints  # entries of the tag dictionary, or empty
    begin: Ints  # [sequences + 1]
    documents: Ints  # [documents + 1] the first sequence of each
    words: Ints  # the number of each word in its document, where the learner sees them
    joins: Ints  # whether it joins mentions

    @property
    def tokens(self) -> int:
        """How many tokens there are."""
        return int(self.begin[-1])

    def blocks(self, tokens: int) -> Iterator[tuple[int, int]]:
        """Ranges of sequences with about this number of tokens."""
        first, n = 0, len(self.begin) - 1
        while first < n:
            wanted = int(self.begin[first]) + tokens
            last = max(first + 1, int(np.searchsorted(self.begin, wanted, side="right")) - 1)
            yield first, min(last, n)
            first = last

    def block(self, first: int, last: int) -> tuple[list[Ints], Ints, Ints, Ints]:
        """Type ids, offsets, labels and closed words of some sequences."""
        a, b = int(self.begin[first]), int(self.begin[last])
        closed = self.closed[a:b] if len(self.closed) else self.closed
        return [ids[a:b] for ids in self.ids], self.begin[first : last + 1] - a, self.labels[a:b], closed


class ShardWriter:
    """Writes the arrays of a shard, one piece after the other."""

    def __init__(self, folder: Path, columns: int, has_closed: bool, has_documents: bool) -> None:
        self.folder = folder
        names = [*(f"ids-{c}" for c in range(columns)), "labels", *(["closed"] if has_closed else [])]
        names += ["words", "joins"] if has_documents else []
        self._streams: dict[str, IO[bytes]] = {name: (folder / name).open("wb") for name in names}

    def add(self, name: str, values: Ints) -> None:
        """Add values of an array."""
        values.astype(np.int32, copy=False).tofile(self._streams[name])

    def close(self, lengths: Ints, documents: npt.NDArray[np.intp]) -> None:
        """Close all files; write where sequences of these lengths begin, and the first sequence of each document."""
        for stream in self._streams.values():
            stream.close()
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32).tofile(self.folder / "begin")
        np.append(documents, len(lengths)).astype(np.int32).tofile(self.folder / "documents")


def load_shard(folder: Path, columns: int) -> ShardData:
    """Map the files of a shard."""
    ids = [_mapped(folder / f"ids-{c}") for c in range(columns)]
    begin, documents = (np.fromfile(folder / name, np.int32) for name in ("begin", "documents"))
    words = _mapped(folder / "words"), _mapped(folder / "joins")
    return ShardData(ids, _mapped(folder / "labels"), _mapped(folder / "closed"), begin, documents, *words)


def _mapped(path: Path) -> Ints:
    if not path.exists() or not path.stat().st_size:  # an empty file cannot be mapped
        return np.zeros(0, np.int32)
    return np.memmap(path, np.int32, "r")


class LookedUp(Sequence[_core.Sequence]):
    """Sequences of a shard in some order; their feature rows are looked up when a loop comes to them."""

    def __init__(self, data: ShardData, encoder: Encoder, chosen: Ints, leave_out: LeaveOut | None = None) -> None:
        self._data, self._encoder, self._tables = data, encoder, encoder.tables()
        self._chosen, self._leave_out = chosen, leave_out

    def __len__(self) -> int:
        return len(self._chosen)

    @overload
    def __getitem__(self, i: int) -> _core.Sequence: ...
    @overload
    def __getitem__(self, i: slice) -> list[_core.Sequence]: ...
    def __getitem__(self, i: int | slice) -> _core.Sequence | list[_core.Sequence]:
        """Look up one sequence, or a block of them."""
        if isinstance(i, slice):
            return self._look_up(self._chosen[i])
        return self._look_up(self._chosen[[i]])[0]

    def __iter__(self) -> Iterator[_core.Sequence]:
        for start in range(0, len(self), PART):
            yield from self[start : start + PART]

    def _look_up(self, chosen: Ints) -> list[_core.Sequence]:
        data = self._data
        index = self._encoder.frozen_index
        corpus = _core.encode_some(index, self._tables, data.ids, data.begin, data.labels, data.closed, chosen)
        if self._leave_out:
            corpus = self._leave_out(corpus, chosen)
        return [corpus[i] for i in range(len(corpus))]


class LookedUpDocuments(Sequence[EncodedDocument]):
    """Documents of a shard in some order; they are looked up as sequences are."""

    def __init__(self, data: ShardData, encoder: Encoder, chosen: Ints, leave_out: LeaveOut | None = None) -> None:
        self._data, self._chosen = data, chosen
        first, last = data.documents[chosen], data.documents[chosen + 1]
        self._borders = np.append(0, np.cumsum(last - first)).tolist()  # of the documents, among the sequences
        numbers = [np.arange(a, b, dtype=np.int32) for a, b in zip(first.tolist(), last.tolist(), strict=True)]
        self._numbers = np.concatenate([np.zeros(0, np.int32), *numbers])
        self._sequences = LookedUp(data, encoder, self._numbers, leave_out)

    def __len__(self) -> int:
        return len(self._chosen)

    @overload
    def __getitem__(self, i: int) -> EncodedDocument: ...
    @overload
    def __getitem__(self, i: slice) -> list[EncodedDocument]: ...
    def __getitem__(self, i: int | slice) -> EncodedDocument | list[EncodedDocument]:
        """Look up one document, or some of them."""
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        a, b = self._borders[i], self._borders[i + 1]
        return self._document(self._sequences[a:b], self._numbers[a:b].tolist())

    def __iter__(self) -> Iterator[EncodedDocument]:
        rest = iter(self._sequences)
        for a, b in pairwise(self._borders):
            yield self._document([next(rest) for _ in range(a, b)], self._numbers[a:b].tolist())

    def _document(self, sequences: list[_core.Sequence], numbers: list[int]) -> EncodedDocument:
        data = self._data
        places = [slice(int(data.begin[i]), int(data.begin[i + 1])) for i in numbers]
        tokens = [data.words[own].tolist() for own in places]
        whole = slice(places[0].start, places[-1].stop)
        joining = np.zeros(1 + int(data.words[whole].max()), np.uint8)
        joining[data.words[whole]] = data.joins[whole]
        return EncodedDocument((), sequences, (), NumberedWords(tokens, joining))
