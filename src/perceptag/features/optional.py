"""Templates that look at columns which the data may lack.

A recipe with ``optional = ["pos"]`` works without that column: if the data does not have it, its templates are left
out, and the user is told. A missing column that is not optional is an error.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from perceptag.features.expand import expand
from perceptag.features.groups import Strings, join, split
from perceptag.features.template import check_length, parse


def leave_out_missing(
    templates: Strings, groups: Strings, optional: Collection[str], columns: Sequence[str]
) -> tuple[Strings, Strings, list[str]]:
    """Leave out the templates that look at an optional column not in `columns`; also return notes for the user.

    >>> leave_out_missing(("form[0]", "pos[-1..1]"), (), ["pos"], ["form"])
    (('form[0]',), (), ["the data has no column 'pos': 3 templates that look at it are left out"])
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
    notes = [
        f"the data has no column {column!r}: {n} templates that look at it are left out"
        for column, n in count.items()
        if n
    ]
    return (*join(parts), notes) if notes else (templates, groups, [])


def _missing_column(template: str, missing: Collection[str], known: Collection[str]) -> str:
    """Return the first missing column that a template looks at, or ""."""
    fields = parse(template, known).fields
    return next((field.column for field in fields if field.column in missing), "")
