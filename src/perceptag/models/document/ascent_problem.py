"""Documents whose candidates are all combinations of the n-best lists of their sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from perceptag._core import Ascent, Labels, TagDictionary, Weights, nbest, rescore
from perceptag.models.document.features import NonLocal
from perceptag.models.document.global_weights import GlobalWeights
from perceptag.models.document.search import ascend
from perceptag.models.document.sequence_problem import EncodedDocument
from perceptag.numeric.arrays import Floats


@dataclass(slots=True)
class AscentProblem:
    """A `perceptag.learn.candidate_lists.ListProblem`: weights, features and search."""

    weights: Weights
    global_weights: GlobalWeights
    features: NonLocal
    n: int
    sweeps: int
    step: float = 1.0  # the size of an update
    dictionary: TagDictionary | None = None
    threads: int = 1

    def learner(self, C_all: float, C_local: float) -> Callable[[EncodedDocument], tuple[int, int]]:
        """What learns from one document in C++; it returns the numbers of wrong sequences and labels."""
        own, scale, flags = self.features.own, self.features.scale, self.features.family_flags
        search = self.n, self.sweeps, C_all, C_local, self.step, self.features.longest
        how = Ascent(self.features.reading, flags, own, scale, *search)
        weights, w, sums = self.weights, self.global_weights.w, self.global_weights.sum
        return lambda x: how.learn(weights, w, sums, x.sequences, *x.words, self.dictionary, self.threads)

    def search(self, document: EncodedDocument) -> AscentDocument:
        """The document with the lists of its sentences; coordinate ascent chooses the candidates."""
        return AscentDocument(self, document)

    def tick(self) -> None:
        """Count one example, for the average."""
        self.weights.tick()


class AscentDocument:
    """The n-best lists of a document's sentences, the gold labelling of each among the candidates."""

    def __init__(self, problem: AscentProblem, document: EncodedDocument) -> None:
        self.problem = problem
        self.sequences = document.sequences
        self.candidates: list[list[Labels]] = []
        self.gold: list[int] = []
        listed = []  # scores of the list itself, without an added gold labelling
        for x in document.sequences:
            best = nbest(problem.weights, x, problem.n, problem.dictionary)
            labels = [best[i] for i in range(len(best))]
            listed.append(np.array(best.scores))
            if x.labels not in labels:
                labels.append(x.labels)
            self.candidates.append(labels)
            self.gold.append(labels.index(x.labels))
        self.document = problem.features.candidate_document(document.sentences, self.candidates)
        self.inferred = ascend(self.document, listed, problem.global_weights.w, problem.sweeps)

    def labels(self, s: int, k: int) -> Labels:
        """The labels of a candidate."""
        return self.candidates[s][k]

    def local_scores(self, s: int) -> Floats:
        """Phi^l.alpha of each candidate of sentence s."""
        return rescore(self.problem.weights, self.sequences[s], self.candidates[s], self.problem.dictionary)

    def nonlocal_scores(self, s: int) -> Floats:
        """Phi^g.alpha with each candidate of sentence s, given what is chosen in the others."""
        return self.document.scores(s, self.problem.global_weights.w)

    def choose(self, s: int, k: int) -> None:
        """Choose a candidate."""
        self.document.choose(s, k)

    def features(self) -> Floats:
        """Phi^g of the document as chosen."""
        return self.document.vector()

    def score(self, features: Floats) -> float:
        """Phi^g.alpha of non-local features."""
        return float(self.problem.global_weights.score(features))

    def move_all(self, s: int, away: int) -> None:
        """alpha += Phi^a(y*) - Phi^a(y)."""
        self.move_local(s, away)
        gold, other = self.document.vectors(s, [self.gold[s], away])
        self.move_nonlocal(gold - other)

    def move_local(self, s: int, away: int) -> None:
        """alpha += Phi^l(y*) - Phi^l(y)."""
        x = self.sequences[s]
        self.problem.weights.move(x, toward=x.labels, away=self.labels(s, away), scale=self.problem.step)

    def move_nonlocal(self, difference: Floats) -> None:
        """alpha += Phi^g(y*) - Phi^g(y), given as a difference."""
        self.problem.global_weights.move(difference, self.problem.step, self.problem.weights.ticks)
