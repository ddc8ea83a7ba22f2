"""What learners do exactly at a boundary: a margin that is just met, a snapshot that is just due."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from perceptag.learn.ascent_document import local_rival
from perceptag.learn.learner import Pass
from perceptag.learn.voted import learn_epoch


def test_a_local_margin_that_is_just_met_is_not_enough() -> None:
    scores = [np.array([7.0, 5.0])]
    assert list(local_rival([0], scores, 2.0)) == [1]
    assert list(local_rival([0], scores, 1.9)) == [0]


@dataclass
class Clock:
    """Weights that only count examples."""

    ticks: int = 0

    def frozen(self) -> int:
        return self.ticks


def test_snapshots_are_evenly_spaced_over_all_passes() -> None:
    weights, snapshots = Clock(), []

    def learn(this: Pass) -> None:
        weights.ticks += len(this.sequences)

    for _ in range(3):
        learn_epoch(learn, Pass(weights, range(5)), snapshots, every=3)
    assert snapshots == [3, 6, 9, 12, 15]
