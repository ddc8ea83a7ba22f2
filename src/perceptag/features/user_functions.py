"""Non-local features written in Python by users: their type, and checks of their results."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from perceptag.errors import DataError, brief
from perceptag.text.sentence import Sentence

UserFeature = Callable[[Sequence[Sentence], Sequence[Sequence[Any]]], Mapping[str, float]]


def wants_labels(function: UserFeature) -> bool:
    """Return whether a function takes label lists rather than spans: its second parameter is then called `labels`."""
    return list(inspect.signature(function).parameters)[1:2] == ["labels"]


def checked(result: object, name: str) -> Mapping[str, float]:
    """Return the result of a user's function if it can be used; raise `DataError` if not."""
    if not isinstance(result, Mapping):
        raise DataError(f"non-local function {name!r}: expected a dictionary of numbers, found {brief(result)}")
    for key, value in result.items():
        if not _is_name(key) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
            raise DataError(
                f"non-local function {name!r}: expected names and finite numbers, found {brief(key)}: {brief(value)}"
            )
    return result


def _is_name(key: object) -> bool:
    """Return whether a model file can contain it: text without NUL and lone surrogates."""
    return isinstance(key, str) and "\0" not in key and key.encode("utf-8", "replace").decode() == key
