"""The score of the best labelling with a given label at a given token, found by one search for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from perceptag.reference.lattice import Lattice, viterbi


def max_marginals(lattice: Lattice) -> list[list[float]]:
    """Return for each token and label the best score with it minus the best of all. Some labelling must be allowed."""
    best = viterbi(lattice)[1]
    return [[_best_with(lattice, t, y) - best for y in range(lattice.L)] for t in range(lattice.T)]


def _best_with(lattice: Lattice, t: int, y: int) -> float:
    """Return the best score of the labellings with y at t, where all other labels are forbidden."""
    only: Sequence[float] = [score if z == y else -inf for z, score in enumerate(lattice.node[t])]
    return viterbi(replace(lattice, node=[*lattice.node[:t], only, *lattice.node[t + 1 :]]))[1]
