"""Non-local features of the user: what such a function looks like, and what it may return."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from perceptag.errors import DataError, brief
from perceptag.text.sentence import Sentence

UserFeature = Callable[[Sequence[Sentence], Sequence[Sequence[Any]]], Mapping[str, float]]


def wants_labels(function: UserFeature) -> bool:
    """Whether a function asks for label lists rather than spans."""
    return list(inspect.signature(function).parameters)[1:2] == ["labels"]


def checked(result: object, name: str) -> Mapping[str, float]:
    """What a user's function returned, if it can be used."""
    if not isinstance(result, Mapping):
        raise DataError(f"non-local function {name!r}: expected a dictionary of numbers, got {brief(result)}")
    for key, value in result.items():
        if not _is_name(key) or not isinstance(value, (int, float)) or not abs(value) <= sys.float_info.max:
            raise DataError(
                f"non-local function {name!r}: expected names and finite numbers, got {brief(key)}: {brief(value)}"
            )
    return result


def _is_name(key: object) -> bool:
    """Whether a model file can hold it: text without NUL and lone surrogates."""
    return isinstance(key, str) and "\0" not in key and key.encode("utf-8", "replace").decode() == key
