"""A start from the mean of several short runs, after the Bayes point machine.

Kazama and Torisawa (2007), "A New Perceptron Algorithm for Sequence Labeling with Non-local Features",
EMNLP-CoNLL [D07-1033], section 4.3: each run starts from zero and visits the examples once, in an order of its own.
Training proper starts from the mean of their final weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from reference.margin import Vector, Visit

X = TypeVar("X")
Learn = Callable[
    [Sequence[Sequence[X]], Vector], Iterator[Visit]
]  # an algorithm: passes over examples, start -> visits


def mean_of_runs(runs: Sequence[Sequence[X]], learn: Learn[X]) -> Vector:
    """Return the mean of the final weights of all runs; a run is given as its examples in their order."""
    finals = [list(learn([examples], {}))[-1].alpha for examples in runs]
    features = {feature for alpha in finals for feature in alpha}
    return {feature: sum(alpha.get(feature, 0) for alpha in finals) / len(finals) for feature in features}


def visits_after_runs(runs: Sequence[Sequence[X]], passes: Sequence[Sequence[X]], learn: Learn[X]) -> Iterator[Visit]:
    """Run an algorithm from the mean of the runs: yield one visit of each example of each pass."""
    return learn(passes, mean_of_runs(runs, learn))
