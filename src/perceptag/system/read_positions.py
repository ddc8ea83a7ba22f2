"""Positions in the files being read, for progress bars. Readers only register their files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

_open: dict[str, int] = {}  # file descriptors by file name


@contextmanager
def watched(stream: IO[Any], name: str) -> Iterator[None]:
    """Register an open file for `place_in` while the block runs."""
    _open[name] = stream.fileno()
    try:
        yield
    finally:
        _open.pop(name, None)


def place_in(name: str) -> int | None:
    """Return the position in a registered file without blocking; None if it is not open or not seekable."""
    descriptor = _open.get(name)
    try:
        return None if descriptor is None else os.lseek(descriptor, 0, os.SEEK_CUR)
    except OSError:  # a pipe, or closed at this moment
        return None
