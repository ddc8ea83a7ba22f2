"""The second model of re-ranking in training: scores of candidates, and their lists in checkpoints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from perceptag import _core
from perceptag.arrays import Floats
from perceptag.errors import ModelError
from perceptag.models.document.features import CandidateDocument
from perceptag.models.document.global_weights import GlobalWeights
from perceptag.models.document.search import ascend
from perceptag.models.model import AnyArrays, Arrays, array_of, reals, wholes
from perceptag.models.rerank.first_models import Proposals


class LearningScorer(Protocol):
    """The second model without its non-local features."""

    @property
    def ticks(self) -> float:
        """How many examples have passed."""

    def scores(self, x: _core.Sequence, proposals: Proposals) -> Floats:
        """The score of each candidate."""

    def move(self, x: _core.Sequence, proposals: Proposals, away: int) -> None:
        """Move the weights towards the gold labelling, away from a candidate."""

    def tick(self) -> None:
        """Count one example, for the average."""


@dataclass(slots=True)
class FirstScore:
    """Re-ranking 1: one weight, of the first model's score."""

    spread: float  # the standard deviation of the score
    w: float = 0.0
    sum: float = 0.0  # of tick times change, for the average
    ticks: float = 0.0

    def scores(self, x: _core.Sequence, proposals: Proposals) -> Floats:  # noqa: ARG002 - a protocol
        """The weighted score of the first model."""
        return self.w / self.spread * proposals.first

    def move(self, x: _core.Sequence, proposals: Proposals, away: int) -> None:  # noqa: ARG002 - a protocol
        """w += difference of the scores."""
        difference = float(proposals.first[proposals.gold] - proposals.first[away]) / self.spread
        self.w += difference
        self.sum += self.ticks * difference

    def tick(self) -> None:
        self.ticks += 1


@dataclass(slots=True)
class LocalFeatures:
    """Re-ranking 2: weights of local features."""

    weights: _core.Weights

    @property
    def ticks(self) -> float:
        return self.weights.ticks

    def scores(self, x: _core.Sequence, proposals: Proposals) -> Floats:
        """Phi^l.alpha of the candidates."""
        return _core.rescore(self.weights, x, proposals.labels)

    def move(self, x: _core.Sequence, proposals: Proposals, away: int) -> None:
        """alpha += Phi^l(y*) - Phi^l(away)."""
        self.weights.move(x, toward=proposals.labels[proposals.gold], away=proposals.labels[away])

    def tick(self) -> None:
        self.weights.tick()


@dataclass(slots=True)
class FixedLists:
    """A document with the fixed candidates of its sequences."""

    sequences: Sequence[_core.Sequence]
    proposals: Sequence[Proposals]
    document: CandidateDocument


@dataclass(slots=True)
class RerankProblem:
    """A `perceptag.learn.candidate_lists.ListProblem`: the second model and its search."""

    scorer: LearningScorer
    global_weights: GlobalWeights

    def search(self, lists: FixedLists) -> RerankDocument:
        """The document with the candidates that the second model chooses, from the lists alone."""
        pairs = zip(lists.sequences, lists.proposals, strict=True)
        listed = [self.scorer.scores(x, found)[: found.listed] for x, found in pairs]
        inferred = ascend(lists.document, listed, self.global_weights.w)
        return RerankDocument(self, lists, [found.gold for found in lists.proposals], inferred)

    def tick(self) -> None:
        self.scorer.tick()


@dataclass(slots=True)
class RerankDocument:
    """A `perceptag.learn.rerank.FixedDocument`."""

    problem: RerankProblem
    lists: FixedLists
    gold: list[int]  # the number of the gold labelling of each sequence
    inferred: list[int]

    def labels(self, s: int, k: int) -> _core.Labels:
        return self.lists.proposals[s].labels[k]

    def local_scores(self, s: int) -> Floats:
        """The scores of the candidates of sequence s without non-local features."""
        return self.problem.scorer.scores(self.lists.sequences[s], self.lists.proposals[s])

    def nonlocal_scores(self, s: int) -> Floats:
        return self.lists.document.scores(s, self.problem.global_weights.w)

    def choose(self, s: int, k: int) -> None:
        self.lists.document.choose(s, k)

    def move_all(self, s: int, away: int) -> None:
        """alpha += Phi^a(y*) - Phi^a(y)."""
        found, scorer = self.lists.proposals[s], self.problem.scorer
        gold, other = self.lists.document.vectors(s, [found.gold, away])
        self.problem.global_weights.move(gold - other, 1.0, scorer.ticks)
        scorer.move(self.lists.sequences[s], found, away)


def pack_lists(proposals: Sequence[Proposals]) -> Arrays:
    """All candidates. `numbers` says for each sequence how many, how many from the list, and which one is gold."""
    numbers = [(len(found.labels), found.listed, found.gold) for found in proposals]
    flat = [labels.numpy() for found in proposals for labels in found.labels]
    return {
        "numbers": np.array(numbers, np.int64).reshape(-1),
        "labels": np.concatenate(flat),
        "first": np.concatenate([found.first for found in proposals]),
    }


def unpack_lists(arrays: AnyArrays, sequences: Sequence[_core.Sequence]) -> list[Proposals]:
    """The inverse of `pack_lists`, for the same sequences."""
    numbers = np.array(wholes(arrays, "numbers")).reshape(-1, 3)
    counts, listed, gold = numbers.T
    first = reals(arrays, "first", sum(counts.tolist()))
    if len(numbers) != len(sequences) or not ((gold < counts) & (listed <= counts)).all():
        raise ModelError(
            "array 'numbers': expected candidates for each sequence with the gold one among them, found others"
        )
    sizes = counts * [len(x) for x in sequences]
    labels = np.split(array_of(arrays, "labels", np.int32), np.cumsum(sizes)[:-1])
    scores = np.split(first, np.cumsum(counts)[:-1])
    return [
        Proposals([_core.Labels(row) for row in block.reshape(size, -1)], score.copy(), gold, listed)
        for block, score, (size, listed, gold) in zip(labels, scores, numbers.tolist(), strict=True)
    ]
