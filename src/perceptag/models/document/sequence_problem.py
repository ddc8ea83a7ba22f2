"""Documents as the algorithms with non-local features see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perceptag import _core
from perceptag._core import Labels, TagDictionary, Weights, nbest
from perceptag.models.document.features import NonLocal
from perceptag.models.document.global_weights import GlobalWeights
from perceptag.numeric.arrays import Floats
from perceptag.text.sentence import Sentence


@dataclass(slots=True)
class Document:
    """Sentences and what they are encoded to; a document taken as one sequence has one of each."""

    sentences: Sequence[Sentence]
    sequences: Sequence[_core.Sequence]


@dataclass(slots=True)
class Found:
    """The n-best list of a document that is one sequence; the gold labelling is its last candidate."""

    labels: list[Labels]
    local: Floats
    total: Floats
    gold: Labels
    gold_local: float
    gold_total: float
    vectors: Floats  # non-local features of each candidate, the gold one last


class SequenceProblem:
    """A `perceptag.learn.candidate.Problem`: every document is one sequence."""

    def __init__(
        self,
        weights: Weights,
        global_weights: GlobalWeights,
        features: NonLocal,
        n: int,
        step: float = 1.0,
        dictionary: TagDictionary | None = None,
    ) -> None:
        self.weights = weights
        self.global_weights = global_weights
        self.features = features
        self.n = n
        self.step = step
        self.dictionary = dictionary

    def candidates(self, x: Document) -> Found:
        """The n best under the local model, scored with all features."""
        sequence = x.sequences[0]
        best = nbest(self.weights, sequence, self.n, self.dictionary)
        labels = [best[i] for i in range(len(best))]
        gold = sequence.labels
        gold_local = self.weights.score(sequence, gold)
        stage = self.features.stage(x.sentences, [[*labels, gold]])
        vectors = stage.vectors(0, range(len(labels) + 1))
        w = self.global_weights.w
        width = min(len(w), vectors.shape[1])
        scores = vectors[:, :width] @ w[:width]
        local = np.array(best.scores)
        return Found(labels, local, local + scores[:-1], gold, gold_local, gold_local + float(scores[-1]), vectors)

    def move_all(self, x: Document, found: Found, away: int) -> None:
        """alpha += Phi^a(y*) - Phi^a(candidate)."""
        self.move_local(x, found, away)
        self.global_weights.move(found.vectors[-1] - found.vectors[away], self.step, self.weights.ticks)

    def move_local(self, x: Document, found: Found, away: int) -> None:
        """alpha += Phi^l(y*) - Phi^l(candidate)."""
        self.weights.move(x.sequences[0], toward=found.gold, away=found.labels[away], scale=self.step)

    def tick(self) -> None:
        """One document has passed."""
        self.weights.tick()
