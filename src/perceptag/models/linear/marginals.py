"""Probabilities of labels and spans under a linear model: p(labelling) proportional to exp(score / temperature).

For a conditional random field at temperature 1 these are the probabilities that it was trained to give. For any other
linear model they are a distribution over labellings like any other: of use once its temperature has been fitted.

Tokens     forward-backward; where the data's scheme is another than the model's, from pairs of labels
Spans      exactly this span is in the labelling: a sum over all labellings in which a chunk of this type begins at the
           first token, goes on to the last one and ends there, by forward-backward with those transitions only
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.corpus.dataset import batches, document_begins, make_dataset
from perceptag.errors import SettingError, brief
from perceptag.labels.pairs import chunk_pairs
from perceptag.labels.schemes import Span, split_label
from perceptag.models.linear.tagger import LinearTagger
from perceptag.numeric.arrays import Ints, cut
from perceptag.system.memory import require
from perceptag.text.sentence import Sentence

PAIRS_AT_ONCE = 1 << 23  # probabilities: 64 MiB

Reals = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.uint8]  # [L+1, L], row L: nothing before


def token_marginals(
    tagger: LinearTagger, sentences: Sequence[Sentence], temperature: float = 1.0, threads: int = 1
) -> list[list[dict[str, float]]]:
    """For every token the probability of each label, as the data writes labels."""
    weights, dictionary, scale = _only_vector(tagger), tagger.linear.dictionary, 1 / _checked(temperature)
    pairs = needed_pairs(tagger)

    def of_batch(batch: Sequence[Sentence]) -> list[list[dict[str, float]]]:
        corpus, begin, _ = _encode(tagger, batch)
        found = _core.marginals(weights, corpus, dictionary, scale, pairs is not None, threads)
        rows = found.reshape(begin[-1], len(found) // max(1, begin[-1]))
        if pairs is None:
            return by_name(tagger.model.label_set.names, rows, begin)
        return by_name(pairs[0], join_pairs(rows, pairs[1], begin, len(pairs[0])), begin)

    parts = [sentences] if pairs is None else pair_batches(sentences, weights.labels)
    return [tokens for batch in parts for tokens in of_batch(batch)]


def needed_pairs(tagger: LinearTagger) -> tuple[list[str], Ints] | None:
    """The data's labels and the pairs of the model's that give them; None where the model writes labels as the data."""
    label_set, pairs = tagger.model.label_set, tagger.label_writer.pairs
    if label_set.inner != label_set.outer and pairs is None:
        raise SettingError(
            f"marginals: a model with {label_set.inner} inside gives no probabilities of {label_set.outer} labels"
        )
    return pairs


def pair_batches(sentences: Sequence[Sentence], L: int) -> Iterator[list[Sentence]]:
    """Batches of which there is room for the probability of every pair of labels at every token, and a copy."""
    pairs = L * (L + 1)
    for batch in batches(sentences, PAIRS_AT_ONCE // pairs):
        tokens = sum(map(len, batch))
        require(2 * 8 * tokens * pairs, f"marginals: pairs of {L} labels at {tokens} tokens")
        yield batch


def by_name(names: Sequence[str], rows: Reals, begin: Ints) -> list[list[dict[str, float]]]:
    """For the tokens of every sentence what rows say of each name."""
    return cut([dict(zip(names, row, strict=True)) for row in rows.tolist()], begin)


def join_pairs(rows: Reals, table: Ints, begin: Ints, names: int) -> Reals:
    """From pairs (label before, label) of the model, [tokens, (L+1) * L], to labels of the data."""
    L = table.shape[1]
    both = rows.reshape(-1, L + 1, L)
    first = begin[:-1][begin[:-1] < begin[1:]]
    alone = both[first].sum(axis=1)  # a sentence within a document: what stands before it plays no part
    both[first] = 0.0
    both[first, L] = alone
    flat, pairs = both.reshape(len(both), table.size), np.argsort(table, axis=None, kind="stable")
    mine = np.split(pairs, np.searchsorted(table.ravel()[pairs], np.arange(1, names)))  # the pairs of each name
    return np.stack([flat[:, some].sum(axis=1) for some in mine], axis=1)


def span_marginals(
    tagger: LinearTagger,
    sentences: Sequence[Sentence],
    wanted: Sequence[Sequence[Span]],
    temperature: float = 1.0,
    threads: int = 1,
) -> list[list[float]]:
    """For every sentence the probability of each of the wanted spans: that exactly this span is in the labelling."""
    if tagger.model.label_set.inner == "none":
        raise SettingError("the labels of this model are not spans")
    corpus, begin, units = _encode(tagger, sentences)
    events = _Events(tagger, begin, units)
    for number, (sentence, some) in enumerate(zip(sentences, wanted, strict=True)):
        for span in some:
            numbers = isinstance(span, Span) and isinstance(span.start, int) and isinstance(span.end, int)
            if not numbers or not isinstance(span.label, str):
                raise SettingError(f"spans: expected Span(start, end, label), found {brief(span)} of sentence {number}")
            if not 0 <= span.start < span.end <= len(sentence):
                there = f"sentence {number}, which has {len(sentence)} tokens"
                raise SettingError(f"spans: {brief(span)} is not in {there}")
            events.add(number, span)
    weights, dictionary = _only_vector(tagger), tagger.linear.dictionary
    found = iter(events.probabilities(weights, corpus, dictionary, 1 / _checked(temperature), threads))
    return [[next(found) for _ in some] for some in wanted]


class _Events:
    """Spans as events: which transitions each token of a span allows, and those of the token after it."""

    def __init__(self, tagger: LinearTagger, begin: Ints, units: Ints) -> None:
        label_set = tagger.model.label_set
        self.names, self.scheme = label_set.names, label_set.inner
        self.begin, self.units = begin, units
        self.tables: list[Masks] = []
        self._by_type: dict[str, int] = {}  # the first of the tables of a type
        self.sequence: list[int] = []
        self.first: list[int] = []
        self.lengths: list[int] = []
        self.masks: list[int] = []

    def add(self, number: int, span: Span) -> None:
        """Ask for a span of a sentence."""
        start, end = int(self.begin[number]), int(self.begin[number + 1])
        unit = int(np.searchsorted(self.units, start, side="right")) - 1
        begins = self._tables_of(span.label)
        masks = [begins + 1 if span.start == 0 else begins, *[begins + 2] * (span.end - span.start - 1)]
        if start + span.end < end:
            masks.append(begins + 3)
        self.sequence.append(unit)
        self.first.append(start + span.start - int(self.units[unit]))
        self.lengths.append(len(masks))
        self.masks += masks

    def _tables_of(self, kind: str) -> int:
        if kind not in self._by_type:
            self._by_type[kind] = len(self.tables)
            L = len(self.names)
            require((len(self.tables) + 12) * L * (L + 1), f"spans of {len(self._by_type)} types with {L} labels")
            self.tables += span_masks(self.names, self._pairs, kind)
        return self._by_type[kind]

    @cached_property
    def _pairs(self) -> tuple[Flags, Flags]:
        return chunk_pairs(self.names, self.scheme)

    def probabilities(
        self,
        weights: _core.Weights,
        corpus: _core.Corpus,
        dictionary: _core.TagDictionary | None,
        scale: float,
        threads: int,
    ) -> Iterator[float]:
        """Of all spans, in the order in which they were asked for."""
        sequence, first, masks = (np.array(a, np.int32) for a in (self.sequence, self.first, self.masks))
        begin = np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int32)
        tables = np.concatenate([np.zeros(0, np.uint8), *(t.ravel() for t in self.tables)])
        yield from _core.event_probabilities(
            weights, corpus, sequence, first, begin, masks, tables, dictionary, scale, threads
        ).tolist()


def span_masks(names: Sequence[str], pairs: tuple[Flags, Flags], kind: str) -> tuple[Masks, Masks, Masks, Masks]:
    """Transitions where a chunk of a type begins, where it begins a sentence, goes on, and has ended before.

    `pairs` are the `chunk_pairs` of the names.
    """
    begins, joined = pairs
    mine = np.array([split_label(name)[1] == kind for name in names], np.bool_)
    of_kind = begins & mine
    masks = of_kind, np.tile(of_kind[-1], (len(of_kind), 1)), joined & mine, ~joined
    first, second, third, fourth = (mask.astype(np.uint8) for mask in masks)
    return first, second, third, fourth


def _encode(tagger: LinearTagger, sentences: Sequence[Sentence]) -> tuple[_core.Corpus, Ints, Ints]:
    """The sequences, where sentences begin, and where sequences do."""
    data = make_dataset(sentences, tagger.columns, computed=tagger.computed)
    units = document_begins(sentences) if tagger.whole_documents else data.begin
    return tagger.linear.encode(data.columns, units), data.begin, units


def _only_vector(tagger: LinearTagger) -> _core.Weights:
    if len(tagger.linear.vectors) > 1:
        raise SettingError("a model whose weight vectors vote has no probabilities; train with weights=averaged")
    return tagger.linear.vectors[0]


def _checked(temperature: float) -> float:
    if not 0 < temperature < float("inf"):
        raise SettingError(f"temperature: expected a number above 0, found {brief(temperature)}")
    return temperature
