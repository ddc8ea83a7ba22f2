"""Templates that a recipe might gain by, and recipes with such changes.

    a field      a column or an attribute at an offset from -2 to 2: those that the recipe looks at, and the attributes
                 `OFFERED`
    a pair       two fields of the recipe's own columns and attributes, each at an offset from -2 to 2
    a triple     a template that the search has added, with one more field

Other columns of the data are left alone: they may be gold labels, which are not there in tagging. So are columns that
are learned from the labels (gazetteers), whose values in the training data would tell the labels, and features with
amounts, which are not symbols.

A change is written as text, for journals and tables: ``+ lower[-1] pos[0]`` adds a template, ``- form[2]`` removes one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations

from perceptag.features import gazetteer
from perceptag.features.groups import add, join, split
from perceptag.features.template import Field, Template, expand, parse, spell_out
from perceptag.recipe.recipe import Recipe

OFFSETS = range(-2, 3)
OFFERED = (  # attributes of words, for every recipe
    *("lower", "shape", "shortshape", "length", "capital", "allcaps", "alllower", "punctuation"),
    *("number", "digit", "hyphen", "prefix2", "prefix3", "suffix2", "suffix3"),
)
NOT_SYMBOLS = ("each", "valued", "amount")
GROUP = "grown"  # of the templates that were added
ADD, REMOVE = "+ ", "- "

Path = tuple[str, tuple[str, ...]]  # a column and its attributes


def candidates(templates: Sequence[Template], columns: Sequence[str], grown: Sequence[Template]) -> list[Template]:
    """Return all templates that may be added to `templates`, of which `grown` were added already.

    `columns`: those of the data without that of the labels.

    >>> [str(t) for t in candidates([parse("form[0]")], ["form"], [])[:6]]
    ['form[-2]', 'form[-1]', 'form[1]', 'form[2]', 'lower[-2]', 'lower[-1]']
    """
    paths = _paths(templates)
    others = dict.fromkeys(paths + [("form", (name,)) for name in OFFERED if "form" in columns])
    own = [Field(*path, offset) for path in paths for offset in OFFSETS]
    found = chain(
        ((Field(*path, offset),) for path in others for offset in OFFSETS),
        combinations(own, 2),
        (_with(template, field) for template in grown for field in own if field not in template.fields),
    )
    known = {frozenset(t.fields) for t in templates if not t.context}
    new = {frozenset(fields): fields for fields in found}
    texts = [Template(_in_order(fields)) for key, fields in new.items() if key not in known]
    return spell_out(texts, columns)


def _paths(templates: Iterable[Template]) -> list[Path]:
    """The columns and attributes that some templates look at."""
    fields = (field for template in templates for field in template.fields)
    taken = (f for f in fields if f.column not in gazetteer.COLUMNS and not {*f.attributes} & {*NOT_SYMBOLS})
    return list(dict.fromkeys((f.column, f.attributes) for f in taken))


def _with(template: Template, field: Field) -> tuple[Field, ...]:
    return (*template.fields, field)


def _in_order(fields: Iterable[Field]) -> tuple[Field, ...]:
    return tuple(sorted(fields, key=lambda field: field.offset))  # stable: equal offsets stay as they are


def places(template: Template) -> frozenset[tuple[str, int]]:
    """Where a template looks: columns and offsets, whatever the attributes.

    >>> places(parse("lower[-1] suffix3[0]")) == places(parse("form[-1] shape[0]"))
    True
    """
    return frozenset((field.column, field.offset) for field in template.fields)


def removals(recipe: Recipe) -> list[str]:
    """Return the templates that may be removed, written out: those that look at something, while others are left."""
    every = [one for short in recipe.templates for one in expand(short)]
    return [one for one in every if parse(one).fields] if len(every) > 1 else []


def applied(recipe: Recipe, changes: Sequence[str]) -> Recipe:
    """Return a recipe with changes, in their order.

    >>> recipe = Recipe(templates=("form[-1..1]",), groups=("words=1",))
    >>> changed = applied(recipe, ["+ form[0] form[1]", "- form[1]"])
    >>> changed.templates, changed.groups
    (('form[-1]', 'form[0]', 'form[0] form[1]'), ('words=2', 'grown=1'))
    """
    templates, groups = recipe.templates, recipe.groups
    for change in changes:
        template = change.removeprefix(ADD).removeprefix(REMOVE)
        if change.startswith(ADD):
            templates, groups = add(templates, groups, [template], GROUP)
        else:
            parts = split(templates, groups)
            templates, groups = join({name: list(_without(group, template)) for name, group in parts.items()})
    return replace(recipe, templates=templates, groups=groups)


def _without(group: Iterable[str], template: str) -> Iterator[str]:
    """The templates of a group without one; a short form is written out only if it stands for that one, too."""
    for short in group:
        every = list(expand(short))
        yield from [one for one in every if one != template] if template in every else [short]
