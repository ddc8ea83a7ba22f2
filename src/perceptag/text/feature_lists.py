"""Precomputed features: any number per token, stored as one value of the column `features`.

    ["bias", "word=dog", ("length", 0.5)]  <─▶  "bias␟word=dog␟length␞0.5"

The separators are those of ASCII for units, U+001F, and for records, U+001E. A feature that contains one is refused.

A feature may be a number. It counts as often as its amount says: the amount times its weight is added to a score. So
that sums of such products stay exact, an amount is rounded to a multiple of 1/64 there, and lies from -16 to 16.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

from perceptag.errors import DataError, brief
from perceptag.text.sentence import Sentence

COLUMN = "features"
SEPARATOR = "\x1f"
AMOUNT = "\x1e"  # between a feature and its amount, where that is not 1
UNITS = 64  # an amount is a whole number of 1/64
MOST = 16


def joined(features: Iterable[tuple[str, float]], where: str) -> str:
    """Join the features of a token and their amounts into one value; amounts of 0 are left out.

    >>> joined([("bias", 1.0), ("length", 0.5), ("upper", 0.0)], "token 0")
    'bias\\x1flength\\x1e0.5'
    """
    given = [(name, amount) for name, amount in features if amount]
    names = [name for name, _ in given]
    for name in names:
        if not name or SEPARATOR in name or AMOUNT in name:
            expected = "expected text without U+001E and U+001F, and not empty"
            raise DataError(f"feature: {expected}; found {brief(name)}", where)
    if len(set(names)) != len(names):
        twice = next(name for name, n in Counter(names).items() if n > 1)
        raise DataError(f"features: expected each once, found {brief(twice)} again", where)
    return SEPARATOR.join(name if amount == 1 else f"{name}{AMOUNT}{written(amount)}" for name, amount in given)


def written(amount: float) -> str:
    """Return an amount as it is written in lists and files.

    >>> written(2.0), written(0.25)
    ('2', '0.25')
    """
    return repr(amount).removesuffix(".0")


def rounded(amount: float) -> float:
    """Round an amount to a multiple of 1/64.

    >>> rounded(0.4)
    0.40625
    """
    return round(amount * UNITS) / UNITS


def checked(amount: float, name: str, where: str = "") -> float:
    """Return an amount; refuse what is too large, or not a number."""
    if math.isfinite(amount) and abs(amount) <= MOST:
        return amount
    hint = "divide by a constant, so that most numbers are near 1"
    raise DataError(f"feature {brief(name)}: expected a number from -{MOST} to {MOST}, found {amount:g}; {hint}", where)


def separated(value: str) -> list[str]:
    """Split a value into its features, which must not have amounts.

    >>> separated("bias\\x1fword=dog"), separated("")
    (['bias', 'word=dog'], [])
    """
    if AMOUNT in value:
        name, amount = next((name, amount) for name, amount in with_amounts(value).items() if amount != 1)
        hint = f"the template {COLUMN}.valued[0] takes numbers"
        raise DataError(f"feature {brief(name)}: expected 0 or 1 for this model, found {amount:g}; {hint}")
    return value.split(SEPARATOR) if value else []


def readable(value: str) -> str:
    """Return a value as tables show it; a plain word stays as it is.

    >>> readable("bias\\x1flength\\x1e0.5")
    'bias length × 0.5'
    """
    return value.replace(SEPARATOR, " ").replace(AMOUNT, " × ")


def with_amounts(value: str) -> dict[str, float]:
    """Split a value into its features with their amounts.

    >>> with_amounts("bias\\x1flength\\x1e0.5"), with_amounts("")
    ({'bias': 1.0, 'length': 0.5}, {})
    """
    found = (one.partition(AMOUNT) for one in value.split(SEPARATOR)) if value else ()
    return {name: _amount(number, name) if mark else 1.0 for name, mark, number in found}


def _amount(number: str, name: str) -> float:
    try:
        return checked(float(number), name)
    except ValueError as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"feature {brief(name)}: expected a number, found {brief(number)}") from None


def are_in(sentences: Sequence[Sentence]) -> bool:
    """Return whether the sentences have features in place of words."""
    first = next((sentence for sentence in sentences if len(sentence)), None)
    return first is not None and COLUMN in first.columns and "form" not in first.columns


def have_amounts(sentences: Iterable[Sentence]) -> bool:
    """Return whether a feature of some token is a number."""
    return any(AMOUNT in "".join(sentence.columns.get(COLUMN, ())) for sentence in sentences)
