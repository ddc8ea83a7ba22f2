"""Templates: which values to join into a feature, and what labels to cross it with.

form[0]                     the word, with its label
form[-1] form[0]            a word pair
lower.suffix3[0]            an attribute of the word (column `form`)
pos[-1] pos[0] pos[1]       three values of the column `pos`
bias                        fires everywhere
bias * y-1 y0               transitions; `bias * y-2 y-1 y0` for second order
form[0] * y-1 y0            an observed edge feature: the word with a pair of labels
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from perceptag.errors import SettingError, nearest
from perceptag.features.expand import expand

CROSSINGS = ("y0", "y-1 y0", "y-2 y-1 y0")  # by order
MAX_OFFSET = 20

_FIELD = re.compile(r"([A-Za-z_][\w.:-]*)\[([+-]?\d{1,9})\]")


@dataclass(frozen=True, slots=True)
class Field:
    """One value: an attribute path of a column, at an offset from the current token."""

    column: str
    attributes: tuple[str, ...]  # composed from left to right; empty: the value itself
    offset: int

    @property
    def path(self) -> str:
        """As written: ``form``, ``pos``, ``suffix3``, ``pos.prefix1``."""
        if self.column == "form" and self.attributes:
            return ".".join(self.attributes)
        return ".".join((self.column, *self.attributes))

    def __str__(self) -> str:
        return f"{self.path}[{self.offset}]"


@dataclass(frozen=True, slots=True)
class Template:
    """Fields that are joined into one feature, and the order of the labels it is crossed with."""

    fields: tuple[Field, ...]
    order: int = 0

    @property
    def is_plain_transition(self) -> bool:
        """Only labels, no observation: kept as one dense row."""
        return not self.fields and self.order > 0

    def __str__(self) -> str:
        left = " ".join(map(str, self.fields)) or "bias"
        return left if self.order == 0 else f"{left} * {CROSSINGS[self.order]}"


def parse(text: str, columns: Sequence[str] | None = None) -> Template:
    """Read one template. `columns`: the columns of the data, to tell ``pos`` from an attribute of ``form``.

    >>> str(parse("form[-1]  form[0]"))
    'form[-1] form[0]'
    >>> parse("bias * y-1 y0").order
    1
    """
    left, star, right = text.partition("*")
    crossing = " ".join(right.split()) if star else CROSSINGS[0]
    if crossing not in CROSSINGS:
        allowed = ", ".join(map(repr, CROSSINGS))
        raise SettingError(f"template {text!r}: expected one of {allowed} after '*', found {crossing!r}")
    words = left.split()
    if words == ["bias"]:
        return Template((), CROSSINGS.index(crossing))
    if not words:
        raise SettingError(f"template {text!r}: expected fields such as 'form[0]', or 'bias'")
    return Template(tuple(_field(word, text, columns) for word in words), CROSSINGS.index(crossing))


def _field(word: str, text: str, columns: Sequence[str] | None) -> Field:
    match = _FIELD.fullmatch(word)
    if not match:
        raise SettingError(f"template {text!r}: expected a field such as 'form[0]' or 'suffix3[-1]', found {word!r}")
    offset = int(match[2])
    if abs(offset) > MAX_OFFSET:
        raise SettingError(f"template {text!r}: offsets go from -{MAX_OFFSET} to {MAX_OFFSET}, found {offset}")
    names = match[1].split(".")
    if names[0] == "form" or (columns is not None and names[0] in columns):
        return Field(names[0], tuple(names[1:]), offset)
    return Field("form", tuple(names), offset)


def parse_all(texts: Iterable[str], columns: Sequence[str] | None = None) -> list[Template]:
    """Read templates, short forms written out; a repeated one is an error."""
    templates: dict[Template, None] = {}
    for text in (one for given in texts for one in expand(given)):
        template = parse(text, columns)
        if template in templates:
            raise SettingError(f"template {text!r} is there twice")
        templates[template] = None
    if not templates:
        raise SettingError("a model needs at least one template")
    return list(templates)


def check_columns(templates: Iterable[Template], columns: Sequence[str]) -> None:
    """Refuse templates that look at a column the data does not have."""
    for template in templates:
        for field in template.fields:
            if field.column not in columns:
                raise SettingError(
                    f"template '{template}' looks at column {field.column!r}, but the data has "
                    f"{', '.join(columns)}{nearest(field.column, columns)}"
                )
