"""The order of examples in a pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from perceptag.arrays import Longs


def pass_order(n: int, epoch: int, shuffle: bool, seed: int) -> list[int]:
    """Return the order of n examples: as in the file, or shuffled; seed and pass determine the order."""
    return shuffled(n, seed, epoch) if shuffle else list(range(n))


def shuffled(n: int, seed: int, number: int, *shard: int) -> list[int]:
    """Return the permutation for a seed and a number: 1, 2, … for passes, -1, -2, … for runs before the first pass.

    Each `shard`, counted from 1, has permutations of its own.
    """
    order: list[int] = permutation(n, seed, number, *shard).tolist()
    return order


def permutation(n: int, seed: int, number: int, *shard: int) -> Longs:
    """Return `shuffled` as an array, which takes less memory."""
    import numpy as np  # here, because loops are also imported where nothing is trained

    return np.random.default_rng([seed, abs(number), number < 0, *shard]).permutation(n)
