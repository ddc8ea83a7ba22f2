"""Add up the counts of all shards, which decide what weights a model has."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.cluster.shard_features import ShardFeatures
from perceptag.cluster.support_sum import SupportSum
from perceptag.encoding.encoder import Encoder
from perceptag.numeric.arrays import Ints

ORDERS = range(3)


@dataclass(slots=True)
class SummedCounts:
    """The features of shards, merged in order into the index of an encoder, and their counts.

    Merging contiguous shards one after the other gives the index that all data together would have given.
    """

    encoder: Encoder
    supports: list[SupportSum] = field(default_factory=lambda: [SupportSum() for _ in ORDERS])
    shards: list[Ints] = field(default_factory=lambda: [np.zeros(0, np.int32) for _ in ORDERS])  # with each feature
    transitions: dict[int, npt.NDArray[np.uint64]] = field(default_factory=dict)
    active: int = 0

    @property
    def index(self) -> _core.FeatureIndex:
        """The index of all features."""
        return self.encoder.frozen_index

    def add(self, found: ShardFeatures) -> None:
        """Add the next shard."""
        rows = self.index.merge(found.lists)
        for order in ORDERS:
            own = _core.Support(*found.supports[order])
            self.supports[order].add(own.moved(rows[order], self.index.rows(order)))
            counted = np.zeros(self.index.rows(order), np.int32)
            counted[: len(self.shards[order])] = self.shards[order]
            counted[rows[order]] += 1
            self.shards[order] = counted
        for order, counts in found.transitions.items():
            self.transitions[order] = self.transitions.get(order, 0) + counts
        self.active = max(self.active, found.active)

    # --- what weights are made of ---

    def support(self, order: int, rows: int, labels: int) -> _core.Support:
        """Which combinations of labels go with each feature of an order, and how often."""
        del rows, labels  # which all shards have in common
        support = self.supports[order].total()
        self.supports[order] = SupportSum()  # it is large
        return support

    def cut_off(self, support: _core.Support, cutoff: int, whole_rows: bool, order: int) -> _core.Support:
        """Drop what is rare, from the index too."""
        kept, renumbered = _core.cut_features(support, cutoff, whole_rows, order, self.index)
        self.shards[order] = self.shards[order][renumbered >= 0]
        return kept

    def unseen(self, order: int, labels: int, cutoff: int) -> npt.NDArray[np.uint8]:
        """Flags of the plain transitions that are rare."""
        del labels
        return (self.transitions[order] < max(1, cutoff)).astype(np.uint8)
