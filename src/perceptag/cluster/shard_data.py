"""Store the data of a shard as memory-mapped arrays of type ids, label ids and offsets.

Feature rows would take ten times the memory. They are looked up again for each block of sequences, and dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, overload

import numpy as np

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.features.encoder import Encoder
from perceptag.learn.learner import PART


@dataclass(frozen=True, slots=True)
class ShardData:
    """The tokens of a shard: arrays that are files."""

    ids: list[Ints]  # type ids, for each column
    labels: Ints
    closed: Ints  # entries of the tag dictionary, or empty
    begin: Ints  # [sequences + 1]

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

    def __init__(self, folder: Path, columns: int, has_closed: bool) -> None:
        self.folder = folder
        names = [*(f"ids-{c}" for c in range(columns)), "labels", *(["closed"] if has_closed else [])]
        self._streams: dict[str, IO[bytes]] = {name: (folder / name).open("wb") for name in names}

    def add(self, name: str, values: Ints) -> None:
        """Add values of an array."""
        values.astype(np.int32, copy=False).tofile(self._streams[name])

    def close(self, lengths: Ints) -> None:
        """Close all files, and write where sequences of these lengths begin."""
        for stream in self._streams.values():
            stream.close()
        np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32).tofile(self.folder / "begin")


def load_shard(folder: Path, columns: int) -> ShardData:
    """Map the files of a shard."""
    ids = [_mapped(folder / f"ids-{c}") for c in range(columns)]
    return ShardData(
        ids, _mapped(folder / "labels"), _mapped(folder / "closed"), np.fromfile(folder / "begin", np.int32)
    )


def _mapped(path: Path) -> Ints:
    if not path.exists() or not path.stat().st_size:  # an empty file cannot be mapped
        return np.zeros(0, np.int32)
    return np.memmap(path, np.int32, "r")


class LookedUp(Sequence[_core.Sequence]):
    """Sequences of a shard in some order; their feature rows are looked up when a loop comes to them."""

    def __init__(self, data: ShardData, encoder: Encoder, chosen: Ints) -> None:
        self._data, self._encoder, self._tables = data, encoder, encoder.tables()
        self._chosen = chosen

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
        return [corpus[i] for i in range(len(corpus))]
