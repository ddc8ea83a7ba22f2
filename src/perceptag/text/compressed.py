"""Files that gzip has compressed, read as if they were not. They are known by their first bytes, not by their names."""

from __future__ import annotations

import errno
import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from perceptag.errors import DataError, reason
from perceptag.text.lines import Source, open_input

_MAGIC = b"\x1f\x8b"


class ByteStream:
    """Bytes of a file, decompressed if need be. It has the name of the file, for messages. Text stays text."""

    def __init__(self, file: IO[Any], name: str) -> None:
        self.name = name
        self._file = file
        self._inner: Any = gzip.GzipFile(fileobj=file) if _first_bytes(file, name) == _MAGIC else file

    def read(self, size: int) -> Any:
        """Return at most so many bytes, those that are there. A damaged file is an OSError, as other errors are."""
        try:
            return getattr(self._inner, "read1", self._inner.read)(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise OSError(errno.EIO, f"the compressed file is damaged: {error}") from None

    def place(self) -> int:
        """Return how many bytes of the file itself have been read; 0 if that cannot be told."""
        return self._file.tell() if self._file.seekable() else 0


@contextmanager
def decompressed(source: Source) -> Iterator[ByteStream]:
    """Open a file for reading; ``-`` is standard input."""
    with open_input(source) as (file, name):
        yield ByteStream(file, name)


def _first_bytes(file: IO[Any], name: str) -> Any:
    """Look at the beginning of a file; it is read again. A stream that cannot do that is not compressed."""
    try:
        if hasattr(file, "peek"):
            return bytes(file.peek(len(_MAGIC))[: len(_MAGIC)])
        if not file.seekable():
            return b""
        place = file.tell()
        found = file.read(len(_MAGIC))
        file.seek(place)
        return found
    except OSError as error:
        raise DataError(f"cannot read: {reason(error)}", where=name) from None
