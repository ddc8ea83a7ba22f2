"""How sure a model is, in its own units: by how much the labels that it gives win.

    token   the score of the labelling, less that of the best one with another label at this token
    span    the same for the best labelling that has another label inside the span, or a neighbour that joins it

The latter is the best labelling without the span where a span is written in one way only: in IOB2 and IOBES with
`constrain`. Elsewhere some labels may mark the same span otherwise, and the margin is cautious.

A margin is not a probability: `perceptag.confidence.calibration` makes one of it. It is below zero where a label is not
the one that the scores prefer, because votes or non-local features have chosen it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from perceptag.labels.label_set import LabelSet
from perceptag.labels.pairs import chunk_pairs
from perceptag.labels.schemes import Span, spans
from perceptag.numeric.arrays import Floats, Ints, cut

LIMIT = 1e9  # the margin of a label without a rival

Scores = npt.NDArray[np.floating[Any]]  # [tokens, L]


class Margins(NamedTuple):
    """The labels of a sentence, as the training data writes them, and by how much they win."""

    labels: list[str]
    tokens: list[float]
    spans: list[tuple[Span, float]]  # nothing where the labels are no spans


class MarginsOfScores:
    """Margins of models that score every label at every token, all other labels being the best ones."""

    def __init__(self, label_set: LabelSet) -> None:
        self.label_set = label_set

    def __call__(self, scores: Scores, ids: Ints, begin: Ints, labels: Sequence[list[str]]) -> list[Margins]:
        """The margins of a batch: `ids` are the labels inside the model, `labels` the same as the data writes them."""
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
        """By how much each token stays apart from the next one, for all that the labels of the two can do about it."""
        right = _wins(mine[1:], np.where(self._joins[ids[:-1]], scores[1:], -np.inf))
        left = _wins(mine[:-1], np.where(self._joins.T[ids[1:]], scores[:-1], -np.inf))
        return [*map(min, left, right), LIMIT]

    @cached_property
    def _joins(self) -> npt.NDArray[np.bool_]:
        """Whether two labels that follow each other are in one span: bool[L, L]."""
        return chunk_pairs(self.label_set.names, self.label_set.inner)[1][:-1]


def _wins(mine: Floats, rivals: Scores) -> list[float]:
    """By how much each score wins against the best of its rivals; minus infinity is no rival."""
    margins: list[float] = np.clip(mine - rivals.max(axis=1, initial=-np.inf), -LIMIT, LIMIT).tolist()
    return margins


def _of_spans(found: Sequence[Span], tokens: Sequence[float], apart: Sequence[float]) -> list[tuple[Span, float]]:
    """A labelling without the span differs inside it, or joins it with a neighbour."""
    return [
        (s, min([*tokens[s.start : s.end], *apart[max(0, s.start - 1) : s.start], *apart[s.end - 1 : s.end]]))
        for s in found
    ]
