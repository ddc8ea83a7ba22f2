"""Read TOML of unknown origin: it may be malformed, or nested without end."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from typing import Any

DEEPEST = 32  # levels of tables and arrays; recipes have three
_TOO_DEEP = f"expected at most {DEEPEST} levels of tables and arrays, found more"

_PART = r"""(?:[\w-]+|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
_LONG_KEY = rf"^[ \t]*(?:\[\[?[ \t]*)?(?:{_PART}[ \t]*\.[ \t]*){{{DEEPEST}}}"


def read_toml(text: str) -> dict[str, Any]:
    """Parse TOML; raise ValueError if it is malformed or nested too deeply."""
    if sys.version_info >= (3, 11):  # here: a recipe in a model needs neither
        import tomllib
    else:
        import tomli as tomllib

    if re.search(_LONG_KEY, text, re.MULTILINE):
        raise ValueError(_TOO_DEEP)
    try:
        tables: dict[str, Any] = tomllib.loads(text)
    except RecursionError:
        raise ValueError(_TOO_DEEP) from None
    level: list[object] = [tables]
    for _ in range(DEEPEST):
        level = [inner for value in level for inner in _inside(value)]
    if level:
        raise ValueError(_TOO_DEEP)
    return tables


def place_in_toml(error: ValueError, path: object) -> str:
    """Return ``file:line`` of an error of `read_toml`, or the file alone.

    >>> place_in_toml(ValueError("Expected '=' (at line 3, column 2)"), "my.toml")
    'my.toml:3'
    """
    found = re.search(r"\(at line (\d+)", str(error))
    return f"{path}:{found[1]}" if found else str(path)


def _inside(value: object) -> list[object]:
    if isinstance(value, Mapping):
        return list(value.values())
    return value if isinstance(value, list) else []
