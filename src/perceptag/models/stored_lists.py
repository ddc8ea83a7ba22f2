"""Long lists of phrases in a model file: as text, which takes a tenth of the time and memory of JSON.

Models have them as the fact `FACT`, {class: [[word, …], …]}, when they are trained; files have an array ``lists.class``
of UTF-8 with a phrase on each line, its words separated by spaces. Files written before that have the fact. The phrases
of the fact `PHRASES` are arrays ``gazetteer.class`` in compressed pipelines alone: earlier releases read all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from perceptag import _core
from perceptag.arrays import np
from perceptag.errors import ModelError
from perceptag.features.gazetteer import as_texts
from perceptag.models.model import AnyArrays, Arrays, view_of

FACT = "gazetteer_in_any_case"
PHRASES = "gazetteer"
_PREFIX, _PHRASES = "lists.", "gazetteer."


def stored_lists(facts: Mapping[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return facts without the lists, and the lists as arrays; lists with words that have spaces stay facts."""
    lists = facts.get(FACT)
    if not lists or any(" " in word or "\n" in word for phrases in lists.values() for p in phrases for word in p):
        return dict(facts), {}
    texts = {name: "\n".join(map(" ".join, phrases)) for name, phrases in lists.items()}
    arrays = {_PREFIX + name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()}
    return {name: fact for name, fact in facts.items() if name != FACT}, arrays


def phrases_as_text(facts: Mapping[str, Any]) -> tuple[dict[str, Any], Arrays]:
    """Return facts without phrases, and the phrases as arrays; some phrases can only be facts."""
    phrases = facts.get(PHRASES)
    texts = as_texts(phrases) if isinstance(phrases, Mapping) and phrases else None
    if texts is None:
        return dict(facts), {}
    arrays = {_PHRASES + name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()}
    return {name: fact for name, fact in facts.items() if name != PHRASES}, arrays


def phrases_as_facts(facts: Mapping[str, Any], arrays: AnyArrays) -> tuple[dict[str, Any], Arrays]:
    """Return facts with the phrases of a file, and the other arrays: the inverse of `phrases_as_text`."""
    texts = phrases_of(arrays)
    phrases = {name: [line.split(" ") for line in text.split("\n")] if text else [] for name, text in texts.items()}
    others = {name: array for name, array in arrays.items() if not name.startswith(_PHRASES)}
    return {**facts, **({PHRASES: phrases} if texts else {})}, others


def has_lists(arrays: AnyArrays) -> bool:
    """Return whether lists are among the arrays of a file."""
    return any(name.startswith(_PREFIX) for name in arrays)


def texts_of(arrays: AnyArrays, prefix: str = _PREFIX) -> dict[str, str]:
    """Return the lists of a file, by class."""
    return {name.removeprefix(prefix): _text(arrays, name) for name in arrays if name.startswith(prefix)}


def phrases_of(arrays: AnyArrays) -> dict[str, str]:
    """Return the phrases that a compressed pipeline has as text, by class."""
    return texts_of(arrays, _PHRASES)


def _text(arrays: AnyArrays, name: str) -> str:
    try:
        data: bytes = view_of(arrays, name, "uint8").tobytes()
        found = data.decode()
    except UnicodeDecodeError:
        raise ModelError(f"array {name!r}: expected text in UTF-8, found other bytes") from None
    if not _core.are_phrases(data):
        raise ModelError(f"array {name!r}: expected phrases on lines, words separated by single spaces")
    return found
