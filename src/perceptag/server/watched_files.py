"""Files that are read again when they change, so that tokens are renewed without a restart."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from perceptag.errors import SettingError

EVERY = 1.0  # seconds between two looks at the files
Content = TypeVar("Content")


class WatchedFiles(Generic[Content]):
    """The content of some files. While they are missing or wrong, the last good content stays valid.

    Parameters
    ----------
    paths : the files; a change of time, size or inode, or of the target of a link, is noticed
    read : reads them all; raises SettingError if one is wrong
    log : takes a line for the log, as key words; called once for each change
    """

    def __init__(self, paths: Sequence[str], read: Callable[[], Content], log: Callable[..., object]) -> None:
        self._paths, self._read, self._log = paths, read, log
        self._marks = self._look()  # before the first reading: a change meanwhile is noticed later
        self._content = read()
        self._next = time.monotonic() + EVERY

    def __call__(self) -> Content:
        """Return the content; look at the files first, unless that was a moment ago."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            if (marks := self._look()) != self._marks:
                self._marks = marks
                self._read_again()
        return self._content

    def _look(self) -> list[Any]:
        return [_mark(path) for path in self._paths]

    def _read_again(self) -> None:
        try:
            self._content = self._read()
        except SettingError as error:
            self._log(event="files", files=list(self._paths), result="unchanged", error=str(error))
        else:
            self._log(event="files", files=list(self._paths), result="read again")


def _mark(path: str) -> tuple[int, int, int] | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino
