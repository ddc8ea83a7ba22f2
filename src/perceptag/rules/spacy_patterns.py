"""Patterns of spaCy's EntityRuler, as files of JSON lines, translated to a rule file.

    {"label": "ORG", "pattern": "Apple"}
    {"label": "GPE", "pattern": [{"LOWER": "san"}, {"LOWER": "francisco"}], "id": "sf"}

What differs: a phrase is compared by its pieces, however it is tokenised; a match is the longest from its first token;
``REGEX`` must match the whole value if it does not begin or end with ``.*``, as it searches in spaCy; conditions on
syntax, entities and vectors, and the fuzzy ones, are refused. ``id`` becomes part of the name of the rule.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from perceptag.errors import DataError, brief, nearest
from perceptag.system.strict_json import strict_loads

_FIELDS = {"TEXT": "form", "ORTH": "form", "LOWER": "lower", "LEMMA": "lemma", "POS": "upos", "TAG": "xpos"}
_FIELDS |= {"SHAPE": "shape"}
_FLAGS = {
    "IS_DIGIT": r"form ~ /\d+/",
    "LIKE_NUM": r"form ~ /[-+]?\d[\d.,\/]*/",
    "IS_ALPHA": r"form ~ /\p{L}+/",
    "IS_ASCII": r"form ~ /[\x00-\x7F]*/",
    "IS_PUNCT": "punctuation",
    "IS_UPPER": "allcaps",
    "IS_LOWER": "alllower",
    "IS_TITLE": r"form ~ /\p{Lu}[^\p{Lu}]*/",
    "LIKE_EMAIL": r"form ~ /[^@ ]+@[^@ ]+\.[a-zA-Z]+/",
    "LIKE_URL": r"form ~ /(https?:\/\/|www\.).+/",
}
_TIMES = {"!": "!", "?": "?", "+": "+", "*": "*", "1": ""}
_KEYS = ("label", "pattern", "id")
_SHAPE_RUN = 4  # spaCy writes at most so many of the same letter


def is_spacy_file(path: str) -> bool:
    """Return whether a file has the ending of JSON lines."""
    return path.lower().endswith(".jsonl")


def rule_text(text: str, path: str) -> str:
    """Return the rule file that says the same as the patterns of a file."""
    lines = enumerate(text.split("\n"), 1)
    return "\n".join(_table(line, number, f"{path}:{number}") for number, line in lines if line.strip())


def _table(line: str, number: int, where: str) -> str:
    try:
        record = strict_loads(line)
    except (ValueError, RecursionError) as error:
        raise DataError(f"expected a JSON object on each line: {error}", where) from None
    if not isinstance(record, Mapping) or not isinstance(record.get("label"), str) or set(record) - set(_KEYS):
        raise DataError(f"expected an object with label, pattern and perhaps id, found {brief(record)}", where)
    pattern, label = record.get("pattern"), re.sub(r"\s", "_", record["label"])
    if isinstance(pattern, str):
        says = f"phrases = [{json.dumps(pattern)}]"
    elif isinstance(pattern, list) and pattern and all(isinstance(token, Mapping) for token in pattern):
        says = f"tokens = {json.dumps(' '.join(_token(token, where) for token in pattern))}"
    else:
        raise DataError(f"pattern: expected a phrase or a list of tokens, found {brief(pattern)}", where)
    own = re.sub(r"[^\w.:+-]", "_", str(record.get("id", "")))[:80]
    name = f"{own}-{number}" if own else f"line-{number}"
    return f"[[rule]]\nname = {json.dumps(name)}\nlabel = {json.dumps(label)}\n{says}\n"


def _token(token: Mapping[str, Any], where: str) -> str:
    times = token.get("OP", "1")
    is_range = isinstance(times, str) and re.fullmatch(r"\{\d*,?\d*\}", times)
    if times not in _TIMES and not is_range:
        raise DataError(f"OP: expected one of ! ? + * 1 or {{n,m}}, found {brief(times)}", where)
    parts = [part for key, value in token.items() if key != "OP" for part in _conditions(key, value, where)]
    condition = " & ".join(parts)
    if times == "!":
        return f"[!({condition})]" if condition else "[]"
    return f"[{condition}]{_range(times) if is_range else _TIMES[times]}"


def _range(times: str) -> str:
    return times.replace("{,", "{0,")


def _conditions(key: str, value: Any, where: str) -> Iterator[str]:
    """Yield the conditions of a key of a token, all of which must hold."""
    if key.upper() in _FLAGS and isinstance(value, bool):
        yield _FLAGS[key.upper()] if value else f"!({_FLAGS[key.upper()]})"
        return
    field = _FIELDS.get(key.upper())
    if field is None:
        known = [*_FIELDS, *_FLAGS]
        raise DataError(f"{key}: not offered; expected one of {', '.join(known)}{nearest(key.upper(), known)}", where)
    if isinstance(value, str):
        yield _equal(field, value)
    elif isinstance(value, Mapping):
        yield from (_predicate(field, name, given, where) for name, given in value.items())
    else:
        raise DataError(f"{key}: expected a text or a predicate such as IN or REGEX, found {brief(value)}", where)


def _predicate(field: str, name: str, given: Any, where: str) -> str:
    if name == "REGEX" and isinstance(given, str):
        return f"{field} ~ /{_whole(given)}/"
    if name in ("IN", "NOT_IN") and isinstance(given, list) and given and all(isinstance(one, str) for one in given):
        listed = " | ".join(_equal(field, one) for one in given)
        return f"({listed})" if name == "IN" else f"!({listed})"
    raise DataError(f"{name}: not offered; expected IN or NOT_IN with a list of texts, or REGEX with a text", where)


def _equal(field: str, value: str) -> str:
    if field == "shape":  # spaCy cuts runs of one letter to four
        runs = re.sub(rf"([Xxd])\1{{{_SHAPE_RUN - 1}}}", rf"\1{{{_SHAPE_RUN},}}", re.sub(r"([^\w ])", r"\\\1", value))
        return f"shape ~ /{runs}/"
    return f"{field} = {json.dumps(value, ensure_ascii=False)}"


def _whole(expression: str) -> str:
    """Return an expression that is searched for as one for whole values."""
    begin = "" if expression.startswith("^") else ".*"
    end = "" if expression.endswith("$") and not expression.endswith("\\$") else ".*"
    inside = expression.removeprefix("^").removesuffix("$") if not end else expression.removeprefix("^")
    return f"{begin}({inside}){end}".replace("/", "\\/")
