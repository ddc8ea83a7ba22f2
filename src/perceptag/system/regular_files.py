"""Read whole regular files up to a size limit. Pipes and devices may block or never end."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a device", stat.S_IFBLK: "a device", stat.S_IFSOCK: "a socket"}


def other_kind(path: str | os.PathLike[str]) -> str:
    """Return "a pipe", "a device" or "a socket" if a path is one; "" for regular files and folders."""
    return _KINDS.get(stat.S_IFMT(Path(path).stat().st_mode), "")


def read_whole(path: str | os.PathLike[str], most: int) -> bytes:
    """Return the bytes of a regular file of at most `most` bytes; raise OSError for anything else."""
    if kind := other_kind(path):
        raise OSError(errno.EINVAL, f"expected a regular file, found {kind}", os.fspath(path))
    with Path(path).open("rb") as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > most:
            raise OSError(errno.EFBIG, f"expected at most {most} bytes, found {size}", os.fspath(path))
        return stream.read(size)
