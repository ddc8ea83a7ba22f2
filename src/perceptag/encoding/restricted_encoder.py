"""An encoder for sentences some of whose tokens may have only some labels: a tag dictionary of tokens, not of words.

A column of the sentences names the labels: their ids, separated by spaces, or nothing where all are allowed. Where a
word of the tag dictionary of the model has none of them, they win.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np

from perceptag import _core
from perceptag.encoding.encoder import Columns
from perceptag.encoding.fixed_encoder import FixedEncoder, Types
from perceptag.encoding.tag_dictionary import ClosedWords
from perceptag.numeric.arrays import Ints

ALLOWED = "\0allowed"  # the column; no column of a user can have this name


class RestrictedEncoder(FixedEncoder):
    """Encodes as another encoder does, and finds the labels that each token may have."""

    def __init__(self, whole: FixedEncoder, allowed: Iterable[str], labels: int, with_words: bool) -> None:
        self.base, self.index, self.whole = whole.base, whole.index, whole
        self.words = (whole.closed if with_words else None) or ClosedWords()
        self.closed = self.words
        self.columns = list(dict.fromkeys([*whole.columns, "form", ALLOWED]))
        words = self.words.entries
        entries = [list(entry) for entry in words]
        self._numbers = {(w, ""): w for w in range(-1, len(words))}
        for mask in dict.fromkeys(allowed):
            own = [int(y) for y in mask.split()]
            for w in range(-1, len(words)) if mask else ():
                both = own if w < 0 else [y for y in own if y in words[w]]
                self._numbers[w, mask] = len(entries)
                entries.append(both or own)
        self.dictionary = _core.TagDictionary(entries, labels)

    def current_types(self) -> Types:
        """Return the types that the other encoder knows."""
        return self.whole.current_types()

    def find_closed(self, columns: Columns) -> Ints:
        """Return the entry of the dictionary for each token."""
        words, masks = self.words.find(columns["form"]).tolist(), chain.from_iterable(columns[ALLOWED])
        return np.fromiter((self._numbers[w, str(mask)] for w, mask in zip(words, masks, strict=True)), np.int32)
