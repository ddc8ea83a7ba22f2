"""An encoder whose features are fixed. Every model over feature rows tags with it.

Any number of threads may share it. It remembers the types that it has seen, up to a limit, so that the attributes of a
word are computed once.
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
    """The known types of all columns, as words and as bytes of a text."""

    lexicons: Mapping[str, Lexicon]
    texts: Mapping[str, _core.TextLexicon] = field(default_factory=lambda: defaultdict(_core.TextLexicon))


class FixedEncoder:
    """Encodes sentences with the features of a model, and finds its closed words."""

    def __init__(self, base: Encoder, closed: ClosedWords | None, labels: int) -> None:
        self.base = base
        self.index = base.frozen_index
        self.closed = closed
        self.dictionary = _core.TagDictionary(closed.entries, labels) if closed else None
        self.columns = list(dict.fromkeys([*base.columns, *(["form"] if closed else [])]))  # those that it looks at
        self._lock = threading.Lock()
        self._types = Types(base.fresh_lexicons())

    def current_types(self) -> Types:
        """Return the known types; when they become too many, start again with none."""
        with self._lock:
            if any(len(lexicon) > MAX_TYPES for lexicon in self._types.lexicons.values()):
                self._types = Types(self.base.fresh_lexicons())
            return self._types

    def encode(self, columns: Columns, begin: Ints) -> _core.Corpus:
        """Return the features of some sequences; `begin` says where each begins."""
        types = self.current_types()
        ids, closed = self.type_ids(columns, types), self.find_closed(columns)
        return _core.encode(self.index, self.tables(types), ids, begin, _EMPTY, closed)

    def type_ids(self, columns: Columns, types: Types) -> list[Ints]:
        """Return the types of all tokens, one array for each column."""
        return self.base.type_ids(columns, types.lexicons)

    def tables(self, types: Types) -> list[_core.TypeTable]:
        """Return the native tables of the types."""
        return self.base.tables(types.lexicons)

    def find_closed(self, columns: Columns) -> Ints:
        """Return the entry of the tag dictionary for each token; an empty array if there is no dictionary."""
        return self.closed.find(columns["form"]) if self.closed else _EMPTY
