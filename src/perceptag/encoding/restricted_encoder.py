"""Encode sentences whose tokens are restricted to some labels each: a tag dictionary by token, not by word.

A column of the sentences names the labels: their ids, separated by spaces, or nothing where all are allowed. Where a
word of the tag dictionary of the model has none of them, they win.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain

import numpy as np

from perceptag import _core
from perceptag.encoding.encoder import Columns, values_of
from perceptag.encoding.fixed_encoder import FixedEncoder, KnownTypes
from perceptag.encoding.tag_dictionary import ClosedWords
from perceptag.numeric.arrays import Ints

ALLOWED = "\0allowed"  # the column; no column of a user can have this name


def allowed_text(ids: Iterable[int]) -> str:
    """Return labels as the column has them.

    >>> allowed_text({2, 0})
    '0 2'
    """
    return " ".join(map(str, sorted(ids)))


class TokenDictionary:
    """The labels that each token may have: those allowed at the token, and those of its word."""

    def __init__(self, closed: ClosedWords | None, allowed: Iterable[str], labels: int) -> None:
        self._words = closed or ClosedWords()
        words = self._words.entries
        entries = [list(entry) for entry in words]
        self._numbers = {(w, ""): w for w in range(-1, len(words))}
        for mask in dict.fromkeys(allowed):
            own = [int(y) for y in mask.split()]
            for w in range(-1, len(words)) if mask else ():
                both = own if w < 0 else [y for y in own if y in words[w]]
                self._numbers[w, mask] = len(entries)
                entries.append(both or own)
        self.native = _core.TagDictionary(entries, labels)

    def find(self, forms: Sequence[Sequence[Hashable]], allowed: Iterable[Hashable]) -> Ints:
        """Return the entry for each token; `allowed` has all tokens in a row."""
        pairs = zip(self._words.find(forms).tolist(), allowed, strict=True)
        return np.fromiter((self._numbers[w, str(mask)] for w, mask in pairs), np.int32)


class RestrictedEncoder(FixedEncoder):
    """Encodes as another encoder does, and finds the labels that each token may have."""

    def __init__(self, whole: FixedEncoder, allowed: Iterable[str], labels: int, with_words: bool) -> None:
        self.base, self.index, self.whole, self.closed = whole.base, whole.index, whole, whole.closed
        self.computed = whole.computed
        self.columns = list(dict.fromkeys([*whole.columns, "form", ALLOWED]))
        self.tokens = TokenDictionary(whole.closed if with_words else None, allowed, labels)
        self.dictionary = self.tokens.native

    def current_types(self) -> KnownTypes:
        """Return the types that the other encoder knows."""
        return self.whole.current_types()

    def find_closed(self, columns: Columns) -> Ints:
        """Return the entry of the dictionary for each token."""
        return self.tokens.find(values_of(columns, "form"), chain.from_iterable(values_of(columns, ALLOWED)))
