"""A start from the mean of several short runs, after the Bayes point machine.

Kazama and Torisawa (2007), "A New Perceptron Algorithm for Sequence Labeling with Non-local Features",
EMNLP-CoNLL [D07-1033], section 4.3: each run starts from zero and visits the examples once, in an order of its own.
Training proper starts from the mean of their final weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from perceptag.reference.margin import MarginExample, Vector, Visit, visits


def mean_of_runs(runs: Sequence[Sequence[MarginExample]], C: float) -> Vector:
    """Return the mean of the final weights of all runs; a run is given as its examples in their order."""
    finals = [list(visits([examples], C))[-1].alpha for examples in runs]
    features = {feature for alpha in finals for feature in alpha}
    return {feature: sum(alpha.get(feature, 0) for alpha in finals) / len(finals) for feature in features}


def visits_after_runs(
    runs: Sequence[Sequence[MarginExample]], passes: Sequence[Sequence[MarginExample]], C: float
) -> Iterator[Visit]:
    """Algorithm 3.1 from the mean of the runs: yield one visit of each example of each pass."""
    return visits(passes, C, mean_of_runs(runs, C))
