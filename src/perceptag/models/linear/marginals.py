"""Probabilities of labels and spans under a linear model: p(labelling) proportional to exp(score / temperature).

For a conditional random field at temperature 1 these are the probabilities that it was trained to give. For any other
linear model they are only one possible distribution over labellings, which is useful once its temperature is fitted.

    Tokens     forward-backward; if the data has another scheme than the model, from pairs of labels
    Spans      exactly this span is in the labelling: a sum over all labellings in which a chunk of this type begins at
               the first token, continues to the last and ends there, by forward-backward with only those transitions

The margin of a token is the log-odds of its marginal: models that are trained to give probabilities have a confidence
before any calibration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.arrays import Floats, Ints, cut
from perceptag.errors import SettingError, brief
from perceptag.features.dataset import Dataset, SequenceReader
from perceptag.features.fixed_encoder import FixedEncoder
from perceptag.labels.label_set import LabelSet, LabelWriter
from perceptag.labels.pairs import chunk_pairs
from perceptag.labels.schemes import Span, spans, split_label
from perceptag.models.margins import LIMIT, Margins
from perceptag.system.memory import require
from perceptag.system.plural import plural
from perceptag.text.documents import batches
from perceptag.text.sentence import Sentence

PAIRS_AT_ONCE = 1 << 23  # probabilities: 64 MiB

Reals = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.uint8]  # [L+1, L], row L: the start


@dataclass(frozen=True, slots=True)
class Marginals:
    """The probabilities of labellings under some weights."""

    weights: _core.Weights
    reader: SequenceReader
    encoder: FixedEncoder
    label_writer: LabelWriter
    constrained: Callable[[_core.Weights, Dataset], _core.ConstrainedSearch]  # the search for sentences with rules
    temperature: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.temperature < float("inf"):
            raise SettingError(f"temperature: expected a number above 0, found {brief(self.temperature)}")

    @property
    def label_set(self) -> LabelSet:
        """The labels of the model."""
        return self.label_writer.label_set

    def of_tokens(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[dict[str, float]]]:
        """For every token the probability of each label, as the data writes labels."""
        pairs = needed_pairs(self.label_writer)
        parts = [sentences] if pairs is None else pair_batches(sentences, self.weights.labels)
        return [tokens for batch in parts for tokens in self._of_batch(batch, pairs, threads)]

    def _of_batch(
        self, batch: Sequence[Sentence], pairs: tuple[list[str], Ints] | None, threads: int
    ) -> list[list[dict[str, float]]]:
        data = self.reader.read(batch)
        rows = self.of_labels(data, threads, pairs is not None)
        if pairs is None:
            return by_name(self.label_set.names, rows, data.begin)
        return by_name(pairs[0], join_pairs(rows, pairs[1], data.begin, len(pairs[0])), data.begin)

    def of_labels(self, data: Dataset, threads: int = 1, of_pairs: bool = False) -> Reals:
        """For every token the probability of each label of the model, or of each pair with the label before."""
        corpus, dictionary = self.encoder.encode(data.columns, data.units), self.encoder.dictionary
        scale = 1 / self.temperature
        if data.ruled:
            found = self.constrained(self.weights, data).marginals(corpus, scale, of_pairs, threads)
        else:
            found = _core.marginals(self.weights, corpus, dictionary, scale, of_pairs, threads)
        tokens = int(data.begin[-1])
        return found.reshape(tokens, len(found) // max(1, tokens))

    def of_spans(
        self, sentences: Sequence[Sentence], wanted: Sequence[Sequence[Span]], threads: int = 1
    ) -> list[list[float]]:
        """For every sentence the probability of each wanted span: that exactly this span is in the labelling."""
        if self.label_set.inner == "none":
            raise SettingError("the labels of this model are not spans")
        data = self.reader.read(sentences)
        events = _Events(self.label_set, data.begin, data.units)
        for number, (sentence, some) in enumerate(zip(sentences, wanted, strict=True)):
            for span in some:
                check_span(span, number, sentence)
                events.add(number, span)
        corpus, scale = self.encoder.encode(data.columns, data.units), 1 / self.temperature
        if data.ruled:
            search = self.constrained(self.weights, data)
            probabilities = search.event_probabilities(corpus, *events.arrays(), scale, threads)
        else:
            more = self.encoder.dictionary, scale, threads
            probabilities = _core.event_probabilities(self.weights, corpus, *events.arrays(), *more)
        found = iter(probabilities.tolist())
        return [[next(found) for _ in some] for some in wanted]


def check_span(span: object, number: int, sentence: Sentence) -> None:
    """Refuse what is not a span of a sentence."""
    numbers = isinstance(span, Span) and isinstance(span.start, int) and isinstance(span.end, int)
    if not isinstance(span, Span) or not numbers or not isinstance(span.label, str):
        raise SettingError(f"spans: expected Span(start, end, label), found {brief(span)} of sentence {number}")
    if not 0 <= span.start < span.end <= len(sentence):
        there = f"sentence {number}, which has {plural(len(sentence), 'token')}"
        raise SettingError(f"spans: expected a span within {there}, found {brief(span)}")


def needed_pairs(label_writer: LabelWriter) -> tuple[list[str], Ints] | None:
    """The data's labels and the pairs of model labels that give them; None if model and data have the same scheme."""
    label_set, pairs = label_writer.label_set, label_writer.pairs
    if label_set.inner != label_set.outer and pairs is None:
        raise SettingError(
            f"marginals: a model with {label_set.inner} inside gives no probabilities of {label_set.outer} labels"
        )
    return pairs


def pair_batches(sentences: Sequence[Sentence], L: int) -> Iterator[list[Sentence]]:
    """Batches small enough for the probability of every pair of labels at every token, and a copy of it."""
    pairs = L * (L + 1)
    for batch in batches(sentences, PAIRS_AT_ONCE // pairs, whole_documents=True):
        tokens = sum(map(len, batch))
        require(2 * 8 * tokens * pairs, f"marginals: pairs of {L} labels at {tokens} tokens")
        yield batch


def by_name(names: Sequence[str], rows: Reals, begin: Ints) -> list[list[dict[str, float]]]:
    """For each token of every sentence, the numbers of its row by name."""
    return cut([dict(zip(names, row, strict=True)) for row in rows.tolist()], begin)


def join_pairs(rows: Reals, table: Ints, begin: Ints, names: int) -> Reals:
    """From pairs (label before, label) of the model, [tokens, (L+1) * L], to labels of the data."""
    table = np.asarray(table)  # it may be a view of memory
    L = table.shape[1]
    both = rows.reshape(-1, L + 1, L)
    first = begin[:-1][begin[:-1] < begin[1:]]
    alone = both[first].sum(axis=1)  # a sentence within a document does not depend on what comes before it
    both[first] = 0.0
    both[first, L] = alone
    flat, pairs = both.reshape(len(both), table.size), np.argsort(table, axis=None, kind="stable")
    mine = np.split(pairs, np.searchsorted(table.ravel()[pairs], np.arange(1, names)))  # the pairs of each name
    return np.stack([flat[:, some].sum(axis=1) for some in mine], axis=1)


class _Events:
    """Spans as events: which transitions each token of a span allows, and those of the token after it."""

    def __init__(self, label_set: LabelSet, begin: Ints, units: Ints) -> None:
        self.names, self.scheme = label_set.names, label_set.inner
        self.begin, self.units = begin, units
        self.tables: list[Masks] = []
        self._by_type: dict[str, int] = {}  # the number of a type's first table
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

    def arrays(self) -> tuple[Ints, Ints, Ints, Ints, Masks]:
        """All spans, in the order in which they were added, as the core takes events."""
        sequence, first, masks = (np.array(a, np.int32) for a in (self.sequence, self.first, self.masks))
        begin = np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int32)
        tables = np.concatenate([np.zeros(0, np.uint8), *(t.ravel() for t in self.tables)])
        return sequence, first, begin, masks, tables


def span_masks(names: Sequence[str], pairs: tuple[Flags, Flags], kind: str) -> tuple[Masks, Masks, Masks, Masks]:
    """Transitions where a chunk of a type begins, begins a sentence, continues, and has ended before.

    `pairs` are the `chunk_pairs` of the names.
    """
    begins, joined = pairs
    mine = np.array([split_label(name)[1] == kind for name in names], np.bool_)
    of_kind = begins & mine
    masks = of_kind, np.tile(of_kind[-1], (len(of_kind), 1)), joined & mine, ~joined
    first, second, third, fourth = (mask.astype(np.uint8) for mask in masks)
    return first, second, third, fourth


def marginal_margins(
    marginals: Marginals, sentences: Sequence[Sentence], ids: Ints, labels: Sequence[list[str]], threads: int = 1
) -> list[Margins]:
    """The log-odds that labels, as the model writes them, and their spans are right.

    `ids` are the labels inside the model, `labels` the same as the data writes them.
    """
    data = marginals.reader.read(sentences)
    tokens = marginals.of_labels(data, threads)[np.arange(len(ids)), ids] if len(ids) else np.zeros(0)
    margins = cut(_log_odds(tokens), data.begin)
    scheme = marginals.label_set.outer
    if scheme == "none":
        return [Margins(y, m, []) for y, m in zip(labels, margins, strict=True)]
    found = [spans(y, scheme) for y in labels]
    of_spans = [_log_odds(np.array(p)) for p in marginals.of_spans(sentences, found, threads)]
    return [
        Margins(y, m, list(zip(some, odds, strict=True)))
        for y, m, some, odds in zip(labels, margins, found, of_spans, strict=True)
    ]


def _log_odds(p: Floats) -> list[float]:
    with np.errstate(divide="ignore"):
        odds: list[float] = np.clip(np.log(p) - np.log1p(-np.minimum(p, 1.0)), -LIMIT, LIMIT).tolist()
    return odds
