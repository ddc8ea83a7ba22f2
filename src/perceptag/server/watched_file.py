"""Files that are read again when they change, so that tokens are renewed without a restart."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Generic, TypeVar

from perceptag.errors import SettingError

EVERY = 1.0  # seconds between two looks at a file
Content = TypeVar("Content")


class WatchedFile(Generic[Content]):
    """The content of a file. While it is missing or wrong, the last good content stays valid.

    Parameters
    ----------
    path : the file; a change of time, size or inode, or of the target of a link, is noticed
    read : reads it; raises SettingError if it is wrong
    log : takes a line for the log, as key words; called once for each change
    """

    def __init__(self, path: str, read: Callable[[], Content], log: Callable[..., object]) -> None:
        self._path, self._read, self._log = path, read, log
        self._mark = _mark(path)  # before the first reading: a change meanwhile is noticed later
        self._content = read()
        self._next = time.monotonic() + EVERY

    def __call__(self) -> Content:
        """Return the content; look at the file first, unless that was a moment ago."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            if (mark := _mark(self._path)) != self._mark:
                self._mark = mark
                self._read_again()
        return self._content

    def _read_again(self) -> None:
        try:
            self._content = self._read()
        except SettingError as error:
            self._log(event="file", file=self._path, result="unchanged", error=str(error))
        else:
            self._log(event="file", file=self._path, result="read again")


def _mark(path: str) -> tuple[int, int, int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
