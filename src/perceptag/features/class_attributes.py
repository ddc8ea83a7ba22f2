"""Word classes in templates: ``class256[0]`` is the class of a word among 256, ``pos[0] class64[1]`` joins two values.

``class256`` is an attribute of words like ``lower``: its value is the number of the class, and a word without a class
has none. ``classN`` stands for every size of the class file: with sizes 64 and 256, ``classN[-1] classN[0]`` means
``class64[-1] class64[0]`` and ``class256[-1] class256[0]``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from perceptag.errors import SettingError, nearest
from perceptag.features.attributes import Attribute
from perceptag.features.groups import Strings, join, split
from perceptag.features.template import Template
from perceptag.features.word_endings import NAME as ENDINGS
from perceptag.features.word_endings import Change, EndingsAttribute

if TYPE_CHECKING:
    from perceptag.features.class_table import WordClassTable

_NAME = re.compile(r"class([0-9]+|N)")
_EVERY = re.compile(r"(?<![\w:.-])((?:[\w:-]+\.)*)classN(?=[.\[])")


@dataclass(frozen=True, slots=True)
class ClassAttribute:
    """The attribute of one size."""

    classes: WordClassTable
    size: int

    def __call__(self, value: str) -> str | None:
        """Return the number of the class of a word as text, or None if the word has none."""
        number = self.classes.of(value, self.size)
        return None if number is None else str(number)

    def name_of(self, value: str) -> str:
        """Return a class, given by its number as text, by its most frequent words: ``Paris·London·Tokyo…``."""
        is_number = value.isascii() and value.isdigit() and len(value) < 10 and int(value) < self.size
        return (self.classes.examples(self.size, int(value)) or value) if is_number else value

    def meaning_of(self, value: str) -> str:
        """Return a class in words: ``like Paris, London, Tokyo (class1000)``; nothing if it has no words."""
        named = self.name_of(value)
        examples = ", ".join(named.removesuffix("…").split("·")) if named != value else ""
        return f"like {examples} (class{self.size})" if examples else ""


def class_attributes(classes: WordClassTable, changes: tuple[Change, ...] = ()) -> dict[str, Attribute]:
    """Return the attributes of all sizes, and that of endings, by the names that templates use."""
    sizes: dict[str, Attribute] = {f"class{size}": ClassAttribute(classes, size) for size in classes.sizes}
    return {**sizes, ENDINGS: EndingsAttribute(classes.lowered, changes)}


def classes_among(attributes: Mapping[str, Attribute]) -> WordClassTable | None:
    """Return the classes used by attributes, if any."""
    return next((one.classes for one in attributes.values() if isinstance(one, ClassAttribute)), None)


def used_sizes(templates: Iterable[Template], classes: WordClassTable) -> list[int]:
    """Return the sizes used by templates."""
    named = _names(templates)
    return [size for size in classes.sizes if f"class{size}" in named]


def uses_endings(templates: Iterable[Template]) -> bool:
    """Return whether some template looks at endings."""
    return ENDINGS in _names(templates)


def _names(templates: Iterable[Template]) -> set[str]:
    return {name for template in templates for field in template.fields for name in field.attributes}


def write_out_sizes(
    templates: Strings, groups: Strings, sizes: Sequence[int], columns: Collection[str]
) -> tuple[Strings, Strings]:
    """Expand ``classN`` to the sizes of a class file. `columns` of the data may have the same names.

    >>> write_out_sizes(("form[0]", "classN[0] classN[1]"), (), (2, 4), ["form"])[0]
    ('form[0]', 'class2[0] class2[1]', 'class4[0] class4[1]')
    """
    if not any(map(_EVERY.search, templates)):
        return templates, groups

    def written(template: str) -> list[str]:
        has_sizes = _EVERY.search(template) is not None
        return [_of_size(template, size, columns) for size in sizes] if has_sizes else [template]

    parts = split(templates, groups)
    return join({name: list(dict.fromkeys(one for t in group for one in written(t))) for name, group in parts.items()})


def _of_size(template: str, size: int, columns: Collection[str]) -> str:
    """``class64`` for ``classN``, or ``form.class64`` where a column of the data is called class64."""
    name = f"class{size}"
    return _EVERY.sub(lambda found: f"form.{name}" if not found[1] and name in columns else found[1] + name, template)


def check_classes(templates: Iterable[Template], classes: WordClassTable | None, own: Collection[str]) -> None:
    """Refuse templates with unknown classes. `own`: names of the user's attributes, which may be any."""
    for template in templates:
        for name in (name for field in template.fields for name in field.attributes if name not in own):
            size = _NAME.fullmatch(name)
            if (size or name == ENDINGS) and classes is None:
                raise SettingError(
                    f"template '{template}': expected a file of word classes for {name!r} (the key classes), found none"
                )
            if size and classes is not None and size[1] not in map(str, classes.sizes):
                known = [f"class{one}" for one in classes.sizes]
                raise SettingError(
                    f"template '{template}': expected one of {', '.join(known)}, the sizes of the word classes; "
                    f"found {name!r}{nearest(name, known)}"
                )


def refuse_own_names(own: Collection[str], classes: WordClassTable) -> None:
    """Refuse attributes of the user named like classes."""
    for name in (*(f"class{size}" for size in classes.sizes), ENDINGS):
        if name in own:
            raise SettingError(f"attributes: {name!r} is an attribute of word classes; expected another name")
