"""How sure a model is, in its own units: by how much the labels that it gives win.

    token   the score of the labelling, less that of the best one with another label at this token
    span    the same for the best labelling without this span: it has another label inside, or a neighbour joins it

A margin is no probability: `perceptag.calibration` makes one of it. It is below zero where a label is not the one
that the scores prefer, because votes or non-local features have chosen it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from perceptag.encoder import Ints
from perceptag.labelling import Labelling
from perceptag.labels import Span, spans

LIMIT = 1e9  # the margin of a label without a rival

Scores = npt.NDArray[np.floating]  # [tokens, L]


class Margins(NamedTuple):
    """The labels of a sentence, as the training data writes them, and by how much they win."""

    labels: list[str]
    tokens: list[float]
    spans: list[tuple[Span, float]]  # nothing where the labels are no spans


class MarginsOfScores:
    """Margins of models that score every label at every token, all other labels being the best ones."""

    def __init__(self, labelling: Labelling) -> None:
        self.labelling = labelling

    def __call__(self, scores: Scores, ids: Ints, begin: Ints, labels: Sequence[list[str]]) -> list[Margins]:
        """The margins of a batch: `ids` are the labels inside the model, `labels` the same as the data writes them."""
        rows = np.arange(len(ids))
        mine = scores[rows, ids]
        rivals = scores.astype(np.float64)
        rivals[rows, ids] = -np.inf
        tokens = _limited(mine, rivals)
        if self.labelling.outer == "none":
            return [Margins(y, tokens[a:b].tolist(), []) for y, (a, b) in zip(labels, pairwise(begin), strict=True)]
        # By how much a token stays apart from the next one; at t the border between t and t + 1.
        apart = np.minimum(
            _limited(mine[1:], np.where(self._joins[ids[:-1]], scores[1:], -np.inf)),
            _limited(mine[:-1], np.where(self._joins.T[ids[1:]], scores[:-1], -np.inf)),
        )
        return [
            Margins(y, tokens[a:b].tolist(), _of_spans(spans(y, self.labelling.outer), tokens[a:b], apart[a : b - 1]))
            for y, (a, b) in zip(labels, pairwise(begin.tolist()), strict=True)
        ]

    @cached_property
    def _joins(self) -> npt.NDArray[np.bool_]:
        """Whether two labels that follow each other are in one span: bool[L, L]."""
        names, scheme = self.labelling.names, self.labelling.inner
        joins = [[any(len(range(s.start, s.end)) > 1 for s in spans([a, b], scheme)) for b in names] for a in names]
        return np.array(joins, np.bool_)


def _limited(mine: Scores, rivals: Scores) -> npt.NDArray[np.float64]:
    """By how much each score wins against the best of its rivals; minus infinity is no rival."""
    return np.clip(mine - rivals.max(axis=1, initial=-np.inf), -LIMIT, LIMIT)


def _of_spans(
    found: Sequence[Span], tokens: npt.NDArray[np.float64], apart: npt.NDArray[np.float64]
) -> list[tuple[Span, float]]:
    """A labelling without the span differs inside it, or joins it with a neighbour."""
    return [
        (s, float(min(tokens[s.start : s.end].min(), *apart[s.start - 1 : s.start], *apart[s.end - 1 : s.end])))
        for s in found
    ]
