"""The voted perceptron, with snapshots.

Read first: reference/voted.py; machinery: models/linear/

Collins (2002), section 3.2, after Freund and Schapire (1999): every weight vector that training visits labels
the sentence, and the labelling with the most votes wins.

Departure: keeping every vector is out of reach beyond toys (`perceptag.reference.voted` does it, for comparison), so
a vector is kept every `every` examples and each of them has one vote. Ties go to the earlier vector.
"""

from __future__ import annotations

from collections.abc import Sequence

from perceptag._core import Sequence as EncodedSequence
from perceptag._core import TagDictionary, Weights
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
