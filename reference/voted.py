"""The voted perceptron, exactly: every vector that training visits labels the sentence and has a vote.

Collins (2002) [W02-1001], section 3.2, after Freund and Schapire (1999), "Large Margin Classification Using the
Perceptron Algorithm". The whole labelling with the most votes wins; if votes are equal, the one that was proposed by
the earliest vector.

Vectors do not change between mistakes, so only the changes are stored, each with the number of examples that the
vector after it survived; labelling a sentence replays them all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reference.perceptron import Input, Labels, LocalFeature, Weights, best_labelling, plus


@dataclass(slots=True)
class Stage:
    """A change of the weights, and how many examples passed until the next one."""

    change: Counter[LocalFeature]
    votes: int


def record(vectors: Iterable[Weights]) -> list[Stage]:
    """Turn the vectors after each example into changes with votes."""
    stages: list[Stage] = []
    before: Weights = {}
    for alpha in vectors:
        if stages and alpha == before:
            stages[-1].votes += 1
            continue
        features = before.keys() | alpha.keys()
        stages.append(Stage(Counter({f: alpha.get(f, 0) - before.get(f, 0) for f in features}), 1))
        before = alpha
    return stages


def vote(stages: Iterable[Stage], x: Input, labels: Sequence[str]) -> Labels:
    """Replay every vector against a sentence; the labelling with the most votes wins."""
    votes: dict[Labels, int] = {}  # in the order of the first vote
    alpha: Weights = {}
    for stage in stages:
        alpha = plus(alpha, stage.change, +1)
        z = best_labelling(alpha, x, labels)
        votes[z] = votes.get(z, 0) + stage.votes
    return max(votes, key=votes.__getitem__)
