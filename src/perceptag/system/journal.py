"""A journal of results, one JSON object per line, each safe on disk before the next.

The first line says which work the results belong to. After a kill the last line may be incomplete: it is dropped, and
that piece of work is done again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from perceptag.errors import DataError, SettingError

_SURROGATE = re.compile("[\ud800-\udfff]")  # stands for a byte that is not UTF-8


class Journal:
    """A file of results from which interrupted work resumes."""

    def __init__(self, path: str, work: Mapping[str, Any], remedy: str = "name another file, or remove it") -> None:
        self.path = path
        self.remedy = remedy  # if the journal is of other work
        self.work = json.loads(json.dumps(work))  # as it will be read back

    def open(self, fault: Callable[[dict[str, Any]], str] = lambda _: "") -> list[dict[str, Any]]:
        """Begin or continue, and return the results so far. A journal of other work is refused and not changed.

        `fault` says what is wrong with a result; a journal with a wrong result is refused, too.
        """
        data = Path(self.path).read_bytes() if Path(self.path).exists() else b""
        if _as_line(self.work).startswith(data):  # nothing yet, or killed while the first line was written
            self._cut(0)
            self._write(self.work)
            return []
        whole = data.rfind(b"\n") + 1
        entries = [self._entry(line, number) for number, line in enumerate(data[:whole].splitlines(), 1)]
        if not entries or entries[0] != self.work:
            here = entries[0] if entries else {}
            other = [key for key in {**self.work, **here} if here.get(key) != self.work.get(key)]
            raise SettingError(
                f"{self.path}: expected a journal of this work, found one of other work "
                f"(different: {', '.join(other)}); {self.remedy}"
            )
        for number, entry in enumerate(entries[1:], 2):
            if wrong := fault(entry):
                raise DataError(f"{wrong}: the journal is damaged; repair or remove it", f"{self.path}:{number}")
        self._cut(whole)
        return entries[1:]

    def add(self, entry: Mapping[str, Any]) -> None:
        """Write one result and wait until it is on the disk."""
        self._write(entry)

    def _write(self, entry: Mapping[str, Any]) -> None:
        try:
            with Path(self.path).open("ab") as stream:
                stream.write(_as_line(entry))
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise DataError(f"cannot write the journal: {error.strerror}", self.path) from error

    def _entry(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict):
            message = "expected a JSON object; this is not a journal, or it is damaged"
            raise DataError(message, f"{self.path}:{number}")
        return entry

    def _cut(self, size: int) -> None:
        if Path(self.path).exists():
            os.truncate(self.path, size)


def _as_line(entry: Mapping[str, Any]) -> bytes:
    return as_json(entry, allow_nan=False).encode() + b"\n"


def as_json(value: object, **layout: Any) -> str:
    """Return JSON that UTF-8 can encode: if a file name cannot be encoded, escape all non-ASCII characters."""
    text = json.dumps(value, ensure_ascii=False, **layout)
    return text if text.isascii() or not _SURROGATE.search(text) else json.dumps(value, **layout)
