"""Parse and write JSON strictly: Python's parser accepts NaN, and drops the first of two equal keys."""

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
    if isinstance(text, bytes):
        text = text.decode(json.detect_encoding(text), "surrogatepass")
    elif text.startswith("\ufeff"):
        raise json.JSONDecodeError("Unexpected UTF-8 BOM (decode using utf-8-sig)", text, 0)
    try:
        return _DECODER.decode(text)
    except RecursionError:  # whose message depends on the version of Python
        raise NotStrictError("too many lists or objects inside each other") from None


def strict_dumps(value: object) -> str:
    """Return a value as JSON without blanks; raise `ValueError` for numbers that are not finite.

    >>> strict_dumps({"labels": ["DT", "NN"]})
    '{"labels":["DT","NN"]}'
    """
    return _ENCODER.encode(value)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        times = Counter(key for key, _ in pairs)
        raise NotStrictError(f"the key {next(key for key, n in times.items() if n > 1)[:60]!r} occurs twice")
    return record


def _no_constant(name: str) -> Any:
    raise NotStrictError(f"expected a number, found {name}, which JSON does not have; null is for a missing value")


# Made once: `json.loads` and `json.dumps` would make one for each line of a file. What is written has no cycles.
_DECODER = json.JSONDecoder(object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"), check_circular=False)
