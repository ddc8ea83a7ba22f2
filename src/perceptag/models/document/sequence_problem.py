"""Documents as the algorithms with non-local features see them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perceptag import _core
from perceptag._core import Ascent, Labels, TagDictionary, Weights, nbest, rescore
from perceptag.arrays import Floats
from perceptag.learn.latent import Latent
from perceptag.learn.nonlocal_perceptron import Candidate, Found
from perceptag.models.document.features import NonLocal, NumberedWords, number_words
from perceptag.models.document.global_weights import GlobalWeights
from perceptag.models.document.search import ascend
from perceptag.text.sentence import Sentence


@dataclass(slots=True)
class EncodedDocument:
    """Sentences and their encoded sequences; a document taken as one sequence has one of each."""

    sentences: Sequence[Sentence]
    sequences: Sequence[_core.Sequence]
    latent: Sequence[Latent | None] = ()  # for each sequence the labels that are known, where some are missing
    _words: NumberedWords | None = None

    @property
    def words(self) -> NumberedWords:
        """Its words as numbers."""
        if self._words is None:
            self._words = number_words(self.sentences)
        return self._words

    @property
    def known(self) -> tuple[list[Any], TagDictionary | None]:
        """For each sequence that lacks labels the same one with those that are known, else None; their dictionary."""
        dictionary = next((latent.dictionary for latent in self.latent if latent), None)
        return [latent.x if latent else None for latent in self.latent] if dictionary else [], dictionary


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
        self.move_local(document, toward, away)
        self.global_weights.move(toward.features - away.features, self.step, self.weights.ticks)

    def move_local(self, document: EncodedDocument, toward: Candidate, away: Candidate) -> None:
        self.weights.move(document.sequences[0], toward=toward.labels, away=away.labels, scale=self.step)

    def tick(self) -> None:
        self.weights.tick()


@dataclass(slots=True)
class AscentProblem:
    """A `perceptag.learn.candidate_lists.ListProblem`: weights, features and search."""

    weights: Weights
    global_weights: GlobalWeights
    features: NonLocal
    n: int
    step: float = 1.0  # the size of an update
    dictionary: TagDictionary | None = None
    threads: int = 1

    def learner(self, C_all: float, C_local: float) -> Callable[[EncodedDocument], tuple[int, int]]:
        """What learns from one document in C++; it returns the numbers of wrong sequences and labels."""
        own, scale, flags = self.features.own, self.features.scale, self.features.family_flags
        search = self.n, C_all, C_local, self.step, self.features.longest
        how = Ascent(self.features.reading, flags, own, scale, *search)
        weights, w, sums = self.weights, self.global_weights.w, self.global_weights.sum
        return lambda x: how.learn(weights, w, sums, x.sequences, *x.words, self.dictionary, self.threads, *x.known)

    def search(self, document: EncodedDocument) -> AscentDocument:
        """The document with the lists of its sentences; coordinate ascent chooses the candidates."""
        return AscentDocument(self, document)

    def tick(self) -> None:
        self.weights.tick()


class AscentDocument:
    """The n-best lists of a document's sentences, the gold labelling of each among the candidates.

    If labels of a sentence are missing, it is the best one under local features that agrees with those that are known.
    """

    def __init__(self, problem: AscentProblem, document: EncodedDocument) -> None:
        self.problem = problem
        self.sequences = document.sequences
        self.latent = document.latent or [None] * len(document.sequences)
        self.candidates: list[list[Labels]] = []
        self.gold: list[int] = []
        listed = []  # scores of the list itself, without an added gold labelling
        for x, latent in zip(self.sequences, self.latent, strict=True):
            best = nbest(problem.weights, x, problem.n, problem.dictionary)
            labels = [best[i] for i in range(len(best))]
            listed.append(np.array(best.scores))
            gold = latent.gold(problem.weights) if latent else x.labels
            if gold not in labels:
                labels.append(gold)
            self.candidates.append(labels)
            self.gold.append(labels.index(gold))
        self.document = problem.features.candidate_document(document.sentences, self.candidates)
        self.inferred = ascend(self.document, listed, problem.global_weights.w)

    def labels(self, s: int, k: int) -> Labels:
        return self.candidates[s][k]

    def agrees(self, s: int) -> list[bool]:
        """Whether each candidate of sentence s agrees with the labels that are known."""
        latent = self.latent[s]
        return [
            k == self.gold[s] or (latent is not None and latent.agrees(y)) for k, y in enumerate(self.candidates[s])
        ]

    def local_scores(self, s: int) -> Floats:
        return rescore(self.problem.weights, self.sequences[s], self.candidates[s], self.problem.dictionary)

    def nonlocal_scores(self, s: int) -> Floats:
        return self.document.scores(s, self.problem.global_weights.w)

    def choose(self, s: int, k: int) -> None:
        self.document.choose(s, k)

    def features(self) -> Floats:
        return self.document.vector()

    def score(self, features: Floats) -> float:
        return float(self.problem.global_weights.score(features))

    def move_all(self, s: int, away: int, toward: int | None = None) -> None:
        """alpha += Phi^a(y*) - Phi^a(y); y* is gold, unless another candidate is given."""
        self.move_local(s, away, toward)
        gold, other = self.document.vectors(s, [self.gold[s] if toward is None else toward, away])
        self.move_nonlocal(gold - other)

    def move_local(self, s: int, away: int, toward: int | None = None) -> None:
        """alpha += Phi^l(y*) - Phi^l(y); y* is gold, unless another candidate is given."""
        gold, other = self.labels(s, self.gold[s] if toward is None else toward), self.labels(s, away)
        self.problem.weights.move(self.sequences[s], toward=gold, away=other, scale=self.problem.step)

    def move_nonlocal(self, difference: Floats) -> None:
        self.problem.global_weights.move(difference, self.problem.step, self.problem.weights.ticks)
