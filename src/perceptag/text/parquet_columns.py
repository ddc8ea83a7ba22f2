"""Map the fields of a Parquet file to the columns of a sentence.

A field of text has the name of its column. If there is no field ``form``, ``tokens`` or ``token`` is taken for it, and
``labels`` for ``label`` if that is missing. Numbers are text too if the file says which label each of them means, as
those of Hugging Face do (``ClassLabel``), or if the user names them in order (`FileFacts.label_names`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from perceptag.errors import DataError
from perceptag.system.given_file import NO_FACTS, FileFacts
from perceptag.text.list_names import OTHER_TAGS, TAGS

FORM, LABEL = "form", "label"
SENTENCE = "sentence_id"
DOCUMENTS = ("document_id", "document")
FORMS = (FORM, "tokens", "token")
_LABELS = (LABEL, "labels")


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of a file by their role."""

    schema: pa.Schema
    by_token: bool  # a token in each row
    names: Mapping[str, str]  # of all columns of text: column, field
    read: Sequence[str]  # the columns that are read
    classes: Mapping[str, Sequence[str]]  # field of numbers: the label that each number means
    document: str | None
    numbers: str = ""  # the field of tags that are numbers without names

    def field_of(self, column: str) -> str:
        """Return the field name of a column, whether or not it exists."""
        if column == LABEL and self.names[FORM] == "tokens" and "labels" not in self.schema.names:
            return self.names.get(LABEL, "labels")
        return self.names.get(column, column)


def find_fields(schema: pa.Schema, wanted: Sequence[str] | None, where: str, facts: FileFacts = NO_FACTS) -> Fields:
    """Assign roles to the fields of a file; `wanted` restricts the columns to read.

    The names of labels in `facts` are those of the tags that the user means, or else of the likeliest ones.
    """
    classes = _class_names(schema)
    by_token = not any(is_text_list(f.type) for f in schema if f.name in FORMS)
    numbers = _numbered(schema, by_token, classes, facts.label)
    if numbers and facts.label_names:
        classes, numbers = {**classes, numbers: list(facts.label_names)}, ""
    names = _columns(schema, by_token, classes)
    missing = next((name for name in (FORM, *(wanted or ())) if name not in names), "")
    if missing or (by_token and SENTENCE not in schema.names):
        has_texts = by_token and missing and any(is_text(f.type) for f in schema)
        hint = "; --text NAME names a column of texts" if has_texts else ""
        raise DataError(f"expected {_expected(missing, by_token)}, found {_described(schema)}{hint}", where)
    document = next((name for name in DOCUMENTS if name in schema.names), None)
    read = list(names if wanted is None else dict.fromkeys((FORM, *wanted)))
    return Fields(schema, by_token, names, read, classes, document, "" if wanted else numbers)


def _numbered(schema: pa.Schema, by_token: bool, classes: Mapping[str, Sequence[str]], label: str) -> str:
    """Return the field of tags that are numbers whose names the file does not have; else an empty string."""
    found = {f.name for f in schema if f.name not in classes and _is_numbers(f.type, by_token)}
    return next((name for name in (label, *TAGS, *OTHER_TAGS) if name in found), "")


def _columns(schema: pa.Schema, by_token: bool, classes: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return the columns of text and their fields, in the order of the file."""
    is_column = is_text if by_token else is_text_list
    found = [f.name for f in schema if is_column(f.type) or (f.name in classes and _is_numbers(f.type, by_token))]
    found = [name for name in found if name not in (SENTENCE, *DOCUMENTS)]
    taken = {next((name for name in names if name in found), names[0]): names[0] for names in (FORMS, _LABELS)}
    return {taken.get(name, name): name for name in found}


def is_text(kind: pa.DataType) -> bool:
    """Return whether values of this type are strings."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def is_list(kind: pa.DataType) -> bool:
    """Return whether values of this type are lists."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def is_text_list(kind: pa.DataType) -> bool:
    """Return whether values of this type are lists of strings."""
    return is_list(kind) and is_text(kind.value_type)


def _is_numbers(kind: pa.DataType, by_token: bool) -> bool:
    inner = kind if by_token else kind.value_type if is_list(kind) else None
    return inner is not None and bool(pa.types.is_integer(inner))


def _class_names(schema: pa.Schema) -> dict[str, list[str]]:
    """Return the names of labels that Hugging Face datasets keep in the metadata of a file, by field."""
    try:
        features = json.loads((schema.metadata or {})[b"huggingface"])["info"]["features"]
        named = {name: _names_of(feature) for name, feature in features.items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        return {}  # the metadata are not theirs
    return {name: names for name, names in named.items() if names}


def _names_of(feature: Any) -> list[str]:
    while isinstance(feature, list) or (isinstance(feature, dict) and "feature" in feature):
        feature = feature[0] if isinstance(feature, list) else feature["feature"]
    names = feature.get("names") if isinstance(feature, dict) and feature.get("_type") == "ClassLabel" else None
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else []


def _expected(missing: str, by_token: bool) -> str:
    if missing == FORM:
        return "a column 'tokens' or 'form' of type list<string>, or 'form' of type string and 'sentence_id'"
    if not missing:
        return f"a column {SENTENCE!r}, which says which tokens are one sentence"
    return f"a column {missing!r} of type {'string' if by_token else 'list<string>'}"


def _described(schema: pa.Schema) -> str:
    text = ", ".join(f"{f.name}: {f.type}" for f in schema) or "no columns"
    return text if len(text) <= 200 else f"{text[:190]}…"
