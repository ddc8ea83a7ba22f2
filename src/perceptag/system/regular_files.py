"""Read whole files: regular ones, up to a size. Pipes and devices might never begin, or never end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket"}


def other_kind(path: str | os.PathLike[str]) -> str:
    """Return what a file is if it may never begin or end, or can be read only once; return "" for any other."""
    return _KINDS.get(stat.S_IFMT(Path(path).stat().st_mode), "")


def read_whole(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the bytes of a regular file of at most `most` bytes; anything else is an OSError that says so."""
    if kind := other_kind(path):
        raise OSError(errno.EINVAL, f"expected a regular file, found {kind}", os.fspath(path))
    with Path(path).open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > most:
            raise OSError(errno.EFBIG, f"expected at most {most} bytes, found {size}", os.fspath(path))
        return stream.read(size)
