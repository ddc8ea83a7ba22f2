"""Values as lines of text that are the same on every machine: floats in five digits, features in alphabetical order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

Parts = dict[str, list[str]]  # the lines of each part of an entry

# Averages of whole numbers often lie exactly between two roundings; a little aside, a last bit does not decide.
ASIDE = 1 + 3.1e-8
NOTHING = 1e-9


def number(x: float) -> str:
    """Write a sum in five significant digits, so that the order of its terms does not show."""
    return "0" if abs(x) < NOTHING else f"{x * ASIDE:.5g}"


def line(value: Any) -> str:
    """Write a value in one line; lists of named things are sorted by name if the order says nothing."""
    if isinstance(value, float):
        return number(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {line(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(line(item) for item in value) + "]"
    if is_dataclass(value) and not isinstance(value, type):
        return line({field.name: getattr(value, field.name) for field in fields(value)})
    return repr(value)


def lines(values: Iterable[Any]) -> list[str]:
    """Write each value in a line."""
    return [line(value) for value in values]
