"""Lists of candidates as arrays, for checkpoints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.errors import ModelError
from perceptag.models.document.features import NonLocal
from perceptag.models.rerank.cross_validation import Proposals
from perceptag.store.checked_arrays import reals, wholes
from perceptag.store.model import AnyArrays, Arrays, array_of


def pack(proposals: Sequence[Proposals]) -> Arrays:
    """All candidates. `numbers` says for each sequence how many, how many from the list, and which one is gold."""
    numbers = [(len(found.labels), found.listed, found.gold) for found in proposals]
    flat = [labels.numpy() for found in proposals for labels in found.labels]
    return {
        "numbers": np.array(numbers, np.int64).reshape(-1),
        "labels": np.concatenate(flat),
        "first": np.concatenate([found.first for found in proposals]),
    }


def unpack(arrays: AnyArrays, sequences: Sequence[_core.Sequence]) -> list[Proposals]:
    """The inverse of `pack`, for the same sequences."""
    numbers = np.array(wholes(arrays, "numbers")).reshape(-1, 3)
    counts, listed, gold = numbers.T
    first = reals(arrays, "first", sum(counts.tolist()))
    if len(numbers) != len(sequences) or not ((gold < counts) & (listed <= counts)).all():
        raise ModelError(
            "array 'numbers': expected candidates for each sequence with the gold one among them, found others"
        )
    sizes = counts * [len(x) for x in sequences]
    labels = np.split(array_of(arrays, "labels", np.int32), np.cumsum(sizes)[:-1])
    scores = np.split(first, np.cumsum(counts)[:-1])
    return [
        Proposals([_core.Labels(row) for row in block.reshape(size, -1)], score.copy(), gold, listed)
        for block, score, (size, listed, gold) in zip(labels, scores, numbers.tolist(), strict=True)
    ]


def names(features: NonLocal) -> npt.NDArray[np.uint8]:
    """The names of all non-local features seen so far."""
    return np.frombuffer("\0".join(features.numbers).encode(), np.uint8)
