"""Read text files whether or not they are compressed; compress on writing by file extension."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, cast

from perceptag.system import output_files as writing
from perceptag.system.compression import Decompressed, compressing, of_file, of_name
from perceptag.system.file_kinds import FileKind
from perceptag.system.output_files import Target
from perceptag.system.replacing import refuse_other_kind
from perceptag.text.lines import Source, as_utf8, byte_chunks, open_raw

_LINE_END = re.compile(rb"\r\n|\r(?!\Z)|\n")


class ByteStream:
    """Bytes of a file, decompressed if necessary, with its name for messages. Text streams stay text."""

    def __init__(self, file: IO[Any], name: str, source: Source) -> None:
        self.name = name
        self._file = file
        way = of_file(file, name) if not isinstance(source, (str, os.PathLike)) else None
        self._inner: Any = Decompressed(file, way, name) if way else as_utf8(file, name, source)

    def read(self, size: int) -> Any:
        """Return the bytes available, at most `size`. A damaged file raises OSError."""
        return getattr(self._inner, "read1", self._inner.read)(size)

    def place(self) -> int:
        """Return the position in the compressed file; 0 if it is not seekable."""
        return self._file.tell() if self._file.seekable() else 0


@contextmanager
def decompressed(source: Source) -> Iterator[ByteStream]:
    """Open a file or a stream for reading; ``-`` is standard input."""
    with open_raw(source) as (file, name):
        yield ByteStream(file, name, source)


@contextmanager
def open_output(target: Target, kind: FileKind | None = None) -> Iterator[IO[Any]]:
    """Open `target` like `perceptag.system.output_files.open_output`, compressing if its name ends in ``.gz`` or alike.

    Standard output and open streams are not compressed. `kind`: an existing file of another kind is not replaced.
    """
    if kind and isinstance(target, (str, os.PathLike)):
        refuse_other_kind("target", os.fspath(target), kind)
    way = of_name(os.fspath(target)) if isinstance(target, (str, os.PathLike)) else None
    with writing.open_output(target) as stream:
        if way is None:
            yield stream
        else:
            with compressing(stream, way) as packed:
                yield packed


class _LineEnds:
    """Writes bytes whose lines end in LF to a stream, with other ends."""

    def __init__(self, stream: IO[bytes], end: bytes) -> None:
        self._stream, self._end = stream, end

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, data: bytes) -> int:
        """Write lines, or parts of them; return how many bytes were given."""
        self._stream.write(data.replace(b"\n", self._end))
        return len(data)


def with_line_ends(stream: IO[Any], path: str) -> IO[Any]:
    """Return a stream that ends lines as the first line of a text file does."""
    with decompressed(path) as file:
        first = _LINE_END.search(next(byte_chunks(cast("IO[bytes]", file), path), b""))
    return cast("IO[Any]", _LineEnds(stream, first.group())) if first and first.group() != b"\n" else stream
