"""Viterbi search: the native core equals the reference, and both equal enumeration."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

from perceptag import _core
from random_lattices import EXACT, make, random_case, random_cases, real
from reference.lattice import enumerate_labelings, score, tie_order, viterbi

KINDS = pytest.mark.parametrize("kind", EXACT)


@KINDS
def test_viterbi_equals_enumeration(kind: str) -> None:
    for reference, native in random_cases(1, 60, EXACT[kind]):
        best = max(score(reference, labels) for labels in enumerate_labelings(reference))
        assert viterbi(reference)[1] == best
        assert native.viterbi()[1] == best


@KINDS
def test_native_labels_equal_the_reference(kind: str) -> None:
    for reference, native in random_cases(2, 100, EXACT[kind]):
        labels, total = viterbi(reference)
        if total > -inf:
            assert tuple(native.viterbi()[0]) == labels


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("observed", [False, True])
def test_long_lattice(order: int, observed: bool) -> None:
    for kind in EXACT.values():
        reference, native = random_case(np.random.default_rng(3), 200, 7, order, observed, kind, forbid=True)
        found, total = native.viterbi()
        assert (tuple(found), total) == viterbi(reference)


@KINDS
def test_score_of_every_labelling(kind: str) -> None:
    for reference, native in random_cases(4, 5, EXACT[kind]):
        for labels in enumerate_labelings(reference):
            assert native.score(np.array(labels, np.int32)) == score(reference, labels)


def test_real_scores() -> None:
    """Sums are rounded in float32: up to that, the score found is the best."""
    for reference, native in random_cases(5, 30, real):
        assert native.viterbi()[1] == pytest.approx(viterbi(reference)[1], rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_of_equal_scores_the_lower_label_wins_from_the_end(order: int) -> None:
    """The best labelling that is first in `tie_order` wins; all zeros where everything is equal."""
    for L in (1, 3):
        edge, trigram = np.zeros((L + 1, L)), np.zeros((L + 1, L + 1, L))
        reference, native = make(L, np.zeros((4, L)), edge if order > 0 else None, trigram if order > 1 else None)
        assert tuple(native.viterbi()[0]) == viterbi(reference)[0] == (0, 0, 0, 0)
    for reference, native in random_cases(6, 60, EXACT["ties"]):
        scores = {labels: score(reference, labels) for labels in enumerate_labelings(reference)}
        best = max(scores.values())
        first = min((labels for labels in scores if scores[labels] == best), key=tie_order)
        if best > -inf and reference.order == order:
            assert tuple(native.viterbi()[0]) == viterbi(reference)[0] == first


def test_a_tie_is_decided_at_the_end_not_at_the_start() -> None:
    """(0, 1) and (1, 0) are equally good: the lower last label wins although the first is higher."""
    edge = np.array([[-9, 0], [0, -9], [0, 0]])
    reference, native = make(2, np.zeros((2, 2)), edge)
    assert tuple(native.viterbi()[0]) == viterbi(reference)[0] == (1, 0)


def test_everything_forbidden() -> None:
    for order in (0, 1, 2):
        edge = np.zeros((3, 2)) if order > 0 else None
        reference, native = make(2, np.full((3, 2), -inf), edge, np.zeros((3, 3, 2)) if order > 1 else None)
        assert native.viterbi()[1] == viterbi(reference)[1] == -inf


@pytest.mark.parametrize("bad", [nan, inf])
def test_scores_that_are_no_scores_are_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="scores: expected finite numbers, or minus infinity"):
        _core.Lattice(1, 1, 0, np.array([bad], np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32))
