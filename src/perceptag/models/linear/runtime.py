"""A linear model over a lattice: features, weights, and how both are packed into arrays.

This is the model of every learner that scores labellings with weights of local features: the encoder finds the
features of a sentence, the weights score them, Viterbi finds the best labelling.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from perceptag import _core
from perceptag.encoding.encoder import Columns, Encoder
from perceptag.encoding.lexicon import MAX_TYPES, Lexicon
from perceptag.encoding.tag_dictionary import ClosedWords
from perceptag.models.linear.voting import vote
from perceptag.numeric.arrays import Ints
from perceptag.system.memory import require

_EMPTY = np.zeros(0, np.int32)

# Bytes that the scores of single types may take, see `_core.Predictor`.
MAX_SUMS = 64 << 20


class Linear:
    """A compiled linear model: read-only, shared by any number of threads."""

    def __init__(
        self,
        encoder: Encoder,
        vectors: Sequence[_core.Weights],
        closed: ClosedWords | None = None,
    ) -> None:
        self.encoder = encoder
        self.vectors = vectors  # one, or several that vote
        encoder.prepare()
        for weights in vectors:
            weights.prepare()
        self.closed = closed
        self.dictionary = _core.TagDictionary(closed.entries, vectors[0].labels) if closed else None
        self._lock = threading.Lock()
        self._types = _Types(encoder.fresh_lexicons())

    def tag(self, columns: Columns, begin: Ints, threads: int = 1) -> Ints:
        """Label ids of all tokens, one sequence after the other."""
        types = self._current_types()
        ids = self.encoder.type_ids(columns, types.lexicons)
        return self._tag(types, ids, begin, self.find_closed(columns), threads)

    def tag_text(self, text: _core.ColumnText, names: Sequence[str]) -> Ints:
        """The same for lines of a column file whose columns have these names. Without a tag dictionary only."""
        types = self._current_types()
        ids = [types.lexicons[c].numbers_of_text(text, names.index(c), types.texts[c]) for c in self.encoder.columns]
        return self._tag(types, ids, text.begin, _EMPTY, threads=1)

    def _tag(self, types: _Types, ids: list[Ints], begin: Ints, closed: Ints, threads: int) -> Ints:
        self.require_lattice(begin)
        labelings = [p.tag(self.dictionary, ids, begin, closed, threads) for p in self._predictors(types)]
        return labelings[0] if len(labelings) == 1 else vote(labelings, begin)

    def require_lattice(self, begin: Ints, more: int = 0) -> None:
        """Refuse a sequence whose lattice, and `more` bytes for each of its tokens, would not fit into memory."""
        T, L = int(np.diff(begin).max(initial=0)), self.vectors[0].labels
        observed = [order for order in (1, 2) if self.vectors[0].rows(order)]
        states = L ** max(1, self.vectors[0].order)
        needed = 4 * T * (L + states + sum(L ** (order + 1) for order in observed))
        require(needed + T * more, f"a sequence of {T} tokens with {L} labels")

    def encode(self, columns: Columns, begin: Ints, labels: Ints = _EMPTY) -> _core.Corpus:
        """The features of some sentences."""
        lexicons = self.current_lexicons()
        encoder = self.encoder
        ids = encoder.type_ids(columns, lexicons)
        return _core.encode(get_index(encoder), encoder.tables(lexicons), ids, begin, labels, self.find_closed(columns))

    def find_closed(self, columns: Columns) -> Ints:
        """Entries of the tag dictionary for all tokens, or nothing without one."""
        return self.closed.find(columns["form"]) if self.closed else _EMPTY

    def current_lexicons(self) -> Mapping[str, Lexicon]:
        """Lexicons to look words up in."""
        return self._current_types().lexicons

    def _current_types(self) -> _Types:
        """The types that are known; they start afresh when they have become too many."""
        with self._lock:
            if any(len(lexicon) > MAX_TYPES for lexicon in self._types.lexicons.values()):
                self._types = _Types(self.encoder.fresh_lexicons())
            return self._types

    def _predictors(self, types: _Types) -> list[_core.Predictor]:
        with self._lock:
            if not types.predictors:
                tables = tuple(self.encoder.tables(types.lexicons))
                index, share = get_index(self.encoder), MAX_SUMS // len(self.vectors)
                types.predictors = [_core.Predictor(index, w, tables, share) for w in self.vectors]
            return types.predictors


@dataclass(slots=True)
class _Types:
    """Lexicons, and one predictor for each weight vector that knows their types, once tagging has begun."""

    lexicons: Mapping[str, Lexicon]
    predictors: list[_core.Predictor] = field(default_factory=list)
    texts: Mapping[str, _core.TextLexicon] = field(default_factory=lambda: defaultdict(_core.TextLexicon))


def get_index(encoder: Encoder) -> _core.FeatureIndex:
    """The feature index of an encoder that is frozen."""
    assert encoder.index is not None
    return encoder.index
