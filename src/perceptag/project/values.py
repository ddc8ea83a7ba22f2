"""Values as they are stored: JSON text, digests, and text that any file can hold."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from perceptag.errors import DataError, ProjectError, SettingError, brief

NOT_CHAINED = b"\0" * 16  # stands before the first row


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))

_ROWS = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=repr)


def dump(value: object) -> str:
    """Return JSON text, always the same for the same value."""
    return _ENCODER.encode(value)


def load(text: str | None) -> Any:
    """Return the value of JSON text; None for None."""
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError, TypeError) as error:
        raise ProjectError(f"the project file is damaged: {error}: {brief(text)}") from None


def load_all(texts: Iterable[str]) -> list[Any]:
    """Return the values of many JSON texts; one call of the parser is several times as fast as many."""
    try:
        return list(json.loads(f"[{','.join(texts)}]"))
    except (ValueError, RecursionError, TypeError) as error:
        raise ProjectError(f"the project file is damaged: {error}") from None


def chained(before: bytes, row: Iterable[object]) -> bytes:
    """Return the digest of a row and of all rows before it."""
    return hashlib.blake2b(before + _row_bytes(row), digest_size=16).digest()


def digest(row: Iterable[object]) -> bytes:
    """Return the digest of one row."""
    return hashlib.blake2b(_row_bytes(row), digest_size=8).digest()


def _row_bytes(row: Iterable[object]) -> bytes:
    """A row as JSON; a damaged file may have any values in it."""
    return _ROWS.encode(list(row)).encode("utf-8", "surrogatepass")


def rank(seed: int, sha256: str, position: int) -> int:
    """Return the place of a sentence in the random order of a project: a number that looks random but never changes."""
    key = seed.to_bytes(8, "big")
    return int.from_bytes(hashlib.blake2b(f"{sha256} {position}".encode(), digest_size=8, key=key).digest(), "big") >> 1


def checked(value: object, argument: str, most: int = 10_000) -> str:
    """Return text that can be stored; refuse anything else."""
    if not isinstance(value, str):
        raise SettingError(f"{argument}: expected a string, found {brief(value)}")
    if len(value) > most:
        raise DataError(f"{argument}: expected at most {most} characters, found {len(value)}")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        found = f"the lone surrogate U+{ord(value[error.start]):04X}"
        raise DataError(f"{argument}: expected text, found {found}") from None
    if "\0" in value:
        raise DataError(f"{argument}: expected text, found a NUL character")
    return value
