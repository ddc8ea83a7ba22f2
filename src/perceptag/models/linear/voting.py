"""Several labellings of the same sequences, and the one that most of them agree on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from perceptag.numeric.arrays import Ints
from perceptag.numeric.lazy import np


def vote(labelings: Sequence[Ints], begin: Ints) -> Ints:
    """Choose the most frequent labelling of each sequence; each of `labelings` covers all sequences.

    >>> votes = [np.array(v, np.int32) for v in ([0, 1, 7], [0, 0, 7], [0, 0, 8])]
    >>> vote(votes, np.array([0, 2, 3])).tolist()
    [0, 0, 7]
    """
    winner: Ints = np.array(labelings[0])
    for a, b in zip(begin[:-1].tolist(), begin[1:].tolist(), strict=True):
        votes = Counter(labels[a:b].tobytes() for labels in labelings)
        winner[a:b] = np.frombuffer(votes.most_common(1)[0][0], np.int32)
    return winner
