"""The native searches with scores of whole spans find what trying all segmentations finds, ties included."""

from __future__ import annotations

import random
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import _core
from perceptag.labels.pairs import mask_of
from perceptag.labels.span_labels import span_labels
from reference.lattice import Lattice, plain
from reference.semi_markov import (
    Letters,
    best_segmentation,
    enumerate_segmentations,
    from_spans,
    segmentation_score,
    tie_order,
    to_labels,
)

TYPES = ("X", "Y")


class Case:
    """A lattice over IOBES labels in any order, with scores of spans; few different values make many ties."""

    def __init__(self, seed: int, least: int = 3) -> None:
        rng = random.Random(seed)
        types = TYPES[: rng.randint(1, 2)]
        self.names = ["O", *(f"{letter}-{t}" for t in types for letter in "BIES")]
        rng.shuffle(self.names)
        self.T, self.longest = rng.randint(1, 5), rng.randint(least, 4)
        values = rng.choice([[0.0, 1.0], [-2.0, 0.0, 1.0, 3.0], [-1.0, -0.5, 0.0, 0.25]])
        allowed, last = mask_of(self.names, "IOBES")
        L = len(self.names)
        self.node = [[rng.choice(values) for _ in range(L)] for _ in range(self.T)]
        for y in range(L):
            self.node[-1][y] += 0.0 if last[y] else -inf
        if rng.random() < 0.3:  # as a tag dictionary does
            self.node[rng.randrange(self.T)][rng.randrange(L)] = -inf
        self.edge = [[rng.choice(values) if allowed[u * L + y] else -inf for y in range(L)] for u in range(L + 1)]
        self.span = [[[rng.choice(values) for _ in types] for _ in range(self.longest)] for _ in range(self.T)]
        self.classes = [Letters(*(self.names.index(f"{letter}-{t}") for letter in "BIES")) for t in types]
        self.outside = self.names.index("O")

    def twin(self) -> list[tuple[list[int], float]]:
        """Every labelling and its score, the best first."""
        lattice: Lattice = plain(len(self.names), self.node, self.edge)
        scores = from_spans(
            lattice, self.classes, self.outside, self.longest, lambda s, e, k: self.span[s][e - s - 1][k]
        )
        every = [(segmentation_score(scores, y), y) for y in enumerate_segmentations(scores)]
        every = sorted((one for one in every if one[0] > -inf), key=lambda one: (-one[0], tie_order(one[1])))
        best = best_segmentation(scores)
        assert best == ((every[0][1], every[0][0]) if every else None)
        return [(to_labels(y, self.classes, self.outside), score) for score, y in every]

    def native(self) -> _core.Lattice:
        node, edge = np.array(self.node, np.float32).ravel(), np.array(self.edge, np.float32).ravel()
        lattice = _core.Lattice(self.T, len(self.names), 1, node, edge, np.zeros(0, np.float32))
        reading = span_labels(self.names, self.longest)
        lattice.set_spans(*reading, np.array(self.span, np.float32).ravel())
        return lattice


@given(st.integers(0, 2**32))
def test_the_best_labelling_and_its_score(seed):
    case = Case(seed)
    every = case.twin()
    labels, score = case.native().viterbi()
    assert (labels.tolist(), score) == every[0] if every else score == -inf


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_the_n_best_are_in_the_order_of_the_reference(seed, n):
    case = Case(seed)
    found = case.native().nbest(n)
    assert [(y.tolist(), score) for y, score in zip(found.labels, found.scores, strict=True)] == case.twin()[:n]


@given(st.integers(0, 2**32), st.integers(1, 40))
def test_the_n_best_with_short_spans(seed, n):
    """Where spans of three words have no scores, ties between these and longer ones are decided by labels alone."""
    case = Case(seed, least=1)
    found, every = case.native().nbest(n), case.twin()
    assert found.scores.tolist() == [score for _, score in every[:n]]
    listed = [tuple(y.tolist()) for y in found.labels]
    assert len({*listed}) == len(listed)
    scores = {tuple(y): score for y, score in every}
    assert [scores[y] for y in listed] == found.scores.tolist()


@given(st.integers(0, 2**32))
def test_max_marginals_and_rivals(seed):
    case = Case(seed)
    every = case.twin()
    if not every:
        return
    marginals, score = case.native().max_marginals()
    assert score == every[0][1]
    L = len(case.names)
    rivals = case.native().rivals(np.array(every[0][0], np.int32))
    for t in range(case.T):
        for y in range(L):
            best = max((s for labels, s in every if labels[t] == y), default=-inf)
            assert marginals[t * L + y] == best - score
        others = [labels for labels, s in every if labels[t] != every[0][0][t]]
        assert rivals[t] == (others[0] if others else [])


@given(st.integers(0, 2**32))
def test_the_score_of_any_labelling(seed):
    case = Case(seed)
    native = case.native()
    for labels, score in case.twin()[:20]:
        assert native.score(np.array(labels, np.int32)) == score


@given(st.integers(0, 2**32))
def test_without_scores_of_spans_all_is_as_before(seed):
    case = Case(seed)
    case.span = [[[0.0] * len(case.classes)] * case.longest] * case.T
    node, edge = np.array(case.node, np.float32).ravel(), np.array(case.edge, np.float32).ravel()
    lattice = _core.Lattice(case.T, len(case.names), 1, node, edge, np.zeros(0, np.float32))
    assert case.native().viterbi()[1] == lattice.viterbi()[1]
    assert case.native().nbest(9).scores.tolist() == lattice.nbest(9).scores.tolist()
    assert case.native().max_marginals()[0].tolist() == lattice.max_marginals()[0].tolist()


def test_spans_longer_than_the_longest_are_possible():
    names = ["O", "B-X", "I-X", "E-X", "S-X"]
    edge = np.where(np.array(mask_of(names, "IOBES")[0], bool), 0, -np.inf).astype(np.float32)
    node = np.array([[0, 1, 1, 1, 0]] * 4, np.float32)
    node[-1, 1:3] = -np.inf
    lattice = _core.Lattice(4, 5, 1, node.ravel(), edge, np.zeros(0, np.float32))
    lattice.set_spans(*span_labels(names, 2), np.zeros(8, np.float32))
    assert [names[y] for y in lattice.viterbi()[0]] == ["B-X", "E-X", "B-X", "E-X"]
    lattice.set_spans(*span_labels(names, 2), np.full(8, -1, np.float32))
    assert [names[y] for y in lattice.viterbi()[0]] == ["B-X", "I-X", "I-X", "E-X"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": [-1, 0, 0, 0, 5]},
        {"letter": [0, 1, 2, 3, 9]},
        {"letter": [1, 1, 2, 3, 4]},
        {"longest": 0},
        {"longest": 65},
        {"kind": [-1, 0, 0, 0]},
        {"scores": np.zeros(7, np.float32)},
    ],
    ids=str,
)
def test_wrong_labels_of_spans_are_refused(wrong):
    lattice = _core.Lattice(4, 5, 1, np.zeros(20, np.float32), np.zeros(30, np.float32), np.zeros(0, np.float32))
    right = dict(span_labels(["O", "B-X", "I-X", "E-X", "S-X"], 2)._asdict(), scores=np.zeros(8, np.float32))
    with pytest.raises(ValueError, match="expected"):
        lattice.set_spans(**(right | wrong))
