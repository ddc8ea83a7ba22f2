"""The order of examples in a pass."""

from __future__ import annotations


def pass_order(n: int, epoch: int, shuffle: bool, seed: int) -> list[int]:
    """The order of n examples: as in the file, or shuffled by seed and pass."""
    return shuffled(n, seed, epoch) if shuffle else list(range(n))


def shuffled(n: int, seed: int, number: int) -> list[int]:
    """A permutation that belongs to a seed and a number: passes count from 1, runs before the first from -1 down."""
    import numpy as np  # here: the loops are imported where nothing is trained

    order: list[int] = np.random.default_rng([seed, abs(number), number < 0]).permutation(n).tolist()
    return order
