"""The voted perceptron, with snapshots.

Read first: reference/voted.py; machinery: models/linear/

Collins (2002), section 3.2, after Freund and Schapire (1999): every weight vector that training visits labels
the sentence, and the labelling with the most votes wins.

Departure: every vector would take too much memory (`reference.voted` keeps them all, for comparison). So a
vector is kept after every `every` examples, and each has one vote. Ties go to the earlier vector.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from perceptag._core import Weights
from perceptag.learn.learner import Errors, Pass

SNAPSHOTS = 20  # how many weight vectors vote


def learn_epoch(learn: Callable[[Pass], Errors], this: Pass, snapshots: list[Weights], every: int) -> Errors:
    """One pass of the loop `learn`; a copy of the weights joins `snapshots` after every `every` examples."""
    weights, sequences = this.weights, this.sequences
    start = 0
    while start < len(sequences):
        # The count continues from pass to pass, so that snapshots are evenly spaced.
        stop = min(len(sequences), start + every - int(weights.ticks) % every)
        learn(replace(this, sequences=sequences[start:stop], seen=this.seen + start))  # all share this.errors
        if int(weights.ticks) % every == 0:
            snapshots.append(weights.frozen())
        start = stop
    return this.errors
