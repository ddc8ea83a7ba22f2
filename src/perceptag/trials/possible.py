"""What of a search space the data can have: the rest is not varied, since its trials could only differ by chance.

groups of templates   that look at columns which the data lacks, or at documents where none is marked
labels.scheme         where labels do not mark spans
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.groups import Strings, split
from perceptag.features.template import expand, parse
from perceptag.features.template_checks import leave_out_missing
from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import detect_scheme
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.trials.random_search import GROUPS, Values

SCHEME = "labels.scheme"


def possible(
    space: Mapping[str, Values], recipe: Recipe, sentences: Sequence[Sentence], label: str
) -> tuple[dict[str, Any], list[str]]:
    """Return what the data can have of a search space, and a sentence about each part that it cannot have."""
    columns = [column for column in sentences[0].columns if column != label]
    kept = split(*leave_out_missing(recipe.templates, recipe.groups, recipe.optional, columns)[:2])
    documents = any(s.starts_document for s in sentences)
    groups: dict[str, str] = {}  # those that cannot be had, and why
    for name in space.get(GROUPS, ()):
        if not kept.get(name):
            groups[name] = "the data lacks the column that its templates look at"
        elif not documents and _looks_at_documents(kept[name], columns):
            groups[name] = "no documents are marked"
    notes = [f"group {name!r} is not varied: {why}" for name, why in groups.items()]
    found = {key: [v for v in values if key != GROUPS or v not in groups] for key, values in space.items()}
    if SCHEME in found and detect_scheme([labels_of(s, label) for s in sentences]) == "none":
        del found[SCHEME]
        notes.append(f"{SCHEME} is not varied: labels do not mark spans")
    return {key: values for key, values in found.items() if values}, notes


def _looks_at_documents(templates: Strings, columns: Sequence[str]) -> bool:
    """Whether every template looks at a document."""
    known = [*columns, *DOCUMENT_COLUMNS]
    parsed = [parse(one, known) for short in templates for one in expand(short)]
    return all(any(field.column in DOCUMENT_COLUMNS for field in template.fields) for template in parsed)
