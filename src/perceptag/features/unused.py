"""Columns of the data and attributes of the user that no template looks at: often a misspelling, or a forgotten one."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from perceptag.features.template import Template


def unused(templates: Sequence[Template], columns: Iterable[str], attributes: Collection[str]) -> list[str]:
    """Return one sentence about what no template looks at, or none.

    >>> from perceptag.features.template import parse_all
    >>> unused(parse_all(["form[0]"], ["form", "pos"]), ["form", "pos"], ["vowels"])
    ["warning: no template looks at column 'pos' or at attribute 'vowels'"]
    """
    fields = [field for template in templates for field in template.fields]
    looked_at = {"form", *(field.column for field in fields)}
    named = {name for field in fields for name in field.attributes}
    parts = [
        _listed("column", [column for column in columns if column not in looked_at]),
        _listed("attribute", [name for name in attributes if name not in named]),
    ]
    told = " or at ".join(filter(None, parts))
    return [f"warning: no template looks at {told}"] if told else []


def _listed(what: str, names: Sequence[str]) -> str:
    return f"{what}{'s' * (len(names) > 1)} {', '.join(map(repr, names))}" if names else ""
