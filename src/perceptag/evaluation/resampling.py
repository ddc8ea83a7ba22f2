"""Bootstrap intervals and the randomisation test, over sentences.

Percentile intervals: Efron (1979), "Bootstrap Methods: Another Look at the Jackknife", Ann. Statist. 7(1).
Approximate randomisation for F scores: Yeh (2000), "More accurate tests for the statistical significance of
result differences", COLING [C00-2137].

A sentence matters only through its row of counts, and many sentences have equal rows. Drawing N sentences
with replacement is therefore one multinomial draw over the distinct rows, and swapping the outputs of two
systems for m equal rows, each with probability 1/2, is one binomial draw. Both are exact, and take hardly
more time for a larger corpus.

    rows: int64[N, K]    distinct: int64[U, K]    draws: int64[rounds, U]    totals = draws @ distinct
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from perceptag.numeric.arrays import Floats, Longs

Score = Callable[[Longs], Floats]  # totals [..., K] to scores [...]

_CELLS = 4_000_000  # of a table of draws, to bound memory


def f1_score(totals: Longs) -> Floats:
    """F1 of totals (correct, predicted, gold); 0 when undefined."""
    scores: Floats = 200.0 * totals[..., 0] / np.maximum(totals[..., 1] + totals[..., 2], 1)
    return scores


def accuracy_score(totals: Longs) -> Floats:
    """Accuracy of totals (correct, tokens); 0 when undefined."""
    scores: Floats = 100.0 * totals[..., 0] / np.maximum(totals[..., 1], 1)
    return scores


def bootstrap_interval(rows: Longs, score: Score, rounds: int, seed: int) -> tuple[float, float]:
    """Return the 95 % percentile interval of `score` over samples of as many sentences with replacement."""
    rng = np.random.default_rng(seed)
    distinct, times = np.unique(rows, axis=0, return_counts=True)
    share = times / times.sum()
    scores = [
        score(rng.multinomial(len(rows), share, size=size) @ distinct) for size in _batches(rounds, len(distinct))
    ]
    low, high = np.percentile(np.concatenate(scores), [2.5, 97.5]).tolist()
    return low, high


def randomisation_p(a: Longs, b: Longs, score: Score, rounds: int, seed: int) -> float:
    """Return the two-sided p-value of the difference between two systems with rows `a` and `b`.

    The observed assignment counts as one of the rounds, so p is never 0.
    """
    rng = np.random.default_rng(seed)
    differ = (a != b).any(axis=1)
    pairs, times = np.unique(np.hstack([a, b])[differ], axis=0, return_counts=True)
    change = pairs[:, a.shape[1] :] - pairs[:, : a.shape[1]]
    total_a, total_b = a.sum(axis=0), b.sum(axis=0)
    # Rounding must not make an equal difference look smaller.
    observed = abs(float(score(total_b) - score(total_a))) - 1e-9
    extreme = 0
    for size in _batches(rounds, len(pairs)):
        moved = rng.binomial(times, 0.5, size=(size, len(pairs))) @ change
        extreme += int((np.abs(score(total_b - moved) - score(total_a + moved)) >= observed).sum())
    return (extreme + 1) / (rounds + 1)


def _batches(rounds: int, width: int) -> Iterator[int]:
    """Yield sizes that add up to `rounds`, each small enough for a table `width` cells wide."""
    size = max(1, _CELLS // max(width, 1))
    while rounds > 0:
        yield min(size, rounds)
        rounds -= size
