"""A byte range of a file as a stream, with the state that a reader has at its start."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from perceptag.errors import DataError, reason


class PartStream:
    """The bytes of a file from `begin` to `end`."""

    def __init__(self, file: IO[bytes], path: str, begin: int, end: int) -> None:
        self.name = path  # for messages
        self.begin = begin
        self.line = 1 if begin == 0 else 2  # number of the first line; only errors need the true one
        self.document: object = None  # of the sentence before it, in JSON lines
        self._file = file
        self._left = end - begin
        file.seek(begin)

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes."""
        data = self._file.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


@contextmanager
def open_part(path: str, begin: int, end: int) -> Iterator[PartStream]:
    """Open a stretch of a file."""
    with open_binary(path) as file:
        yield PartStream(file, path, begin, end)


@contextmanager
def open_binary(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file, or raise `DataError` if that fails."""
    try:
        file = Path(path).open("rb")  # noqa: SIM115, closed below
    except OSError as error:
        raise DataError(f"cannot read: {reason(error)}", where=os.fspath(path)) from None
    with file:
        yield file


def first_line(source: object) -> int:
    """Return the number of the first line of a source."""
    return source.line if isinstance(source, PartStream) else 1
