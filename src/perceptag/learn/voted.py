"""The voted perceptron, with snapshots.

Collins (2002), section 2.5, after Freund and Schapire (1999): every weight vector that training visits labels
the sentence, and the labelling with the most votes wins.

Departure: keeping every vector is out of reach beyond toys (`perceptag.reference.voted` does it, for comparison), so
a vector is kept every `every` examples and each of them has one vote. Ties go to the earlier vector.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from perceptag._core import Sequence as EncodedSequence
from perceptag._core import TagDictionary, Weights
from perceptag.encoder import Ints
from perceptag.learn import perceptron


def learn_epoch(
    weights: Weights,
    sequences: Sequence[EncodedSequence],
    snapshots: list[Weights],
    every: int,
    dictionary: TagDictionary | None = None,
) -> int:
    """One pass of the perceptron; a copy of the weights joins `snapshots` after every `every` examples."""
    mistakes = 0
    start = 0
    while start < len(sequences):
        # Count through from pass to pass, so that snapshots stay evenly spaced.
        stop = min(len(sequences), start + every - int(weights.ticks) % every)
        mistakes += perceptron.learn_epoch(weights, sequences[start:stop], dictionary)
        if int(weights.ticks) % every == 0:
            snapshots.append(weights.frozen())
        start = stop
    return mistakes


def vote(labelings: Sequence[Ints], begin: Ints) -> Ints:
    """Choose the most frequent labelling of each sequence; each of `labelings` covers all sequences.

    >>> votes = [np.array(v, np.int32) for v in ([0, 1, 7], [0, 0, 7], [0, 0, 8])]
    >>> vote(votes, np.array([0, 2, 3])).tolist()
    [0, 0, 7]
    """
    winner: Ints = labelings[0].copy()
    for a, b in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True):
        votes = Counter(labels[a:b].tobytes() for labels in labelings)
        winner[a:b] = np.frombuffer(votes.most_common(1)[0][0], np.int32)
    return winner
