"""The search of a linear model: the best labelling of each sequence under its weights."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, cast

from perceptag import _core
from perceptag.arrays import NO_INTS, Ints, np
from perceptag.features.encoder import Columns
from perceptag.features.fixed_encoder import FixedEncoder, KnownTypes, TokenTypes, TypedColumns
from perceptag.labels.label_set import LabelWriter
from perceptag.system.memory import SMALL, require

# Memory for the scores of single types, in bytes; see `_core.Predictor`.
MAX_SUMS = 64 << 20

# About how many words are read at once, and labels written at once, while no other thread of Python can run: that takes
# well below a millisecond. Their search, during which others can, takes several.
PIECE = 8192


class LinearDecoder:
    """One weight vector, or several that vote: read-only, shared by any number of threads."""

    def __init__(self, encoder: FixedEncoder, vectors: Sequence[_core.Weights]) -> None:
        self.encoder = encoder
        self.vectors = vectors
        for weights in vectors:
            weights.prepare()
        self._lattice_bytes = lattice_bytes(vectors[0])
        self._lock = threading.Lock()
        self._types: KnownTypes | None = None  # the types that the predictors know
        self._predictors: list[_core.Predictor] = []  # one for each vector, once tagging has begun

    def tag(self, columns: Columns, begin: Ints, threads: int = 1, encoder: FixedEncoder | None = None) -> Ints:
        """Label ids of all tokens, one sequence after the other, as a view of memory.

        `encoder` knows the same features, but which labels a token may have only for these sequences.
        """
        encoder = encoder or self.encoder
        found, closed = encoder.look_up(columns), encoder.find_closed(columns)
        return self._tag(found, begin, closed, threads, encoder.dictionary)

    def tag_text(self, text: _core.ColumnText, names: Sequence[str]) -> Ints:
        """The same for lines of a column file whose columns have these names; only without a tag dictionary."""
        begin = cast("Ints", text.begin)  # a view of memory, which the core takes as it takes an array
        found = self.encoder.look_up_text(text, names, cast("Ints", text.documents))
        return self._tag(found, begin, NO_INTS, 1, None)

    def tag_lists(
        self, sentences: list[Any], writer: LabelWriter, threads: int = 1, numbers_are_features: bool | None = None
    ) -> list[list[str]] | None:
        """The labels of sentences as users give them; None if they are not lists of words, or lists by column.

        Only with one weight vector, without computed columns and without a tag dictionary. With `numbers_are_features`,
        tokens are dictionaries of features (`perceptag.sklearn`).
        """
        require_tokens(self.vectors[0], _core.longest(sentences))
        types, columns = self.encoder.current_types(), self.encoder.base.columns
        lexicons = [types.lexicons[c] for c in columns]
        pairs = writer.pairs[1] if writer.pairs else None
        (predictor,) = self.predictors_of(types)
        known = [lexicon.types for lexicon in lexicons]
        names = tuple(columns)
        return _core.tag_lists(
            predictor, sentences, names, lexicons, known, writer.names, pairs, threads, PIECE, numbers_are_features
        )

    def tag_types(self, columns: TypedColumns, begin: Ints, threads: int = 1, documents: Ints | None = None) -> Ints:
        """The same for columns as different values, and for each token the number of its value.

        Only without a tag dictionary.
        """
        return self._tag(self.encoder.look_up_types(columns, begin, documents), begin, NO_INTS, threads, None)

    def _tag(
        self, found: TokenTypes, begin: Ints, closed: Ints, threads: int, dictionary: _core.TagDictionary | None
    ) -> Ints:
        if int(begin[-1]) * self._lattice_bytes > SMALL:  # else every sequence is small, too
            require_lattice(self.vectors[0], begin)
        predictors = self.predictors_of(found.types)
        tokens = found.tables, found.ids, begin, closed
        labelings = [cast("Ints", p.tag(dictionary, *tokens, threads)) for p in predictors]  # views of memory
        return labelings[0] if len(labelings) == 1 else vote(labelings, begin)

    def predictors_of(self, types: KnownTypes) -> list[_core.Predictor]:
        """One for each vector, which knows these types."""
        with self._lock:
            if self._types is not types:
                tables = tuple(self.encoder.tables(types))
                index, share = self.encoder.index, MAX_SUMS // len(self.vectors)
                computed = self.encoder.computed_places()
                self._predictors = [_core.Predictor(index, w, tables, share, computed) for w in self.vectors]
                self._types = types
            return self._predictors


def require_lattice(weights: _core.Weights, begin: Ints, more: int = 0) -> None:
    """Refuse a sequence whose lattice, and `more` bytes for each of its tokens, would not fit into memory."""
    require_tokens(weights, max((b - a for a, b in pairwise(begin.tolist())), default=0), more)


def require_tokens(weights: _core.Weights, T: int, more: int = 0) -> None:
    """Do the same for a sequence of T tokens."""
    require(T * (lattice_bytes(weights) + more), f"a sequence of {T} tokens with {weights.labels} labels")


SPAN_BYTES = 64  # for each state of labels with lengths: scores of spans, their features, the search


def lattice_bytes(weights: _core.Weights) -> int:
    """Return the bytes of the lattice of one token."""
    L = weights.labels
    observed = [order for order in (1, 2) if weights.rows(order)]
    states = L ** max(1, weights.order)
    spans = SPAN_BYTES * weights.span_states if weights.has_spans else 0
    return int(4 * (L + states + sum(L ** (order + 1) for order in observed))) + spans


def vote(labelings: Sequence[Ints], begin: Ints) -> Ints:
    """Choose the most frequent labelling of each sequence; each of `labelings` covers all sequences.

    >>> votes = [np.array(v, np.int32) for v in ([0, 1, 7], [0, 0, 7], [0, 0, 8])]
    >>> vote(votes, np.array([0, 2, 3])).tolist()
    [0, 0, 7]
    """
    winner: Ints = np.array(labelings[0])
    for a, b in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True):
        votes = Counter(labels[a:b].tobytes() for labels in labelings)
        winner[a:b] = np.frombuffer(votes.most_common(1)[0][0], np.int32)
    return winner
