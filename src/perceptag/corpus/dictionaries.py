"""Tokens as dictionaries of features, as python-crfsuite and sklearn-crfsuite take them.

    {"word": "dog"}              the feature word:dog
    {"title": True}              the feature title; with False none
    {"length": 1}                the feature length; with 0 none. Other numbers need bins
    {"window": ["a", "b"]}       the features window:a and window:b; a set means the same
    {"next": {"word": "barks"}}  the feature next:word:barks
    ["bias", "word=dog"]         the features bias and word=dog

Features of perceptag fire or do not, and sums of their weights are exact. A number is therefore never taken as it is:
with the bins 0.25 and 0.5, ``{"length": 0.4}`` has the feature length>=0.25, and 0.6 has length>=0.5 as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from numbers import Real
from typing import Any

import numpy as np

from perceptag.corpus.lists import as_list
from perceptag.errors import DataError, SettingError, brief
from perceptag.text.feature_lists import COLUMN, joined
from perceptag.text.sentence import Sentence

Bins = Mapping[str, Sequence[float]] | Sequence[float] | None


def with_features(X: Iterable[object], bins: Bins = None, *, are_expected: bool = False) -> list[object]:
    """Return the sentences; of those whose tokens are dictionaries or lists, a `Sentence` with a list of features.

    An empty sentence has such lists if others have, or if they are expected.

    >>> with_features([[{"word": "dog", "title": False}], ["The", "dog"]])[0].columns
    {'features': ['word:dog']}
    """
    checked = _checked_bins(bins)
    found = [_sentence(x, checked, f"sentence {i}") for i, x in enumerate(as_list(X, "a list of sentences"))]
    if are_expected or any(isinstance(x, Sentence) and COLUMN in x.columns for x in found):
        return [Sentence({COLUMN: []}, f"sentence {i}") if x == [] else x for i, x in enumerate(found)]
    return found


def _sentence(x: Any, bins: Bins, where: str) -> object:
    if isinstance(x, (Sentence, Mapping, str)) or not isinstance(x, Iterable):
        return x
    tokens = list(x) if not isinstance(x, Set) else x
    if not any(isinstance(token, (Mapping, list, tuple, Set)) for token in tokens):
        return tokens
    places = [f"{where}, token {t}" for t in range(len(tokens))]
    values = [joined(_features(token, bins, at), at) for token, at in zip(tokens, places, strict=True)]
    return Sentence({COLUMN: values}, where)


def _features(token: object, bins: Bins, where: str) -> Iterator[str]:
    """Yield the names of the features of a token, or of what stands inside one."""
    if isinstance(token, Mapping):
        for name, value in token.items():
            yield from _of_entry(_text(name, where), value, bins, where)
    elif isinstance(token, (list, tuple, Set)):
        ordered = sorted(_text(one, where) for one in token) if isinstance(token, Set) else token
        yield from (_text(one, where) for one in ordered)
    else:
        raise DataError(f"expected a dictionary or a list of features, found {brief(token)}", where)


def _of_entry(name: str, value: object, bins: Bins, where: str) -> Iterator[str]:
    if isinstance(value, str):
        yield f"{name}:{value}"
    elif isinstance(value, (Mapping, list, tuple, Set)):
        yield from (f"{name}:{inner}" for inner in _features(value, bins, where))
    elif isinstance(value, (bool, np.bool_)):
        yield from [name] * bool(value)
    elif isinstance(value, Real) and not math.isnan(value):
        yield from _of_number(name, float(value), bins, where)
    else:
        expected = "a string, True, False, a number, a list or a dictionary"
        raise DataError(f"feature {name!r}: expected {expected}, found {brief(value)}", where)


def _of_number(name: str, value: float, bins: Bins, where: str) -> Iterator[str]:
    borders = bins.get(name) if isinstance(bins, Mapping) else bins
    if borders is not None:
        yield from (f"{name}>={border:g}" for border in borders if value >= border)
    elif value in (0, 1):
        yield from [name] * int(value)
    else:
        hint = f"bins={{{name!r}: [{value:g}]}} makes features of numbers"
        raise DataError(
            f"feature {name!r}: expected 0 or 1, since features fire or do not; found {value:g}; {hint}", where
        )


def _text(name: object, where: str) -> str:
    if isinstance(name, str):
        return name
    raise DataError(f"feature: expected a string, found {brief(name)}", where)


def _checked_bins(bins: Bins) -> Bins:
    for borders in bins.values() if isinstance(bins, Mapping) else () if bins is None else [bins]:
        if (
            isinstance(borders, str)
            or not isinstance(borders, (Sequence, np.ndarray))
            or not all(map(_is_finite, borders))
        ):
            expected = "a list of numbers, or a dictionary of such lists"
            raise SettingError(f"bins: expected {expected}, found {brief(borders)}")
    return bins


def _is_finite(number: object) -> bool:
    return isinstance(number, Real) and not isinstance(number, bool) and math.isfinite(number)
