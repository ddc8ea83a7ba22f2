"""An encoder whose features are fixed: what every model over rows of features uses to tag.

Any number of threads share it. It remembers the types that it has met, up to a limit, so that a word is looked at once.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from perceptag import _core
from perceptag.encoding.encoder import Columns, Encoder
from perceptag.encoding.lexicon import MAX_TYPES, Lexicon
from perceptag.encoding.tag_dictionary import ClosedWords
from perceptag.numeric.arrays import Ints

_EMPTY = np.zeros(0, np.int32)


@dataclass(frozen=True, slots=True)
class Types:
    """The types of all columns that are known at a time, as words and as bytes of a text."""

    lexicons: Mapping[str, Lexicon]
    texts: Mapping[str, _core.TextLexicon] = field(default_factory=lambda: defaultdict(_core.TextLexicon))


class FixedEncoder:
    """Encodes sentences with the features of a model, and finds its closed words."""

    def __init__(self, base: Encoder, closed: ClosedWords | None, labels: int) -> None:
        self.base = base
        self.index = base.frozen_index
        self.closed = closed
        self.dictionary = _core.TagDictionary(closed.entries, labels) if closed else None
        self.columns = list(dict.fromkeys([*base.columns, *(["form"] if closed else [])]))  # that it looks at
        self._lock = threading.Lock()
        self._types = Types(base.fresh_lexicons())

    def current_types(self) -> Types:
        """The types that are known; they start afresh when they have become too many."""
        with self._lock:
            if any(len(lexicon) > MAX_TYPES for lexicon in self._types.lexicons.values()):
                self._types = Types(self.base.fresh_lexicons())
            return self._types

    def encode(self, columns: Columns, begin: Ints) -> _core.Corpus:
        """The features of some sequences, which begin there."""
        types = self.current_types()
        ids, closed = self.type_ids(columns, types), self.find_closed(columns)
        return _core.encode(self.index, self.tables(types), ids, begin, _EMPTY, closed)

    def type_ids(self, columns: Columns, types: Types) -> list[Ints]:
        """The types of all tokens, one array for each column."""
        return self.base.type_ids(columns, types.lexicons)

    def tables(self, types: Types) -> list[_core.TypeTable]:
        """The native tables behind the types."""
        return self.base.tables(types.lexicons)

    def find_closed(self, columns: Columns) -> Ints:
        """Entries of the tag dictionary for all tokens, or nothing without one."""
        return self.closed.find(columns["form"]) if self.closed else _EMPTY
