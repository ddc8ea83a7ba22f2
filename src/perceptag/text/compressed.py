"""Files of text, compressed or not: read as if they were not, written as the ending of their name says."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

from perceptag.system import output_files as writing
from perceptag.system.compression import Decompressed, compressing, of_file, of_name
from perceptag.system.output_files import Target
from perceptag.text.lines import Source, open_raw


class ByteStream:
    """Bytes of a file, decompressed if need be. It has the name of the file, for messages. Text stays text."""

    def __init__(self, file: IO[Any], name: str) -> None:
        self.name = name
        self._file = file
        way = of_file(file, name)
        self._inner: Any = Decompressed(file, way, name) if way else file

    def read(self, size: int) -> Any:
        """Return some bytes, those that are there. A damaged file is an OSError, as other errors are."""
        return getattr(self._inner, "read1", self._inner.read)(size)

    def place(self) -> int:
        """Return how many bytes of the file itself have been read; 0 if that cannot be told."""
        return self._file.tell() if self._file.seekable() else 0


@contextmanager
def decompressed(source: Source) -> Iterator[ByteStream]:
    """Open a file or a stream for reading; ``-`` is standard input."""
    with open_raw(source) as (file, name):
        yield ByteStream(file, name)


@contextmanager
def open_output(target: Target) -> Iterator[IO[Any]]:
    """Open `target` as `perceptag.system.output_files.open_output` does; a name such as ``a.conllu.gz`` compresses.

    What is written to standard output or to an open stream is not compressed.
    """
    way = of_name(os.fspath(target)) if isinstance(target, (str, os.PathLike)) else None
    with writing.open_output(target) as stream:
        if way is None:
            yield stream
        else:
            with compressing(stream, way) as packed:
                yield packed
