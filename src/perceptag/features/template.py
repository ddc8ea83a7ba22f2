"""Templates: which values to join into a feature, and which labels to cross it with.

form[0]                     the word, with its label
form[-1] form[0]            a word pair
lower.suffix3[0]            an attribute of the word (column `form`)
pos[-1] pos[0] pos[1]       three values of the column `pos`
bias                        fires everywhere
bias * y-1 y0               transitions; `bias * y-2 y-1 y0` for second order
form[0] * y-1 y0            an observed edge feature: the word with a pair of labels
bias * y-1 y+1 y0           labels on both sides: for learners that do not work from left to right (guided)
form[0] * y+1 y+2 y0        fires only where both labels on the right are already known
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import TypeVar

from perceptag.errors import SettingError, brief, nearest
from perceptag.features.attributes import is_known, known_names

Read = TypeVar("Read")

CROSSINGS = ("y0", "y-1 y0", "y-2 y-1 y0")  # by order: those that a lattice can represent
CONTEXT = {"y-2": -2, "y-1": -1, "y+1": 1, "y+2": 2}  # the labels around y0 that a template may look at
LATTICE_CONTEXTS = ((), (-1,), (-2, -1))
MAX_OFFSET = 20
MAX_WRITTEN_OUT = 500_000  # characters of all templates of a recipe or model: what they need in memory

_NAME = r"\w[\w.:-]*"
_FIELD = re.compile(rf"({_NAME})\[([+-]?\d{{1,9}})\]")


@dataclass(frozen=True, slots=True)
class Field:
    """One value: an attribute path of a column, at an offset from the current token."""

    column: str
    attributes: tuple[str, ...]  # composed from left to right; empty: the value itself
    offset: int
    spelt_out: bool = field(default=False, compare=False)  # ``form.lower``, where ``lower`` would mean a column

    @property
    def path(self) -> str:
        """As written: ``form``, ``pos``, ``suffix3``, ``pos.prefix1``."""
        if self.column == "form" and self.attributes and not self.spelt_out:
            return ".".join(self.attributes)
        return ".".join((self.column, *self.attributes))

    def __str__(self) -> str:
        return f"{self.path}[{self.offset}]"


@dataclass(frozen=True, slots=True)
class Template:
    """Fields to join into one feature, and the labels to cross it with."""

    fields: tuple[Field, ...]
    context: tuple[int, ...] = ()  # offsets of labels, ascending: some of -2, -1, 1, 2

    @property
    def order(self) -> int:
        """The order of the label context; a `SettingError` if a lattice cannot represent it."""
        if self.context not in LATTICE_CONTEXTS:
            allowed = ", ".join(map(repr, CROSSINGS))
            raise SettingError(
                f"template '{self}': expected {allowed} for this learner, found {self.crossing!r}; "
                "other label contexts need learner = 'guided'"
            )
        return len(self.context)

    @property
    def is_plain_transition(self) -> bool:
        """Whether it has labels only and no observation; its weights are then one dense row."""
        return not self.fields and bool(self.context)

    @property
    def crossing(self) -> str:
        """The labels as written: ``y0``, ``y-1 y0``, ``y-1 y+1 y0``."""
        return " ".join([*(f"y{offset:+d}" for offset in self.context), "y0"])

    def __str__(self) -> str:
        left = " ".join(map(str, self.fields)) or "bias"
        return f"{left} * {self.crossing}" if self.context else left


def parse(text: str, columns: Collection[str] | None = None) -> Template:
    """Read one template. `columns`, those of the data, distinguish the column ``pos`` from an attribute of ``form``.

    >>> str(parse("form[-1]  form[0]"))
    'form[-1] form[0]'
    >>> parse("bias * y-1 y0").context
    (-1,)
    """
    left, star, right = text.partition("*")
    context = _context(right.split(), text) if star else ()
    words = left.split()
    if words == ["bias"]:
        return Template((), context)
    if not words:
        raise SettingError(f"template {text!r}: expected fields such as 'form[0]', or 'bias', found none")
    return Template(tuple(_field(word, text, columns) for word in words), context)


def _context(words: Sequence[str], text: str) -> tuple[int, ...]:
    offsets = [CONTEXT.get(word, 0) for word in words]
    if not words or words[-1] != "y0" or 0 in offsets[:-1] or offsets[:-1] != sorted(set(offsets[:-1])):
        raise SettingError(
            f"template {text!r}: expected after '*' some of {', '.join(CONTEXT)} in this order, then y0, "
            f"found {' '.join(words)!r}"
        )
    return tuple(offsets[:-1])


def _field(word: str, text: str, columns: Collection[str] | None) -> Field:
    match = _FIELD.fullmatch(word)
    if not match:
        raise SettingError(f"template {text!r}: expected a field such as 'form[0]' or 'suffix3[-1]', found {word!r}")
    offset = int(match[2])
    if abs(offset) > MAX_OFFSET:
        raise SettingError(f"template {text!r}: expected an offset from -{MAX_OFFSET} to {MAX_OFFSET}, found {offset}")
    column, attributes = _column(match[1].split("."), columns or ())
    return Field(column, attributes, offset)


def _column(names: Sequence[str], columns: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Split a path into column and attributes. Column names may contain dots: ``morph.case``."""
    if names[0] == "form" or names[0] in columns:
        return names[0], tuple(names[1:])
    if not is_known(names[0]):
        for end in range(2, len(names) + 1):
            if ".".join(names[:end]) in columns:
                return ".".join(names[:end]), tuple(names[end:])
    return "form", tuple(names)


def is_name(text: str, columns: Collection[str]) -> bool:
    """Return whether a template can look at the column of this name, one of the columns of the data.

    >>> [is_name(c, ["form", "é", "a.b", "form.x", "a b"]) for c in ("é", "a.b", "form.x", "a b")]
    [True, True, False, False]
    """
    return re.fullmatch(_NAME, text) is not None and ".." not in text and _column(text.split("."), columns)[0] == text


def spell_field(one: Field, columns: Collection[str]) -> Field:
    """Return the field, with an attribute of ``form`` spelt out if a column has the name of the attribute."""
    return replace(one, spelt_out=True) if one.attributes and one.attributes[0] in columns else one


def spell_out(templates: Iterable[Template], columns: Collection[str]) -> list[Template]:
    """Return the templates, with attributes of ``form`` spelt out where a column has the name of the attribute."""
    return [replace(t, fields=tuple(spell_field(one, columns) for one in t.fields)) for t in templates]


def parse_all(texts: Iterable[str], columns: Collection[str] | None = None) -> list[Template]:
    """Read templates and write out short forms; a repeated template is an error."""
    known = None if columns is None else frozenset(columns)
    return read_each(texts, lambda text: parse(text, known), "templates", "template ")


def read_each(texts: Iterable[str], read: Callable[[str], Read], key: str, named: str) -> list[Read]:
    """Read templates by `read`; refuse none and repeated ones, in messages with the key and with `named` before one."""
    found: dict[Read, None] = {}
    count = 0
    for text in (one for given in texts for one in expand(given)):
        count += len(text)
        check_length(text, count)
        template = read(text)
        if template in found:
            raise SettingError(f"{named}{text!r}: expected each template once, found it twice")
        found[template] = None
    if not found:
        raise SettingError(f"{key}: expected at least one template, found none")
    return list(found)


def check_length(text: str, count: int) -> None:
    """Refuse a template that makes the total length of templates exceed the limit."""
    if count > MAX_WRITTEN_OUT:
        raise SettingError(
            f"template {brief(text, 200)}: expected at most {MAX_WRITTEN_OUT} characters in all written out templates, "
            f"found {count} up to this one"
        )


def check_readable(templates: Sequence[Template], columns: Collection[str]) -> None:
    """Refuse templates that would be parsed differently from a model file. `columns`: all known columns."""
    for template, read in zip(templates, parse_all(map(str, templates), columns), strict=False):
        if template != read:
            raise SettingError(
                f"template '{template}' would be read as another one: rename the column whose name has a '.' or is the "
                "name of an attribute"
            )


def check_columns(templates: Iterable[Template], columns: Sequence[str], own: Collection[str] = ()) -> None:
    """Refuse templates that look at something the data does not have. `own`: attributes written by the user."""
    read = [column for column in columns if not column.startswith("doc_")]  # messages need not mention computed ones
    known = frozenset(columns)
    for template in templates:
        for one in template.fields:
            unknown = [name for name in one.attributes if not is_known(name) and name not in own]
            if unknown:
                raise SettingError(
                    f"template '{template}': expected a column of the data ({', '.join(read)}; --columns names them) "
                    f"or an attribute, found {unknown[0]!r}{nearest(unknown[0], [*columns, *known_names(), *own])}"
                )
            if one.column not in known:
                raise SettingError(
                    f"template '{template}': expected one of the columns {', '.join(columns)}, found "
                    f"{one.column!r}{nearest(one.column, columns)}"
                )


# form[-2..2]                     form[-2], form[-1], form[0], form[1], form[2]
# prefix1..4[0]                   prefix1[0], prefix2[0], prefix3[0], prefix4[0]
# pos[0] * y0 | y-1 y0            pos[0] and pos[0] * y-1 y0
MAX_EXPANDED = 10_000  # templates that one short form may stand for
MAX_LENGTH = 4096  # characters of a template as it is written
_RANGE = re.compile(r"([+-]?\d+)\.\.([+-]?\d+)")
_MOST = 100


def expand(text: str) -> Iterator[str]:
    """Write out the short forms in a template.

    >>> list(expand("suffix2..3[-1..0] * y0 | y-1 y0"))[:3]
    ['suffix2[-1] * y0', 'suffix2[-1] * y-1 y0', 'suffix2[0] * y0']
    """
    if len(text) > MAX_LENGTH:
        raise SettingError(f"template {brief(text)}…: expected at most {MAX_LENGTH} characters, found {len(text)}")
    matches = list(_RANGE.finditer(text))
    ranges = [_numbers(text, match) for match in matches]
    _check_count(text, [len(numbers) for numbers in ranges])
    cuts = [0, *(place for match in matches for place in match.span()), len(text)]
    between = [text[start:end] for start, end in zip(cuts[::2], cuts[1::2], strict=True)]
    for numbers in product(*ranges):
        ends = [f"{number}{after}" for number, after in zip(numbers, between[1:], strict=True)]
        yield from _crossings("".join([between[0], *ends]))


def _numbers(text: str, match: re.Match[str]) -> range:
    if len(match[0]) <= 2 * _MOST:  # Python refuses to read numbers of thousands of digits
        first, last = int(match[1]), int(match[2])
        if first <= last < first + _MOST:
            return range(first, last + 1)
    raise SettingError(f"template {text!r}: expected an ascending range, found {brief(match[0])}")


def _check_count(text: str, sizes: list[int]) -> None:
    """Count the templates of a short form before it is written out: a short text can stand for any number of them."""
    count = 1 + text.partition("*")[2].count("|")
    for size in sizes:
        count *= size
        if count > MAX_EXPANDED:
            raise SettingError(
                f"template {brief(text, 200)}: expected a short form of at most {MAX_EXPANDED} templates, "
                f"found one of {count} or more"
            )


def _crossings(text: str) -> Iterator[str]:
    if "|" in text:
        left, _, right = text.partition("*")
        for crossing in right.split("|"):
            yield f"{left.strip()} * {crossing.strip()}"
    else:
        yield text
