"""A linear model over a lattice: features, weights, and how both are packed into arrays.

This is the model of every learner that scores labellings with weights of local features: the encoder finds the
features of a sentence, the weights score them, Viterbi finds the best labelling.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.encoding.encoder import Columns, Encoder
from perceptag.encoding.lexicon import MAX_TYPES, Lexicon
from perceptag.encoding.tag_dictionary import ClosedWords
from perceptag.errors import ModelError, SettingError
from perceptag.features.attributes import Attribute
from perceptag.features.template import Template
from perceptag.labels.label_set import LabelSet
from perceptag.models.linear.starting_weights import StartingWeights
from perceptag.models.linear.voting import vote
from perceptag.numeric.arrays import Ints
from perceptag.recipe.recipe import Recipe
from perceptag.store.model import Arrays, array_of
from perceptag.system.memory import require

NODE, PLAIN_EDGE, PLAIN_TRIGRAM = 0, 3, 4
BLOCKS = range(5)
_NO_SUMS = np.zeros(0)
_EMPTY = np.zeros(0, np.int32)

# Each weight vector that votes keeps a score for each label while it tags.
MAX_VOTES = 1 << 26
# Bytes that the scores of single types may take, see `_core.Predictor`.
MAX_SUMS = 64 << 20


def make_weights(
    encoder: Encoder, corpus: _core.Corpus, labels: int, recipe: Recipe, earlier: StartingWeights | None = None
) -> _core.Weights:
    """Zero weights for the features of the corpus, after count cut-offs; those of an earlier model keep theirs."""
    if recipe.weights == "voted" and recipe.snapshots * labels > MAX_VOTES:
        raise SettingError(
            f"snapshots: {recipe.snapshots} weight vectors for {labels} labels, expected at most {MAX_VOTES} "
            "when multiplied"
        )
    try:
        _require_transitions(encoder, labels)
        return _make_weights(encoder, corpus, labels, recipe, earlier)
    except SettingError:
        raise
    except ValueError as error:
        raise SettingError(f"templates: {error}; the data has {labels}") from error


def _make_weights(
    encoder: Encoder, corpus: _core.Corpus, labels: int, recipe: Recipe, earlier: StartingWeights | None
) -> _core.Weights:
    index = encoder.index
    assert index is not None
    weights = _core.Weights(labels, 1 in encoder.plain_orders, 2 in encoder.plain_orders)
    gold = recipe.support == "gold"
    for order in range(3):
        make_block(weights, order, index, corpus, recipe, earlier)
    if gold:
        for order in encoder.plain_orders:
            unseen = _core.unseen_transitions(corpus, order, labels, recipe.cutoff)
            weights.fix_plain(order, earlier.free(order, unseen) if earlier else unseen)
    if earlier:
        earlier.set(weights)
    return weights


# Bytes for each weight in training: the weight, its sum and its count, a flag, the weights of the best pass and of the
# present average; and when a model is made of them, copies of weight and sum, a row of vectors, and flags.
TRAINING_BYTES = (4 + 8 + 4 + 1 + 4 + 4) + (4 + 8 + 4 + 1)
MAX_TRIGRAM_LABELS = 1624  # the core refuses more: three labels are numbered in 32 bits


def _require_transitions(encoder: Encoder, labels: int) -> None:
    """Transitions grow with the square or the cube of the labels: ask before they are made."""
    if 2 in encoder.plain_orders and labels > MAX_TRIGRAM_LABELS:
        raise ValueError(f"with features of three labels (y-2 y-1 y0) a model has at most {MAX_TRIGRAM_LABELS} labels")
    for order in encoder.plain_orders:
        what = f"templates: transitions between {labels} labels{' and the two before' * (order == 2)}"
        require((labels + 1) ** order * labels * TRAINING_BYTES, what)


def make_block(
    weights: _core.Weights,
    order: int,
    index: _core.FeatureIndex,
    corpus: _core.Corpus,
    recipe: Recipe,
    earlier: StartingWeights | None = None,
) -> None:
    """Zero weights for the features of one order, after count cut-offs."""
    if not index.rows(order):
        return
    gold = recipe.support == "gold"
    support = _core.count_support(corpus, order, index.rows(order), weights.labels)
    if earlier:
        support = earlier.join(order, support)
    if recipe.cutoff > 1:
        support = _core.apply_cutoff(support, recipe.cutoff, not gold, order, index, corpus)
    if gold:
        weights.make_compact(order, support.begin, support.codes)
    else:
        rows, width = index.rows(order), (weights.labels + 1) ** order * weights.labels
        require(
            rows * width * TRAINING_BYTES, f"support: {rows} features with weights for {width} combinations of labels"
        )
        weights.make_dense(order, rows)


def pack(encoder: Encoder, vectors: Sequence[_core.Weights]) -> Arrays:
    """Features and weights as arrays; weights of zero and features without weight are left out.

    There is one weight vector, or several that vote; ``weights.N`` then holds them one after the other.
    """
    arrays = pack_vocabularies(encoder)
    for block in BLOCKS:
        w = np.stack([weights.get(block)[0] for weights in vectors])  # float32[K, weights]
        w[~np.isfinite(w)] = 0  # constraints are applied anew on loading
        if block >= PLAIN_EDGE:
            # Without such a template the row is there only to carry constraints.
            is_learned = block - PLAIN_EDGE + 1 in encoder.plain_orders
            arrays[f"weights.{block}"] = w.ravel() if is_learned else np.zeros(0, np.float32)
        else:
            pack_block(encoder, vectors[0], block, w, arrays)
    return arrays


def pack_vocabularies(encoder: Encoder) -> Arrays:
    """The values of every attribute, by their numbers."""
    return {
        f"vocabulary.{c}.{a}": np.frombuffer("".join(v + "\0" for v in vocabulary).encode(), np.uint8)
        for c, column in enumerate(encoder.columns)
        for a, vocabulary in enumerate(encoder.vocabularies[column])
    }


def pack_block(
    encoder: Encoder, weights: _core.Weights, order: int, w: npt.NDArray[np.float32], arrays: Arrays
) -> None:
    """Write the rows of one order in compact form, and the features that own them."""
    rows = weights.rows(order)
    used = np.flatnonzero((w != 0).any(axis=0))
    if weights.is_dense(order):
        owner, codes = np.divmod(used, w.shape[1] // max(1, rows))
    else:
        begin, all_codes = weights.layout(order)
        owner, codes = np.repeat(np.arange(rows), np.diff(begin))[used], all_codes[used]
    kept, counts = np.unique(owner, return_counts=True)
    renumber = np.full(rows, -1, np.int32)
    renumber[kept] = np.arange(len(kept), dtype=np.int32)
    arrays[f"weights.{order}"] = w[:, used].ravel()
    arrays[f"codes.{order}"] = codes.astype(np.uint32)
    arrays[f"begin.{order}"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.uint32)
    pack_features(encoder, order, renumber, arrays)


def pack_features(encoder: Encoder, order: int, renumber: Ints, arrays: Arrays) -> None:
    """Write the features of one order under their new row numbers; those with the number -1 are left out."""
    index = get_index(encoder)
    for i, template in enumerate(encoder.templates):
        if template.order != order:
            continue
        values, numbers = index.list(i)
        alive = renumber[numbers] >= 0
        arity = len(template.fields)
        arrays[f"values.{i}"] = values.reshape(len(numbers), arity)[alive].ravel()
        arrays[f"rows.{i}"] = renumber[numbers[alive]]


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


def unpack(
    arrays: Arrays,
    templates: Sequence[Template],
    label_set: LabelSet,
    constrain: bool,
    snapshots: int = 1,
    closed: ClosedWords | None = None,
    attributes: Mapping[str, Attribute] | None = None,
) -> Linear:
    """The inverse of `pack`. Every number is checked before native code sees it."""
    encoder = unpack_features(arrays, templates, attributes)
    vectors = _unpack_weights(arrays, encoder, len(label_set.names), snapshots)
    if constrain:
        mask = label_set.mask()
        for weights in vectors:
            weights.constrain(*mask)
    return Linear(encoder, vectors, closed)


def unpack_features(
    arrays: Arrays, templates: Sequence[Template], attributes: Mapping[str, Attribute] | None
) -> Encoder:
    """Vocabularies and feature index of a model."""
    encoder = Encoder(templates, attributes)
    for c, column in enumerate(encoder.columns):
        for a, vocabulary in enumerate(encoder.vocabularies[column]):
            *values, rest = array_of(arrays, f"vocabulary.{c}.{a}", np.uint8).tobytes().decode().split("\0")
            vocabulary.extend(values)
            if rest or len(vocabulary) != len(values):
                raise ModelError(f"vocabulary {c}.{a} is cut short or lists a value twice")
    index = encoder.freeze()
    for i in range(len(encoder.templates)):
        index.load(i, array_of(arrays, f"values.{i}", np.int32), array_of(arrays, f"rows.{i}", np.int32))
    return encoder


def _unpack_weights(arrays: Arrays, encoder: Encoder, labels: int, snapshots: int) -> list[_core.Weights]:
    if snapshots * labels > MAX_VOTES:
        raise ModelError(f"{snapshots} weight vectors for {labels} labels are too many")
    _check_sizes(arrays, encoder, labels, snapshots)
    plain = 1 in encoder.plain_orders, 2 in encoder.plain_orders
    vectors = [_core.Weights(labels, *plain) for _ in range(snapshots)]
    for block in BLOCKS:
        w = array_of(arrays, f"weights.{block}", np.float32)
        if not np.isfinite(w).all():
            raise ModelError("a weight is not a finite number")
        for weights, part in zip(vectors, w.reshape(snapshots, -1), strict=True):
            if block < PLAIN_EDGE:
                weights.make_compact(block, arrays[f"begin.{block}"], arrays[f"codes.{block}"])
            weights.set(block, part, _NO_SUMS)
    return vectors


def _check_sizes(arrays: Arrays, encoder: Encoder, labels: int, snapshots: int) -> None:
    """Refuse numbers that do not agree, before memory is taken for any of them."""
    for block in BLOCKS:
        order = block if block < PLAIN_EDGE else block - PLAIN_EDGE + 1
        if block < PLAIN_EDGE:
            begin, codes = (array_of(arrays, f"{name}.{block}", np.uint32) for name in ("begin", "codes"))
            check_rows(arrays, encoder, order, begin)
            expected = len(codes)
        else:
            expected = (labels + 1) ** order * labels if order in encoder.plain_orders else 0
        found = len(array_of(arrays, f"weights.{block}", np.float32))
        if found != snapshots * expected:
            raise ModelError(f"weights.{block}: expected {snapshots} times {expected} weights, found {found}")


def check_features(arrays: Arrays, encoder: Encoder, order: int) -> int:
    """The number of features of an order; their rows are numbered from 0, and each has its own."""
    rows = [arrays[f"rows.{i}"] for i, template in enumerate(encoder.templates) if template.order == order]
    owners = np.concatenate([*rows, _EMPTY])
    count = len(owners)
    in_range = bool(((owners >= 0) & (owners < count)).all())
    if not in_range or not (np.bincount(owners, minlength=count) == 1).all():
        raise ModelError(f"features of order {order} are not numbered one after the other")
    return count


def check_rows(arrays: Arrays, encoder: Encoder, order: int, begin: npt.NDArray[Any]) -> None:
    """Every row belongs to one feature and has a weight."""
    if check_features(arrays, encoder, order) != len(begin) - 1:
        raise ModelError(f"features of order {order} and their weights do not belong together")
    if not (begin[1:] > begin[:-1]).all():
        raise ModelError(f"begin.{order}: a feature of order {order} has no weight")
