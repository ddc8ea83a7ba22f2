"""How good the best labelling is that has a given label at a given token, found by searching once for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from perceptag.reference.lattice import Lattice, viterbi


def max_marginals(lattice: Lattice) -> list[list[float]]:
    """For each token and label: the best score with it, less the best score of all. Some labelling must be allowed."""
    best = viterbi(lattice)[1]
    return [[_best_with(lattice, t, y) - best for y in range(lattice.L)] for t in range(lattice.T)]


def _best_with(lattice: Lattice, t: int, y: int) -> float:
    """The best score of the labellings that have y at t: all other labels are forbidden there."""
    only: Sequence[float] = [score if z == y else -inf for z, score in enumerate(lattice.node[t])]
    return viterbi(replace(lattice, node=[*lattice.node[:t], only, *lattice.node[t + 1 :]]))[1]
