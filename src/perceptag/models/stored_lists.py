"""Long lists of strings in a model file: as text, which takes a tenth of the time and memory of JSON.

Models have phrases as the facts `PHRASES` and `FACT`, {class: [[word, …], …]}, when they are trained; files have arrays
``gazetteer.class`` and ``lists.class`` of UTF-8 with a phrase on each line, its words separated by spaces. Phrases with
words that have white space stay facts.

Any other list of strings is an array of UTF-8, one after the other, and one of their sizes in characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

from perceptag import _core
from perceptag.arrays import np
from perceptag.errors import ModelError, reading_model
from perceptag.features.gazetteer import Gazetteer, as_texts
from perceptag.models.model import AnyArrays, Arrays, Model, view_of

FACT = "gazetteer_in_any_case"
PHRASES = "gazetteer"
_PREFIXES = {PHRASES: "gazetteer.", FACT: "lists."}  # of the arrays, by the fact


def phrases_apart(facts: Mapping[str, Any], arrays: AnyArrays) -> tuple[dict[str, Any], Arrays, Arrays]:
    """Return facts without the phrases that can be text, these as arrays, and all other arrays of a model."""
    others = {name: array for name, array in arrays.items() if not name.startswith((*_PREFIXES.values(),))}
    left = dict(facts)
    lists: Arrays = {}
    for fact, prefix in _PREFIXES.items():
        texts, odd = _apart(left.get(fact), texts_of(arrays, prefix))
        lists |= {prefix + name: np.frombuffer(text.encode(), np.uint8) for name, text in texts.items()}
        if texts:
            left = {name: value for name, value in left.items() if name != fact} | ({fact: odd} if odd else {})
    return left, lists, others


def _apart(phrases: Any, texts: dict[str, str]) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the phrases of each class that can be text, after those that are, and the others."""
    if not isinstance(phrases, Mapping) or not phrases:
        return texts, {}
    if (whole := as_texts(phrases)) is None:
        plain = {name: [p for p in some if as_texts({name: [p]})] for name, some in phrases.items()}
        odd = {name: [p for p in some if not as_texts({name: [p]})] for name, some in phrases.items()}
        whole = as_texts({name: some for name, some in plain.items() if some}) or {}
        phrases = {name: some for name, some in odd.items() if some or name not in whole}
    else:
        phrases = {}
    return {name: "\n".join(filter(None, (texts.get(name), whole.get(name)))) for name in {**texts, **whole}}, phrases


def texts_of(arrays: AnyArrays, prefix: str) -> dict[str, str]:
    """Return the phrases of a file whose arrays have this prefix, by class."""
    return {name.removeprefix(prefix): _text(arrays, name) for name in arrays if name.startswith(prefix)}


def stored_phrases(model: Model, fact: str) -> Gazetteer | None:
    """Return the phrases of a model that are, or were, this fact; None if it has none."""
    texts = texts_of(model.arrays, _PREFIXES[fact])
    if fact not in model.facts and not texts:
        return None
    found = Gazetteer.from_dict(model.facts.get(fact, {}))
    found.stored |= texts
    return found


def _text(arrays: AnyArrays, name: str) -> str:
    try:
        data: bytes = view_of(arrays, name, "uint8").tobytes()
        found = data.decode()
    except UnicodeDecodeError:
        raise ModelError(f"array {name!r}: expected text in UTF-8, found other bytes") from None
    if not _core.are_phrases(data):
        raise ModelError(f"array {name!r}: expected phrases on lines, words separated by single spaces")
    return found


def string_arrays(name: str, strings: Sequence[str]) -> Arrays:
    """Return strings as arrays of a model."""
    try:
        data = "".join(strings).encode()
    except UnicodeEncodeError as error:
        found = f"the lone surrogate U+{ord(error.object[error.start]):04X}"
        raise ModelError(f"array {name!r}: expected text, found {found}") from None
    return {name: np.frombuffer(data, np.uint8), f"{name}.sizes": np.array([len(s) for s in strings], np.uint32)}


def strings_in(arrays: AnyArrays, name: str) -> tuple[int, Iterator[str]]:
    """Return the number of strings, and the strings: the inverse of `string_arrays`."""
    with reading_model(f"array {name!r}"):
        text = view_of(arrays, name, "uint8").tobytes().decode()
    sizes = view_of(arrays, f"{name}.sizes", "uint32")
    if sum(sizes) != len(text):
        raise ModelError(f"array {name!r}: expected {sum(sizes)} characters, found {len(text)}")
    return len(sizes), (text[end - size : end] for size, end in zip(sizes, accumulate(sizes), strict=True))
