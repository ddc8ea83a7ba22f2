"""The features of whole spans that a recipe asks for, checked against the data and the rest of the recipe."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perceptag.errors import ModelError, SettingError
from perceptag.features import gazetteer
from perceptag.features.attributes import Attribute
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.span_template import SpanTemplates, check_span_columns, parse_spans, present
from perceptag.features.template import Template
from perceptag.features.template_checks import rename_column
from perceptag.models.linear.span_packing import model_spans
from perceptag.models.task import Task
from perceptag.recipe.auto import are_mixed
from perceptag.recipe.common_settings import SPAN_TEMPLATES
from perceptag.recipe.recipe import uses

TAGS = ("pos", "xpos", "upos")  # columns of parts of speech, the first one as in the built-in templates
LEARNERS = ("perceptron", "margin", "ascent")


def read_spans(task: Task, templates: Sequence[Template], own: Mapping[str, Attribute]) -> SpanTemplates | None:
    """Return the templates of whole spans, or None if the recipe asks for none."""
    recipe = task.recipe
    if not recipe.spans_longest:
        found = None
    else:
        _check_recipe(task, templates)
        read = [c for c in task.columns if c != task.label_set.column]
        columns = [*read, *DOCUMENT_COLUMNS, *(gazetteer.COLUMNS if recipe.gazetteer else ())]
        optional = recipe.optional if recipe.spans_templates else (*recipe.optional, "pos")
        missing = [column for column in optional if column not in columns]
        parsed = present(parse_spans(recipe.spans_templates or _built_in(read), [*columns, *missing]), missing)
        check_span_columns(parsed, columns, own)
        found = SpanTemplates(parsed, recipe.spans_longest)
    _check_start(task, found)
    return found


def _built_in(columns: Sequence[str]) -> list[str]:
    """Return the built-in templates, with the name that the column of tags has in the data."""
    tags = next((column for column in TAGS if column in columns), TAGS[0])
    return [rename_column(template, {TAGS[0]: tags}) for template in SPAN_TEMPLATES]


def _check_recipe(task: Task, templates: Sequence[Template]) -> None:
    """Refuse what features of whole spans do not go with."""
    recipe = task.recipe
    if recipe.learner not in LEARNERS:
        raise SettingError(
            f"spans.longest: expected learner = {' or '.join(map(repr, LEARNERS))}, found {recipe.learner!r}"
        )
    if task.label_set.inner != "IOBES" or not recipe.constrain:
        raise SettingError(
            "spans.longest: expected labels.scheme = 'IOBES' and constrain = true, since every labelling must have "
            f"spans; found {task.label_set.inner!r} and {str(recipe.constrain).lower()}"
        )
    if recipe.weights == "voted" or recipe.labels_parts or are_mixed(recipe):
        raise SettingError("spans.longest: expected neither weights = 'voted', nor labels.parts, nor several shards")
    if uses(recipe, "orders") and recipe.own["orders"] != 1:
        raise SettingError(f"spans.longest: expected orders = 1, found {recipe.own['orders']}")
    for template in templates:
        if template.order > 1 or (template.order and not template.is_plain_transition):
            raise SettingError(f"spans.longest: expected no other transitions than 'bias * y-1 y0', found '{template}'")


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
