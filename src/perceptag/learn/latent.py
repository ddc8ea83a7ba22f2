"""Sequences with missing labels.

Where a learner needs a gold labelling, it gets the best one under the weights that agrees with the labels that are
known, as in the perceptron with hidden variables: Sun, Matsuzaki, Okanohara and Tsujii (2009), "Latent Variable
Perceptron Algorithm for Structured Classification", IJCAI. Read first: reference/latent.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perceptag._core import Labels, TagDictionary, Weights, viterbi
from perceptag._core import Sequence as Features


@dataclass(frozen=True, slots=True)
class Latent:
    """A sequence with its known labels."""

    x: Features  # the sequence, with the known labels as entries of a dictionary
    dictionary: TagDictionary
    masks: Sequence[frozenset[int]]  # the labels that each token may have

    def gold(self, weights: Weights) -> Labels:
        """Return the best labelling that agrees with the known labels."""
        return viterbi(weights, self.x, self.dictionary)

    def agrees(self, y: Labels) -> bool:
        """Return whether a labelling agrees with the known labels."""
        return all(label in mask for label, mask in zip(y.numpy().tolist(), self.masks, strict=True))
