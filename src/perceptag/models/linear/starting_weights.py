"""What a run takes over from an earlier model: features under the same rows, weights under new label ids.

    earlier weight (row, code of earlier label ids) ──▶ the same row, code of the labels as they are numbered now

Rows keep their numbers because the features of the earlier model come first (`Encoder.start_from`). Whatever the
earlier model does not have starts at zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.encoding.encoder import Encoder
from perceptag.labels.label_set import LabelSet
from perceptag.numeric.arrays import Ints

PLAIN = 3  # the first block of transitions without an observation
_BLOCKS = range(5)
_OFTEN = np.uint32(2**31)  # how often a weight of the earlier model counts as seen: no cut-off drops it

Places = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float32]]  # rows, codes, weights


@dataclass(frozen=True, slots=True)
class StartingWeights:
    """Encoder and weights of an earlier model."""

    encoder: Encoder
    weights: _core.Weights
    labels: Ints  # [L + 1] earlier label id -> label id now; the last is the start of a sequence

    def entries(self, block: int) -> Places:
        """Every weight of a block that is not zero, its labels numbered as they are now."""
        w, _ = self.weights.get(block)
        if self.weights.is_dense(block):
            rows, codes = np.divmod(np.arange(len(w)), max(1, len(w) // max(1, self.weights.rows(block))))
        else:
            begin, labels = self.weights.layout(block)
            rows, codes = np.repeat(np.arange(len(begin) - 1), np.diff(begin)), labels.astype(np.int64)
        used = np.isfinite(w) & (w != 0)  # constraints are made anew
        return rows[used], self._renumber(codes[used], order_of(block)), w[used]

    def _renumber(self, codes: npt.NDArray[np.int64], order: int) -> npt.NDArray[np.int64]:
        """Codes (y-2 * (L+1) + y-1) * L + y0 with other label ids."""
        L, now = len(self.labels) - 1, int(self.labels[-1])
        codes, y = np.divmod(codes, L)
        renumbered, factor = self.labels[y].astype(np.int64), now
        for _ in range(order):
            codes, before = np.divmod(codes, L + 1)
            renumbered += self.labels[before].astype(np.int64) * factor
            factor *= now + 1
        return renumbered

    def join(self, order: int, support: _core.Support) -> _core.Support:
        """The support of the data together with that of the earlier model."""
        width = width_of(order, int(self.labels[-1]))
        rows, codes, _ = self.entries(order)
        owner = np.repeat(np.arange(len(support.begin) - 1), np.diff(support.begin))
        keys = np.concatenate([owner * width + support.codes, rows * width + codes])
        counts = np.concatenate([support.counts, np.full(len(rows), _OFTEN)])
        both, place = np.unique(keys, return_inverse=True)
        total = np.zeros(len(both), np.uint32)
        np.maximum.at(total, place, counts)
        begin = np.searchsorted(both, np.arange(len(support.begin)) * width).astype(np.uint32)
        return _core.Support(begin, (both % width).astype(np.uint32), total)

    def free(self, order: int, fixed: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
        """Flags of transitions that stay at zero, those of the earlier model taken out."""
        flags: npt.NDArray[np.uint8] = fixed.copy()
        flags[self.entries(PLAIN + order - 1)[1]] = 0
        return flags

    def set(self, weights: _core.Weights) -> None:
        """Give new weights the values of the earlier ones."""
        for block in _BLOCKS:
            rows, codes, w = self.entries(block)
            if not len(w):
                continue
            now, sums = weights.get(block)
            keys = rows * width_of(order_of(block), weights.labels) + codes
            if not weights.is_dense(block):
                begin, labels = weights.layout(block)
                owner = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
                keys = np.searchsorted(owner * width_of(order_of(block), weights.labels) + labels, keys)
            now[keys] = w
            weights.set(block, now, sums)


def order_of(block: int) -> int:
    """How many labels before the current one the weights of a block look at."""
    return block if block < PLAIN else block - PLAIN + 1


def width_of(order: int, labels: int) -> int:
    """How many combinations of labels there are."""
    return int((labels + 1) ** order) * labels


def label_map(earlier: LabelSet, now: LabelSet) -> Ints:
    """Label ids of an earlier model as they are numbered now; the last is the start of a sequence."""
    numbers = {name: i for i, name in enumerate(now.names)}
    return np.array([*(numbers[name] for name in earlier.names), len(now.names)], np.int32)
