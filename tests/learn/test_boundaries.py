"""What learners do exactly at a boundary: a margin that is just met, a snapshot that is just due."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import pytest

from perceptag.learn import ascent_document
from perceptag.learn.ascent_document import local_rival
from perceptag.learn.learner import Pass
from perceptag.learn.voted import learn_epoch


def test_a_local_margin_that_is_just_met_is_not_enough() -> None:
    scores = [np.array([7.0, 5.0])]
    assert list(local_rival([0], scores, 2.0)) == [1]
    assert list(local_rival([0], scores, 1.9)) == [0]


@dataclass
class Pair:
    """A document of one sentence with two candidates: the first is gold, the second has a non-local feature."""

    weight: float  # of the non-local feature
    chosen: int = 0
    moves: list[object] = field(default_factory=list)
    gold: ClassVar = [0]
    inferred: ClassVar = [0]

    def search(self, document: object) -> Pair:
        return self

    def tick(self) -> None:
        pass

    def labels(self, s: int, k: int) -> int:
        return k

    def local_scores(self, s: int) -> np.ndarray:
        return np.array([2.0, 0.0])

    def nonlocal_scores(self, s: int) -> np.ndarray:
        return np.array([0.0, self.weight])

    def choose(self, s: int, k: int) -> None:
        self.chosen = k

    def features(self) -> np.ndarray:
        return np.array([float(self.chosen)])

    def score(self, features: np.ndarray) -> float:
        return float(self.weight * features[0])

    def move_local(self, s: int, away: int) -> None:
        self.moves.append(("local", s, away))

    def move_nonlocal(self, difference: np.ndarray) -> None:
        self.moves.append(difference.tolist())


@pytest.mark.parametrize(("weight", "moves"), [(1.0, [("local", 0, 1), [-1.0]]), (0.9, [])])
def test_the_margin_of_a_document_is_that_of_local_and_nonlocal_features(weight: float, moves: list[object]) -> None:
    pair = Pair(weight)
    ascent_document.learn_epoch(pair, [None], C_all=1.0, C_local=1.0)
    assert pair.moves == moves


@dataclass
class Clock:
    """Weights that only count examples."""

    ticks: int = 0

    def frozen(self) -> int:
        return self.ticks


def test_a_part_between_two_snapshots_knows_what_came_before_it() -> None:
    parts = []
    learn_epoch(lambda this: parts.append((this.seen, list(this.sequences))), Pass(Clock(), range(5)), [], every=3)
    assert parts == [(0, [0, 1, 2]), (3, [3, 4])]


def test_snapshots_are_evenly_spaced_over_all_passes() -> None:
    weights, snapshots = Clock(), []

    def learn(this: Pass) -> None:
        weights.ticks += len(this.sequences)

    for _ in range(3):
        learn_epoch(learn, Pass(weights, range(5)), snapshots, every=3)
    assert snapshots == [3, 6, 9, 12, 15]
