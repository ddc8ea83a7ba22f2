"""Documents as the algorithms with non-local features see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perceptag import _core
from perceptag._core import TagDictionary, Weights, nbest
from perceptag.learn.nonlocal_perceptron import Candidate, Found
from perceptag.models.document.features import NonLocal, NumberedWords, number_words
from perceptag.models.document.global_weights import GlobalWeights
from perceptag.text.sentence import Sentence


@dataclass(slots=True)
class EncodedDocument:
    """Sentences and their encoded sequences; a document taken as one sequence has one of each."""

    sentences: Sequence[Sentence]
    sequences: Sequence[_core.Sequence]
    _words: NumberedWords | None = None

    @property
    def words(self) -> NumberedWords:
        """Its words as numbers."""
        if self._words is None:
            self._words = number_words(self.sentences)
        return self._words


@dataclass(slots=True)
class SequenceProblem:
    """A `perceptag.learn.nonlocal_perceptron.Problem`: every document is one sequence."""

    weights: Weights
    global_weights: GlobalWeights
    features: NonLocal
    n: int
    step: float = 1.0  # the size of an update
    dictionary: TagDictionary | None = None

    def candidates(self, document: EncodedDocument) -> Found:
        """The n best under the local model and the gold labelling, scored with all features."""
        (x,) = document.sequences
        best = nbest(self.weights, x, self.n, self.dictionary)
        labels = [*(best[i] for i in range(len(best))), x.labels]
        local = np.append(best.scores, self.weights.score(x, x.labels))
        vectors = self.features.candidate_document(document.sentences, [labels]).vectors(0, range(len(labels)))
        total = local + self.global_weights.score(vectors)
        *n_best, y_star = map(Candidate, labels, local.tolist(), total.tolist(), vectors)
        return Found(y_star, n_best)

    def move_all(self, document: EncodedDocument, toward: Candidate, away: Candidate) -> None:
        """alpha += Phi^a(x, toward) - Phi^a(x, away)."""
        self.move_local(document, toward, away)
        self.global_weights.move(toward.features - away.features, self.step, self.weights.ticks)

    def move_local(self, document: EncodedDocument, toward: Candidate, away: Candidate) -> None:
        """alpha += Phi^l(x, toward) - Phi^l(x, away)."""
        self.weights.move(document.sequences[0], toward=toward.labels, away=away.labels, scale=self.step)

    def tick(self) -> None:
        """Count one document, for the average."""
        self.weights.tick()
