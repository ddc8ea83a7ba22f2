"""Conditions on a token: what a pattern asks of its columns and their attributes.

    lower = "order"     upos != "NOUN"     shape ~ /d{4}/     lower in months     capital

An attribute is written as in templates: ``lower``, ``shape`` and ``suffix3`` look at the column ``form``,
``upos`` at the column of this name, ``lemma.lower`` at an attribute of another column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from perceptag.features.attributes import Attribute, as_values, compose, is_known

WORDS = "form"


@dataclass(frozen=True, slots=True)
class TokenField:
    """A column, and the attributes that are taken of its value, from left to right."""

    column: str
    attributes: tuple[str, ...]

    def __str__(self) -> str:
        return ".".join((self.column, *self.attributes))


@dataclass(frozen=True, slots=True)
class Among:
    """A field has one of some values; with `values` None it has any value at all."""

    field: TokenField
    values: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Like:
    """All of a value of a field matches a regular expression."""

    field: TokenField
    expression: str


@dataclass(frozen=True, slots=True)
class Not:
    """A condition does not hold."""

    part: Condition


@dataclass(frozen=True, slots=True)
class Both:
    """All of some conditions hold; of none: always."""

    parts: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of some conditions holds."""

    parts: tuple[Condition, ...]


Condition: TypeAlias = "Among | Like | Not | Both | Either"
FieldValues = Callable[[TokenField], list[str]]  # the values of a token
IsLike = Callable[[str, str], bool]  # whether a regular expression matches the whole of a value


def field_of(name: str, extra: Iterable[str] = ()) -> TokenField:
    """Return the field of a name as templates write it; `extra` has the names of further attributes.

    >>> str(field_of("lower.suffix3")), str(field_of("upos")), str(field_of("lemma.lower"))
    ('form.lower.suffix3', 'upos', 'lemma.lower')
    """
    first, *others = name.split(".")
    if is_known(first) or first in extra:
        return TokenField(WORDS, (first, *others))
    return TokenField(first, tuple(others))


def holds(condition: Condition, values: FieldValues, is_like: IsLike) -> bool:
    """Return whether a condition holds for a token."""
    if isinstance(condition, Among):
        found = values(condition.field)
        return bool(found) if condition.values is None else any(value in condition.values for value in found)
    if isinstance(condition, Like):
        return any(is_like(condition.expression, value) for value in values(condition.field))
    if isinstance(condition, Not):
        return not holds(condition.part, values, is_like)
    some = any if isinstance(condition, Either) else all
    return some(holds(part, values, is_like) for part in condition.parts)


def fields_in(condition: Condition) -> list[TokenField]:
    """Return the fields that a condition looks at."""
    return [test.field for test in _tests_in(condition)]


def likes_in(condition: Condition) -> list[Like]:
    """Return the regular expressions that a condition has."""
    return [test for test in _tests_in(condition) if isinstance(test, Like)]


def _tests_in(condition: Condition) -> Iterator[Among | Like]:
    if isinstance(condition, (Among, Like)):
        yield condition
        return
    for part in (condition.part,) if isinstance(condition, Not) else condition.parts:
        yield from _tests_in(part)


def either(parts: tuple[Condition, ...]) -> Condition:
    """Return the condition that one of some holds; values of one field are put together."""
    field = parts[0].field if isinstance(parts[0], Among) else None
    values: set[str] = set()
    for part in parts:
        if not isinstance(part, Among) or part.field != field or part.values is None:
            return parts[0] if len(parts) == 1 else Either(parts)
        values |= part.values
    return Among(parts[0].field, frozenset(values)) if isinstance(parts[0], Among) else parts[0]


class FieldReader:
    """Computes the values of fields for tokens."""

    def __init__(self, extra: Mapping[str, Attribute]) -> None:
        self.extra = extra
        self._chains: dict[TokenField, Attribute] = {}

    def values(self, field: TokenField, columns: Mapping[str, str]) -> list[str]:
        """Return the values of a field of one token."""
        chain = self._chains.get(field)
        if chain is None:
            chain = self._chains[field] = compose(field.attributes, self.extra)
        return as_values(chain(columns[field.column]))
