"""Compare templates with the data and the model: missing, renamed and unused columns, features that are numbers.

A recipe with ``optional = ["pos"]`` also works without that column: if the data lacks it, its templates are left out
with a note. A missing column that is not optional is an error. A column or attribute that no template uses is often
misspelt or forgotten, so it is reported as well.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from perceptag.errors import SettingError
from perceptag.features.groups import Strings, join, split
from perceptag.features.template import Field, Template, check_length, expand, parse
from perceptag.system.plural import plural

NAMES = ("valued", "amount")  # the attributes whose values have amounts


def leave_out_missing(
    templates: Strings, groups: Strings, optional: Collection[str], columns: Sequence[str]
) -> tuple[Strings, Strings, list[str]]:
    """Leave out templates with optional columns missing from `columns`; also return notes for the user.

    >>> leave_out_missing(("form[0]", "pos[-1..1]"), (), ["pos"], ["form"])
    (('form[0]',), (), ["the data has no column 'pos': 3 templates left out"])
    """
    present = frozenset(columns)
    count = {column: 0 for column in optional if column not in present}  # templates that look at a missing one
    known = present.union(count)
    parts: dict[str, list[str]] = {}
    length = 0
    for name, group in split(templates, groups).items():
        parts[name] = []
        for short in group:
            written_out = {one: _missing_column(one, count, known) for one in expand(short)}
            kept = [one for one, column in written_out.items() if not column]
            length += sum(map(len, kept))
            check_length(short, length)
            parts[name] += [short] if len(kept) == len(written_out) else kept
            for column in filter(None, written_out.values()):
                count[column] += 1
    notes = [f"the data has no column {column!r}: {plural(n, 'template')} left out" for column, n in count.items() if n]
    return (*join(parts), notes) if notes else (templates, groups, [])


def _missing_column(template: str, missing: Collection[str], known: Collection[str]) -> str:
    """Return the first missing column of a template, or ""."""
    fields = parse(template, known).fields
    return next((field.column for field in fields if field.column in missing), "")


def rename_column(template: str, names: Mapping[str, str]) -> str:
    """Return the template with its columns renamed.

    >>> rename_column("form[0] pos[-1] pos.prefix1[0]", {"pos": "c1"})
    'form[0] c1[-1] c1.prefix1[0]'
    """
    return re.sub(r"(?<![\w.:-])\w[\w:-]*(?=[.\[])", lambda match: names.get(match[0], match[0]), template)


def unused(templates: Sequence[Template], columns: Iterable[str], attributes: Collection[str]) -> list[str]:
    """Return a note about columns that no template uses, which is usual, and a warning about such attributes.

    >>> from perceptag.features.template import parse_all
    >>> unused(parse_all(["form[0]"], ["form", "pos"]), ["form", "pos"], ["vowels"])
    ["note: no template looks at column 'pos'", "warning: no template looks at attribute 'vowels'"]
    """
    fields = [field for template in templates for field in template.fields]
    looked_at = {"form", *(field.column for field in fields)}
    named = {name for field in fields for name in field.attributes}
    return [
        *_told("note", "column", [column for column in columns if column not in looked_at]),
        *_told("warning", "attribute", [name for name in attributes if name not in named]),
    ]


def _told(kind: str, what: str, names: Sequence[str]) -> list[str]:
    listed = f"{what}{'s' * (len(names) > 1)} {', '.join(map(repr, names))}"
    return [f"{kind}: no template looks at {listed}"] if names else []


def numbers_of(template: Template) -> list[Field]:
    """Return the numeric fields of a template."""
    return [field for field in template.fields if not {*field.attributes}.isdisjoint(NAMES)]


def check_amounts(templates: Iterable[Template], learner: str, kind: str) -> None:
    """Refuse numeric fields unless the model is linear and each template has at most one."""
    for template in templates:
        numbers = numbers_of(template)
        if not numbers:
            continue
        if kind != "linear":
            expected = "expected a learner of linear models, which are perceptron, margin, pa, mira, arow and crf"
            raise SettingError(f"template '{template}': numbers as features: {expected}; found {learner!r}")
        if len(numbers) > 1:
            raise SettingError(f"template '{template}': expected at most one number in a template, found two")
        if len(numbers[0].attributes) > 1:
            name, found = next(name for name in numbers[0].attributes if name in NAMES), numbers[0].path
            raise SettingError(f"template '{template}': expected {name!r} as the only attribute, found {found!r}")
