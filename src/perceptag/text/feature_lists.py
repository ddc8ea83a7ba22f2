"""Features of tokens that somebody else has computed: any number for each token, as one value of the column `features`.

    ["bias", "word=dog", "suffix=og"]  <─▶  "bias␟word=dog␟suffix=og"

The separator is the unit separator of ASCII, U+001F. A feature that contains one is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from perceptag.errors import DataError, brief
from perceptag.text.sentence import Sentence

COLUMN = "features"
SEPARATOR = "\x1f"


def joined(features: Iterable[str], where: str) -> str:
    """Return the features of a token as one value, in their order.

    >>> joined(["bias", "word=dog"], "token 0")
    'bias\\x1fword=dog'
    """
    given = list(features)
    value = SEPARATOR.join(given)
    if "" in given or value.count(SEPARATOR) != max(0, len(given) - 1):
        wrong = next(one for one in given if not one or SEPARATOR in one)
        raise DataError(f"feature: expected text without U+001F, and not empty; found {brief(wrong)}", where)
    if len(set(given)) != len(given):
        twice = next(one for one, n in Counter(given).items() if n > 1)
        raise DataError(f"features: expected each once, found {brief(twice)} again", where)
    return value


def separated(value: str) -> list[str]:
    """Return the features that `joined` has made one value of.

    >>> separated("bias\\x1fword=dog"), separated("")
    (['bias', 'word=dog'], [])
    """
    return value.split(SEPARATOR) if value else []


def are_in(sentences: Sequence[Sentence]) -> bool:
    """Return whether the sentences have features in place of words."""
    first = next((sentence for sentence in sentences if len(sentence)), None)
    return first is not None and COLUMN in first.columns and "form" not in first.columns
