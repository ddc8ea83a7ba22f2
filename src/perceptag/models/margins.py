"""Margins: by how much the labels of a model win, in the units of its scores.

    token   the score of the labelling minus that of the best one with another label at this token
    span    the same for the best labelling with another label inside the span, or with a neighbour that joins it

With IOB2 or IOBES and `constrain` a span can be written in only one way, so the latter is the best labelling without
the span. Otherwise other labels may mark the same span, and the margin is cautious.

Models that only rank whole labellings get their margins from n-best lists. A label that is in none of these labellings
is at least as far behind as the last of the list, so that distance is its margin.

A margin is not a probability: `perceptag.models.calibration` turns it into one. It is below zero where the scores
prefer another label, because votes or non-local features have chosen this one.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from perceptag.arrays import Floats, Ints, cut, np, offsets
from perceptag.labels.label_set import LabelSet
from perceptag.labels.pairs import chunk_pairs
from perceptag.labels.schemes import Span, spans

if TYPE_CHECKING:
    import numpy.typing as npt

LIMIT = 1e9  # the margin of a label without a rival
LENGTH = 50  # of n-best lists

Scores: TypeAlias = "npt.NDArray[np.floating[Any]]"  # [tokens, L]
Labellings = Sequence[tuple[Sequence[str], float]]  # of one sentence, with scores


class Margins(NamedTuple):
    """The labels of a sentence in the scheme of the data, with their margins."""

    labels: list[str]
    tokens: list[float]
    spans: list[tuple[Span, float]]  # empty if the labels do not mark spans


class PartScore(NamedTuple):
    """A part of the label of a token, by how much it wins, and the probability that it is right."""

    part: str
    margin: float
    confidence: float | None = None  # None: the model is not calibrated


class MarginsOfScores:
    """Margins of models that score every label at every token, given the best labels elsewhere."""

    def __init__(self, label_set: LabelSet) -> None:
        self.label_set = label_set

    def __call__(self, scores: Scores, ids: Ints, begin: Ints, labels: Sequence[list[str]]) -> list[Margins]:
        """Return the margins of a batch. `ids` are the model's labels, `labels` the same as the data writes them."""
        rows = np.arange(len(ids))
        mine = scores[rows, ids].astype(np.float64)
        rivals = scores.astype(np.float64)
        rivals[rows, ids] = -np.inf
        tokens = cut(_wins(mine, rivals), begin)
        if self.label_set.outer == "none":
            return [Margins(y, margins, []) for y, margins in zip(labels, tokens, strict=True)]
        apart = cut(self._apart(scores, mine, ids), begin)
        return [
            Margins(y, margins, _of_spans(spans(y, self.label_set.outer), margins, borders[:-1]))
            for y, margins, borders in zip(labels, tokens, apart, strict=True)
        ]

    def _apart(self, scores: Scores, mine: Floats, ids: Ints) -> list[float]:
        """Return by how much each token wins against the labels that would join it with the next token in one span."""
        right = _wins(mine[1:], np.where(self._joins[ids[:-1]], scores[1:], -np.inf))
        left = _wins(mine[:-1], np.where(self._joins.T[ids[1:]], scores[:-1], -np.inf))
        return [*map(min, left, right), LIMIT]

    @cached_property
    def _joins(self) -> npt.NDArray[np.bool_]:
        """Whether two consecutive labels are in one span: bool[L, L]."""
        return chunk_pairs(self.label_set.names, self.label_set.inner)[1][:-1]


def _wins(mine: Floats, rivals: Scores) -> list[float]:
    """Return by how much each score wins against its best rival; minus infinity does not count as a rival."""
    margins: list[float] = np.clip(mine - rivals.max(axis=1, initial=-np.inf), -LIMIT, LIMIT).tolist()
    return margins


def _of_spans(found: Sequence[Span], tokens: Sequence[float], apart: Sequence[float]) -> list[tuple[Span, float]]:
    """Return the margin of each span: a labelling without it differs inside it, or joins it with a neighbour."""
    return [
        (s, min([*tokens[s.start : s.end], *apart[max(0, s.start - 1) : s.start], *apart[s.end - 1 : s.end]]))
        for s in found
    ]


def list_margins(labels: list[str], best: Labellings, scheme: str, complete: bool) -> Margins:
    """Return the margins of a sentence with the chosen `labels`. `complete`: the list has all possible labellings."""
    floor = float("-inf") if complete or not best else min(score for _, score in best)
    tokens = [_margin([(y[t] == labels[t], score) for y, score in best], floor) for t in range(len(labels))]
    marked: list[tuple[Span, float]] = []
    if scheme != "none":
        listed = [(set(spans(y, scheme)), score) for y, score in best]
        marked = [
            (span, _margin([(span in found, score) for found, score in listed], floor))
            for span in spans(labels, scheme)
        ]
    return Margins(labels, tokens, marked)


def margins_of_lists(
    lengths: Sequence[Sequence[int]],
    labels: Sequence[list[str]],
    lists: Sequence[Labellings],
    scheme: str,
    n: int = LENGTH,
) -> list[Margins]:
    """Return the margins of sentences with the chosen `labels`, from the lists of their sequences.

    `lengths` holds the lengths of the sentences in each sequence, `lists` its `n` best labellings, or all there are.
    """
    chosen = iter(labels)
    found = []
    for sequence, best in zip(lengths, lists, strict=True):
        begin = offsets(sequence)
        parts = [(cut(list(y), begin), score) for y, score in best]
        for i in range(len(sequence)):
            mine = [(y[i], score) for y, score in parts]
            found.append(list_margins(next(chosen), mine, scheme, complete=len(best) < n))
    return found


def _margin(scores: Sequence[tuple[bool, float]], floor: float) -> float:
    """Return the best score of those that agree minus the best score of the others."""
    mine = max((score for agrees, score in scores if agrees), default=floor)
    rival = max((score for agrees, score in scores if not agrees), default=floor)
    return max(-LIMIT, min(LIMIT, mine - rival)) if mine != rival else 0.0
