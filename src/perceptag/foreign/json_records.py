"""Read the records of a file: a JSON list of objects or of texts, one object, or one object per line.

A pair of a text and an object is an object with that text.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from perceptag.errors import DataError, brief
from perceptag.system.strict_json import strict_loads
from perceptag.text.lines import OTHER_ENCODING, refuse_docbin

NOTHING: tuple[Any, ...] = (None, "", [], {})  # values that say nothing
_BYTE_ORDER_MARK = "\ufeff"


class Record(NamedTuple):
    """An object, and where it is."""

    where: str
    value: dict[str, Any]


def records(data: bytes, name: str) -> list[Record]:
    """Return all records of a file; anything else is a `DataError`."""
    refuse_docbin(data, name)
    try:
        text = data.decode("utf-8").removeprefix(_BYTE_ORDER_MARK)
    except UnicodeDecodeError as error:
        byte = f"{error.object[error.start]:#04x}"
        raise DataError(f"expected UTF-8, found the byte {byte}; {OTHER_ENCODING}", name) from None
    whole = _try_whole(text)
    found: list[Record] = []
    if _is_pair(whole):
        whole = [whole]
    if isinstance(whole, dict):
        before = text[: text.index("{")]
        found.append(_checked(whole, f"{name}:{before.count(chr(10)) + 1}"))
        return found
    if isinstance(whole, list):
        whole = [{"text": one} for one in whole] if are_texts(whole) else whole
        found += (_checked(value, f"{name}, record {number}") for number, value in enumerate(whole, 1))
        return found
    lines = enumerate(text.split("\n"), 1)
    found += (record_in(line, f"{name}:{number}") for number, line in lines if line.strip())
    return found


def record_in(line: str, where: str) -> Record:
    """Return the record in a line."""
    return _checked(_load(line, where), where)


def _is_pair(value: object) -> bool:
    """Return whether this is ``[text, {"entities": …}]``."""
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], dict)


def are_texts(values: list[Any]) -> bool:
    """Return whether this is a list of texts. Most have several words, some three: ``New York`` may be a token."""
    if not all(isinstance(one, str) for one in values):
        return False
    words = [len(one.split(" ")) for one in values]
    return 2 * sum(count > 1 for count in words) > len(words) and max(words) > 2


def with_text_under(found: list[Record], key: str) -> list[Record]:
    """Return the records with their text under the key ``text``; `key`: where they have it, if not under a usual key.

    No record is left if none has this key.
    """
    if not key or key == "text":
        return found
    new = {key: "text", "text": "text_"}
    renamed = [Record(where, {new.get(name, name): one for name, one in value.items()}) for where, value in found]
    return renamed if any(key in one.value for one in found) else []


def _try_whole(text: str) -> object:
    """Parse the whole text as one JSON value; None if it is not one, and so perhaps lines."""
    try:
        return strict_loads(text)
    except (ValueError, RecursionError):
        return None


def _load(line: str, where: str) -> object:
    try:
        return strict_loads(line)
    except json.JSONDecodeError as error:
        raise DataError(f"expected JSON: {error.msg.removesuffix(' at')} at character {error.colno}", where) from None
    except (ValueError, RecursionError) as error:  # a repeated key, NaN, a number too large, too many levels
        raise DataError(f"expected JSON: {error}", where) from None


def _checked(value: object, where: str) -> Record:
    if isinstance(value, list) and _is_pair(value):
        value = {"text": value[0], **value[1]}
    if not isinstance(value, dict):
        raise DataError(f"expected an object, found {brief(value)}", where)
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise DataError(
            f"expected text, found the lone surrogate U+{ord(error.object[error.start]):04X}", where
        ) from None
    except (ValueError, RecursionError) as error:
        raise DataError(f"expected JSON that can be written again: {error}", where) from None
    return Record(where, value)
