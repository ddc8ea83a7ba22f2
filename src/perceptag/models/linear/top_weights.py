"""The heaviest weights of a linear model, label by label: what it has learned, at a glance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.models.linear.feature_names import FeatureNames
from perceptag.models.linear.weights import BLOCKS, PLAIN_EDGE
from perceptag.numeric.arrays import Longs

_START = "<s>"


def heaviest(
    vectors: Sequence[_core.Weights], features: FeatureNames, names: tuple[str, ...], n: int
) -> dict[str, list[tuple[str, float]]]:
    """The `n` features with the largest absolute weight for each label; the mean where several vectors vote.

    Features that look at labels before it are listed with these: ``bias * y-1 y0, y-1=DT``.
    """
    blocks = [_entries(vectors, block) for block in BLOCKS]
    block, row, code, weight = (np.concatenate(part) for part in zip(*blocks, strict=True))
    used = np.flatnonzero(weight)
    label = code[used] % len(names)
    order = np.lexsort((-np.abs(weight[used]), label))  # by label, then from the heaviest down; a stable sort
    mine = np.split(used[order], np.searchsorted(label[order], np.arange(1, len(names))))
    return {
        name: [
            (features.name(block[i], row[i]) + _before(block[i], code[i], names), float(weight[i]))
            for i in some[:n].tolist()
        ]
        for name, some in zip(names, mine, strict=True)
    }


def _entries(vectors: Sequence[_core.Weights], block: int) -> tuple[Longs, Longs, Longs, npt.NDArray[np.float64]]:
    """Block, row, code (combination of labels) and weight of all weights of one block."""
    weight = np.stack([w.get(block)[0] for w in vectors]).astype(np.float64).sum(axis=0) / len(vectors)
    weight[~np.isfinite(weight)] = 0  # what a constraint forbids was not learned
    if block >= PLAIN_EDGE:
        return np.full(len(weight), block), np.zeros(len(weight), np.int64), np.arange(len(weight)), weight
    begin, codes = vectors[0].layout(block)
    rows = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
    return np.full(len(weight), block), rows, codes.astype(np.int64), weight


def _before(block: int, code: int, names: tuple[str, ...]) -> str:
    """The labels before the current one, from the number of their combination (see `explain.label_code`)."""
    order = block if block < PLAIN_EDGE else block - PLAIN_EDGE + 1
    labels = [*names, _START]
    code //= len(names)
    text = ""
    for back in range(1, order + 1):
        text = f", y-{back}={labels[code % len(labels)]}" + text
        code //= len(labels)
    return text
