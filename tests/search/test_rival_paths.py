"""Rivals of labels: one search for all tokens finds what the reference finds by a search for each, ties included."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np
import pytest

from perceptag import _core
from random_lattices import EXACT, make, random_case, random_cases
from reference.lattice import enumerate_labelings, rivals, score, tie_order, viterbi


def found_by_core(native: _core.Lattice, labels: Sequence[int]) -> list[tuple[int, ...] | None]:
    return [tuple(rival) or None for rival in native.rivals(np.array(labels, np.int32))]


@pytest.mark.parametrize("kind", EXACT)
def test_equal_to_the_reference_and_to_enumeration(kind: str) -> None:
    rng, seen = np.random.default_rng(5), 0
    for reference, native in random_cases(4, 15, EXACT[kind]):
        best, top = viterbi(reference)
        for labels in (best, tuple(rng.integers(0, reference.L, reference.T).tolist())):
            if top == -inf:
                assert found_by_core(native, labels) == []
                continue
            scores = {y: score(reference, y) for y in enumerate_labelings(reference)}
            expected = []
            for t in range(reference.T):
                others = [y for y, s in scores.items() if y[t] != labels[t] and s > -inf]
                expected.append(min(others, key=lambda y: (-scores[y], tie_order(y)), default=None))
            assert found_by_core(native, labels) == rivals(reference, labels) == expected
            seen += 1
    assert seen > 100


@pytest.mark.parametrize("kind", EXACT)
@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("observed", [False, True])
def test_long_lattices(order: int, observed: bool, kind: str) -> None:
    for seed, (tokens, labels) in enumerate([(30, 4), (12, 9)]):
        rng = np.random.default_rng(seed)
        reference, native = random_case(rng, tokens, labels, order, observed, EXACT[kind], forbid=True)
        best, top = viterbi(reference)
        assert top > -inf
        assert found_by_core(native, best) == rivals(reference, best)


def test_rivals_that_never_come_back() -> None:
    """Two labels that prefer to stay: the rival at t has the other label from t on, and ties with one that had it."""
    stay = np.array([[1, -3], [-3, 1], [1, 0]])
    reference, native = make(2, np.zeros((20, 2)), stay)
    found = found_by_core(native, [0] * 20)
    assert found == rivals(reference, [0] * 20)
    assert found[10] == (1,) * 20  # a change of the label costs more than another beginning
    stay[2] = 9, 0
    reference, native = make(2, np.zeros((20, 2)), stay)
    found = found_by_core(native, [0] * 20)
    assert found == rivals(reference, [0] * 20)
    assert found[10] == (0,) * 10 + (1,) * 10  # but now less


def test_all_labellings_are_equally_good() -> None:
    for order in (0, 1, 2):
        edge, trigram = np.zeros((4, 3)), np.zeros((4, 4, 3))
        reference, native = make(3, np.zeros((8, 3)), edge if order else None, trigram if order > 1 else None)
        found = found_by_core(native, [0] * 8)
        assert found == rivals(reference, [0] * 8) == [(0,) * t + (1,) + (0,) * (7 - t) for t in range(8)]


def test_a_labelling_of_another_length_is_refused() -> None:
    _, native = make(2, np.zeros((3, 2)))
    with pytest.raises(ValueError, match="expected one label for each token"):
        native.rivals(np.zeros(2, np.int32))
