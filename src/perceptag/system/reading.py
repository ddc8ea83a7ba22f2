"""Files that are read as a whole: regular ones, up to a size. Pipes and devices might never begin, or never end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket"}


def other_kind(path: str | os.PathLike[str]) -> str:
    """What a file is that may never begin or end, or be read only once; an empty string for any other."""
    return _KINDS.get(stat.S_IFMT(Path(path).stat().st_mode), "")


def read_whole(path: str | os.PathLike[str], most: int) -> bytes:
    """The bytes of a regular file, of which there are at most `most`; anything else is an OSError that says so."""
    if kind := other_kind(path):
        raise OSError(errno.EINVAL, f"expected a regular file, found {kind}", os.fspath(path))
    with Path(path).open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > most:
            raise OSError(errno.EFBIG, f"it has {size} bytes; at most {most} are allowed", os.fspath(path))
        return stream.read(size)
