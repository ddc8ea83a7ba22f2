"""Templates of whole spans: what a feature of a name looks at, in the words of the name and around it.

length                        the number of words
shortshape[all]               the shapes of all words, in their order
lower[first] length           the first word, with the number of words
lower[first-1] lower[last+1]  the words before and after
lower[any]                    each word, wherever it stands; the only field of its template

A feature has one weight for each type of spans.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from perceptag.errors import SettingError, brief
from perceptag.features.template import MAX_OFFSET, Field, Template, check_columns, parse, read_each, spell_field

PLACES = ("first", "last", "all", "length", "any")  # by their numbers in the core
LENGTH = "length"
_FIELD = re.compile(r"(.+)\[(?:(first|last)([+-]\d{1,9})?|(all|any))\]")


@dataclass(frozen=True, slots=True)
class SpanField:
    """One value: an attribute of words of a span, or its length."""

    place: str  # one of PLACES
    field: Field | None = None  # its offset is counted from the first or the last word; None: the length

    def __str__(self) -> str:
        if self.field is None:
            return LENGTH
        offset = f"{self.field.offset:+d}" if self.field.offset else ""
        return f"{self.field.path}[{self.place}{offset}]"


SpanTemplate = tuple[SpanField, ...]


class SpanTemplates(NamedTuple):
    """The templates of a model, and the length of the longest spans that have features."""

    templates: tuple[SpanTemplate, ...]
    longest: int

    @property
    def fields(self) -> list[Field]:
        """The attributes of words that they look at."""
        return [one.field for template in self.templates for one in template if one.field is not None]

    @property
    def texts(self) -> list[str]:
        """The templates as they are written."""
        return [" ".join(map(str, template)) for template in self.templates]


def parse_span(text: str, columns: Collection[str] = ()) -> SpanTemplate:
    """Read one template.

    >>> " ".join(map(str, parse_span("lower[first-1]  shortshape[all] length")))
    'lower[first-1] shortshape[all] length'
    """
    fields = tuple(_field(word, text, columns) for word in text.split())
    if not fields or (len(fields) > 1 and any(one.place == "any" for one in fields)):
        raise SettingError(
            f"spans.templates: {text!r}: expected fields such as 'lower[first]' or 'length'; [any] stands alone"
        )
    return fields


def _field(word: str, text: str, columns: Collection[str]) -> SpanField:
    if word == LENGTH:
        return SpanField(LENGTH)
    match = _FIELD.fullmatch(word)
    if not match:
        raise SettingError(
            f"spans.templates: {text!r}: expected 'length' or a field such as 'lower[first]', 'lower[last+1]', "
            f"'shortshape[all]' or 'lower[any]', found {brief(word)}"
        )
    offset = int(match[3] or 0)
    if abs(offset) > MAX_OFFSET:
        raise SettingError(
            f"spans.templates: {text!r}: expected an offset from -{MAX_OFFSET} to {MAX_OFFSET}, found {offset}"
        )
    [field] = parse(f"{match[1]}[{offset}]", columns).fields
    return SpanField(match[2] or match[4], field)


def parse_spans(texts: Iterable[str], columns: Collection[str] = ()) -> tuple[SpanTemplate, ...]:
    """Read templates and write out short forms; a repeated one is an error."""
    return tuple(read_each(texts, lambda text: parse_span(text, columns), "spans.templates", "spans.templates: "))


def spell_out_spans(templates: Iterable[SpanTemplate], columns: Collection[str]) -> tuple[SpanTemplate, ...]:
    """Return the templates, with attributes of ``form`` spelt out where a column has the name of the attribute."""
    return tuple(
        tuple(replace(one, field=spell_field(one.field, columns)) if one.field else one for one in template)
        for template in templates
    )


def present(templates: Sequence[SpanTemplate], missing: Collection[str]) -> tuple[SpanTemplate, ...]:
    """Return the templates that do not look at missing columns."""
    return tuple(t for t in templates if not any(one.field and one.field.column in missing for one in t))


def check_span_columns(templates: Iterable[SpanTemplate], columns: Sequence[str], own: Collection[str] = ()) -> None:
    """Refuse templates that look at something the data does not have."""
    for template in templates:
        check_columns([Template(tuple(one.field for one in template if one.field))], columns, own)
