"""The features of whole spans that a recipe asks for, checked against the data and the rest of the recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perceptag.errors import ModelError, SettingError
from perceptag.features import gazetteer
from perceptag.features.attributes import Attribute
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.span_template import (
    SpanTemplate,
    SpanTemplates,
    check_span_columns,
    parse_spans,
    present,
    spell_out_spans,
)
from perceptag.features.template import Template
from perceptag.features.template_checks import rename_column
from perceptag.labels.schemes import base_of
from perceptag.models.linear.span_packing import model_spans
from perceptag.models.task import Task
from perceptag.recipe.common_settings import SPAN_TEMPLATES
from perceptag.recipe.recipe import Recipe
from perceptag.recipe.span_conflicts import TRANSITIONS, conflict

TAGS = ("pos", "xpos", "upos")  # columns of parts of speech, the first one as in the built-in templates


def read_spans(task: Task, templates: Sequence[Template], own: Mapping[str, Attribute]) -> SpanTemplates | None:
    """Return the templates of whole spans, or None if the recipe asks for none."""
    recipe = task.recipe
    if not recipe.spans_longest:
        found = None
    else:
        _check_recipe(task, templates)
        read = [c for c in task.columns if c != task.label_set.column]
        columns = [*read, *DOCUMENT_COLUMNS, *(gazetteer.COLUMNS if recipe.gazetteer else ())]
        parsed = _parsed(recipe, read, columns)
        check_span_columns(parsed, columns, own)
        every = frozenset((*task.columns, *DOCUMENT_COLUMNS, *gazetteer.COLUMNS))
        found = SpanTemplates(spell_out_spans(parsed, every), recipe.spans_longest)
    _check_start(task, found)
    return found


def columns_of_spans(recipe: Recipe, read: Sequence[str]) -> set[str]:
    """Return the columns that features of whole spans look at; `read` are those of the data without the labels."""
    if not recipe.spans_longest:
        return set()
    parsed = _parsed(recipe, read, [*read, *DOCUMENT_COLUMNS, *gazetteer.COLUMNS])
    return {one.field.column for template in parsed for one in template if one.field}


def _parsed(recipe: Recipe, read: Sequence[str], columns: Sequence[str]) -> tuple[SpanTemplate, ...]:
    """Return the templates of whole spans, without those that look at optional columns that are missing."""
    optional = recipe.optional if recipe.spans_templates else (*recipe.optional, "pos")
    missing = [column for column in optional if column not in columns]
    return present(parse_spans(recipe.spans_templates or _built_in(read), [*columns, *missing]), missing)


def _built_in(columns: Sequence[str]) -> list[str]:
    """Return the built-in templates, with the name that the column of tags has in the data."""
    tags = next((column for column in TAGS if column in columns), TAGS[0])
    return [rename_column(template, {TAGS[0]: tags}) for template in SPAN_TEMPLATES]


def _check_recipe(task: Task, templates: Sequence[Template]) -> None:
    """Refuse what features of whole spans do not go with."""
    if found := conflict(task.recipe):
        raise SettingError(f"spans.longest: expected {found.expected}")
    if base_of(task.label_set.inner) != "IOBES":
        raise SettingError(f"spans.longest: expected labels.scheme = 'IOBES', found {task.label_set.inner!r}")
    for template in templates:
        if template.order > 1 or (template.order and not template.is_plain_transition):
            raise SettingError(f"spans.longest: expected no other transitions than {TRANSITIONS!r}, found '{template}'")


def _check_start(task: Task, now: SpanTemplates | None) -> None:
    """Refuse features of whole spans that differ from those of the model to continue from."""
    if task.start is None:
        return
    before = model_spans(task.start, [*task.start.columns, *DOCUMENT_COLUMNS, *gazetteer.COLUMNS])
    if before is not None and before != now:
        raise ModelError(
            "spans: expected the templates and the length of the model to continue from, "
            f"{before.longest} words, found {f'others, {now.longest} words' if now else 'none'}"
        )
