"""Documents put together from the n-best lists of their sentences.

An n-best list of a whole document differs in one or two places only, so most of the document never gets an
alternative. Here the candidates of a document are all combinations of the lists of its sentences; the search is
coordinate ascent (`perceptag.models.document.search.ascend`), and learning goes sentence by sentence, in context:

    for every document
      infer once with the weights as they are
      for every sentence, those before it set to gold, those after it as inferred
        y = best wrong candidate under Phi^a.alpha in this context
        if Phi^a(y*).alpha - Phi^a(y).alpha <= C^a:    alpha += Phi^a(y*) - Phi^a(y)               (A)
        else as (B) of algorithm 4.2 of Kazama and Torisawa (2007), on this sentence                (B)

Departure from the paper: the two labellings compared share a context that need not be gold, so its proof of
convergence does not cover this form. `perceptag.learn.ascent_document` is the form that it covers.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from perceptag._core import Labels, Sequence, TagDictionary, Weights, nbest, rescore
from perceptag.learn.margin import Errors, differing
from perceptag.models.document.features import NonLocal, Stage
from perceptag.models.document.global_weights import GlobalWeights
from perceptag.models.document.search import ascend
from perceptag.models.document.sequence_problem import Document
from perceptag.numeric.arrays import Floats


class Lists:
    """The n-best lists of a document's sentences, the gold labelling of each among the candidates."""

    def __init__(self, weights: Weights, document: Document, n: int, dictionary: TagDictionary | None) -> None:
        self.labels: list[list[Labels]] = []
        self.local: list[Floats] = []  # of the list itself, without a gold labelling that was added
        self.gold: list[int] = []
        for x in document.sequences:
            best = nbest(weights, x, n, dictionary)
            labels = [best[i] for i in range(len(best))]
            self.local.append(np.array(best.scores))
            if x.labels not in labels:
                labels.append(x.labels)
            self.labels.append(labels)
            self.gold.append(labels.index(x.labels))


@dataclass(slots=True)
class AscentProblem:
    """Weights, features and search over documents that are put together from lists."""

    weights: Weights
    global_weights: GlobalWeights
    features: NonLocal
    n: int
    sweeps: int
    step: float = 1.0  # the size of an update
    dictionary: TagDictionary | None = None

    def search(self, document: Document) -> tuple[Lists, Stage, list[int]]:
        """The lists of the sentences, the document with them, and the candidates that coordinate ascent chooses."""
        lists = Lists(self.weights, document, self.n, self.dictionary)
        stage = self.features.stage(document.sentences, lists.labels)
        return lists, stage, ascend(stage, lists.local, self.global_weights.w, self.sweeps)

    def local_scores(self, x: Sequence, labels: list[Labels]) -> Floats:
        """Phi^l.alpha of given labellings, under the weights as they are now."""
        return rescore(self.weights, x, labels, self.dictionary)

    def move_local(self, x: Sequence, away: Labels) -> None:
        """alpha += Phi^l(y*) - Phi^l(away)."""
        self.weights.move(x, toward=x.labels, away=away, scale=self.step)

    def move_global(self, difference: Floats) -> None:
        """alpha += Phi^g(y*) - Phi^g(away), given as a difference."""
        self.global_weights.move(difference, self.step, self.weights.ticks)


def learn_epoch(
    problem: AscentProblem, documents: Iterable[Document], margin_all: float, margin_local: float
) -> Errors:
    """Run one pass, sentence by sentence in context."""
    mistakes = wrong = 0
    for document in documents:
        lists, stage, chosen = problem.search(document)
        for s, x in enumerate(document.sequences):
            labels, gold = lists.labels[s], lists.gold[s]
            if chosen[s] != gold:
                mistakes += 1
                wrong += differing(x.labels, labels[chosen[s]])
            local = problem.local_scores(x, labels)  # anew: earlier sentences may have moved the weights
            total = local + stage.scores(s, problem.global_weights.w)
            rival = best_other(total, gold)
            if rival is not None and total[gold] - total[rival] <= margin_all:
                problem.move_local(x, labels[rival])
                toward, away = stage.vectors(s, [gold, rival])
                problem.move_global(toward - away)
            else:
                rival = best_other(local, gold)
                if rival is not None and local[gold] - local[rival] <= margin_local:
                    problem.move_local(x, labels[rival])
            stage.choose(s, gold)
            problem.weights.tick()
    return Errors(mistakes, wrong)


def best_other(scores: Floats, gold: int) -> int | None:
    """The best candidate besides the gold one.

    >>> best_other(np.array([3.0, 5.0, 4.0]), 1)
    2
    """
    if len(scores) < 2:
        return None
    rest = scores.copy()
    rest[gold] = -np.inf
    return int(rest.argmax())
