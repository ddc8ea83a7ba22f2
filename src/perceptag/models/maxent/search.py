"""The search of a maximum-entropy tagger: labellings by their probability, exact or with a beam.

    log P(y | x) = sum over tokens of log P(y_t | labels before it, x)

The search leaves out what the scheme or the tag dictionary forbids; probabilities are not normalised again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from perceptag import _core
from perceptag.arrays import Floats, Ints
from perceptag.labels.label_set import LabelSet
from perceptag.models.linear.explain import Rivals
from perceptag.recipe.recipe import Recipe

NO_LIMITS = _core.Limits(np.zeros(0, np.uint8), np.zeros(0, np.uint8))


@dataclass(slots=True)
class LocalSearch:
    """Labels sequences under locally normalised weights; a `perceptag.models.linear.explain.Search`."""

    weights: _core.Weights
    limits: _core.Limits
    dictionary: _core.TagDictionary | None
    beam: int  # how many histories each token keeps; 0: all of them, which is exact

    def nbest(self, corpus: _core.Corpus, n: int, threads: int = 1) -> list[_core.NBest]:
        """The n best labellings of each sequence, with log P."""
        return _core.local_nbest(self.weights, corpus, self.limits, self.dictionary, self.beam, n, threads)

    def tag(self, corpus: _core.Corpus, threads: int = 1) -> Ints:
        """Label ids of all tokens, one sequence after the other."""
        return _joined([best.labels[0] for best in self.nbest(corpus, 1, threads)])

    def pairs(self, corpus: _core.Corpus, threads: int = 1) -> Floats:
        """P(y_{t-1} = u, y_t = y | x), float64[tokens, L+1, L]; u = L: the start.

        These are forward probabilities: in a model of this kind they do not depend on what comes after a token.
        """
        L = self.weights.labels
        return _core.local_pairs(self.weights, corpus, self.beam, threads).reshape(-1, L + 1, L)

    def best(self, corpus: _core.Corpus) -> list[_core.Labels]:
        return [best[0] for best in self.nbest(corpus, 1)]

    def rivals(self, x: _core.Sequence, labels: _core.Labels) -> Rivals:
        """For each token the best labelling with another label there, and the difference in log P."""
        return _core.local_rivals(self.weights, x, labels, self.limits, self.dictionary, self.beam)[0]

    def score(self, x: _core.Sequence, labels: _core.Labels) -> float:
        """log P(labels | x)."""
        return _core.local_score(self.weights, x, labels)


def _joined(labellings: Sequence[Ints]) -> Ints:
    return np.concatenate([np.zeros(0, np.int32), *labellings])


def limits_of(recipe: Recipe, label_set: LabelSet) -> _core.Limits:
    """What a scheme forbids, if the recipe asks for that."""
    return _core.Limits(*label_set.mask()) if recipe.constrain else NO_LIMITS
