"""Parse JSON strictly: Python's parser accepts NaN, and drops the first of two equal keys."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any


class NotStrictError(ValueError):
    """JSON that Python takes and other programs read in another way, or not at all."""


def strict_loads(text: str | bytes) -> Any:
    """Parse JSON; raise an error also for a repeated key and for NaN or Infinity.

    >>> strict_loads('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ...
    perceptag.system.strict_json.NotStrictError: the key 'a' occurs twice
    """
    return json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        times = Counter(key for key, _ in pairs)
        raise NotStrictError(f"the key {next(key for key, n in times.items() if n > 1)[:60]!r} occurs twice")
    return record


def _no_constant(name: str) -> Any:
    raise NotStrictError(f"expected a number, found {name}, which JSON does not have; null is for a missing value")
