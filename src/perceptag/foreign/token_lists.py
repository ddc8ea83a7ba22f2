"""Records of tokens and tags: ``{"tokens": ["Anna", "sings"], "ner_tags": [1, 0]}``, ``{"words": …, "tags": …}``.

Numbers are labels only if the user names them in order; they are never guessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from perceptag.errors import DataError, SettingError, brief
from perceptag.foreign.json_records import Record
from perceptag.foreign.texts import ForeignSentence, keys_of, knowing
from perceptag.system.plural import plural
from perceptag.text.list_names import OTHER_TAGS, TAGS
from perceptag.text.number_labels import name_of_number

NAME, TITLE = "token-lists", "lists of tokens and tags"
NO_NAMES = "expected their names in order, such as --label-names O,B-PER,I-PER, found none"
TOKENS = ("tokens", "words", "token", "word", "forms")


def is_mine(record: dict[str, Any]) -> bool:
    """Return whether a record has a list of tokens and a list of tags."""
    return _key(record, TOKENS) is not None


def read(found: Iterable[Record], names: Sequence[str] = (), label: str = "") -> Iterator[ForeignSentence]:
    """Read all sentences. `names` are those of labels that are numbers.

    The tags that the user means, `label`, keep their name, and their numbers get names; other numbers stay numbers.
    """
    document: Any = None
    number = -1
    for where, value in found:
        before, document = document, value.get("document", value.get("doc_id"))
        number += document is None or document != before or number < 0
        tokens_key, tags_key = _key(value, TOKENS), _key(value, [label, *TAGS])
        tags_key = tags_key or _numbered(value)
        if tokens_key is None or not all(isinstance(token, str) for token in value[tokens_key]):
            raise DataError(
                f"expected a list of strings {' or '.join(map(repr, TOKENS))}, found {keys_of(value)}", where
            )
        tokens = value[tokens_key]
        columns = {
            key: list(map(str, some))
            for key, some in value.items()
            if key != tags_key and _is_column(some, tokens_key, key)
        }
        for key, some in (*columns.items(), *([(tags_key, value[tags_key])] if tags_key else [])):
            if len(some) != len(tokens):
                raise DataError(
                    f"{key!r}: expected {plural(len(tokens), 'value')} as in {tokens_key!r}, found {len(some)}", where
                )
        labels = labels_of(value[tags_key], tags_key, names, where) if tags_key else None
        if labels is not None and tags_key == label:
            columns, labels = {**columns, label: labels}, None
        made = ForeignSentence(where, number, tokens, [], labels, columns=columns)
        made.document_name = document if isinstance(document, str) else ""
        yield knowing(made, value, (tokens_key, tags_key or "", *columns, "document"))


def _key(record: dict[str, Any], keys: Sequence[str]) -> str | None:
    return next((key for key in keys if isinstance(record.get(key), list)), None)


def _is_column(values: object, tokens: str, key: str) -> bool:
    is_other = key not in (tokens, "form", "label", "document")
    return is_other and isinstance(values, list) and bool(values) and (_are(values, str) or _are_numbers(values, key))


def _are(values: list[Any], kind: type) -> bool:
    return all(type(value) is kind for value in values)


def _are_numbers(values: list[Any], key: str) -> bool:
    """Return whether a list has the numbers of tags; other lists of numbers may be places or scores."""
    return key in (*TAGS, *OTHER_TAGS) and _are(values, int)


def _numbered(record: dict[str, Any]) -> str | None:
    """Return the only tags of a record if they are numbers; strings are a column, as in perceptag's own JSON lines."""
    key = _key(record, OTHER_TAGS)
    return key if key is not None and _are(record[key], int) else None


def labels_of(tags: list[Any], key: str, names: Sequence[str], where: str) -> list[str]:
    """Return tags as labels: strings, or numbers of labels in `names`."""
    if all(isinstance(tag, str) for tag in tags):
        return [name_of_number(tag, names, key, where) for tag in tags] if names else tags
    if not all(isinstance(tag, int) and tag >= 0 for tag in tags):
        raise DataError(f"{key!r}: expected strings, or numbers from 0, found {brief(tags)}", where)
    if not names:
        raise SettingError(f"{where}: {key!r} are numbers up to {max(tags)} here: {NO_NAMES}")
    if max(tags, default=0) >= len(names):
        raise DataError(f"{key!r}: expected numbers below {len(names)}, as many as names, found {max(tags)}", where)
    return [names[tag] for tag in tags]
