"""With many labels, first-order search leaves out pairs of labels: the same labels, ties included, the same lists."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from perceptag import _core
from random_lattices import EXACT, Case, make, random_cases
from reference.bounded_search import bounded_viterbi
from reference.lattice import viterbi

MANY = _core.FEW_LABELS + 1


@st.composite
def tables(draw: st.DrawFn, least: int = MANY, most: int = MANY + 8) -> tuple[Any, Any]:
    """Nodes and edges of small whole numbers: sparse or dense edges, forbidden ones, nodes that stand out."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    T, L, size = draw(st.integers(1, 5)), draw(st.integers(least, most)), draw(st.sampled_from([1, 3, 20]))
    node, edge = (rng.integers(-size, size + 1, shape).astype(float) for shape in ((T, L), (L + 1, L)))
    edge[rng.random(edge.shape) < draw(st.sampled_from([0, 0.5, 0.97]))] = 0
    node[rng.random(node.shape) < 0.1] += draw(st.sampled_from([0, 2 * size]))
    forbidden = draw(st.sampled_from([0, 0.1, 0.9]))
    edge[rng.random(edge.shape) < forbidden] = -inf
    node[rng.random(node.shape) < draw(st.sampled_from([0, forbidden]))] = -inf
    return node, edge


def with_observed_edges(node: Any, edge: Any) -> Case:
    """The same scores, observed at every position: nothing is left out."""
    return make(node.shape[1], node, np.stack([edge] * len(node)), observed=True)


@given(tables())
@settings(max_examples=30, deadline=None)
def test_labels_are_those_of_the_reference(drawn: tuple[Any, Any]) -> None:
    node, edge = drawn
    reference, native = make(node.shape[1], node, edge)
    labels, total = native.viterbi()
    expected, best = viterbi(reference)
    assert total == best
    assert total == -inf or tuple(labels) == expected


@given(tables(), st.integers(1, 30))
@settings(max_examples=40, deadline=None)
def test_lists_and_max_marginals_are_those_of_the_full_search(drawn: tuple[Any, Any], n: int) -> None:
    node, edge = drawn
    native, full = make(node.shape[1], node, edge).native, with_observed_edges(node, edge).native
    found, expected = native.nbest(n), full.nbest(n)
    assert found.scores.tolist() == expected.scores.tolist()
    assert found.labels.tolist() == expected.labels.tolist()
    behind, best = native.max_marginals()
    expected_behind, expected_best = full.max_marginals()
    assert best == expected_best
    assert best == -inf or behind.tolist() == expected_behind.tolist()


@given(tables(least=1, most=9))
@settings(max_examples=40, deadline=None)
def test_the_reference_of_the_bounded_search(drawn: tuple[Any, Any]) -> None:
    node, edge = drawn
    reference, _ = make(node.shape[1], node, edge)
    assert bounded_viterbi(reference) == viterbi(reference)


def test_a_label_that_was_left_out_may_come_before_the_best() -> None:
    """Label 2 leads to no more than label 0 has by itself; but label 0 does not lead to where the best way ends."""
    node = np.array([[10.0, 9, 0], [98, 0, 100]])
    edge = np.array([[0.0, 0, -5], [0, 0, 0], [0, 0, 10], [0, 0, 0]])
    reference, _ = make(3, node, edge)
    assert bounded_viterbi(reference) == viterbi(reference) == ((2, 2), 110)


def test_the_reference_on_other_lattices() -> None:
    for draw in EXACT.values():
        for reference, _ in random_cases(11, 5, draw):
            if reference.order == 1 and reference.T and all(e == reference.edge[0] for e in reference.edge or ()):
                assert bounded_viterbi(reference) == viterbi(reference)


def test_a_long_sequence() -> None:
    """Exact scores may be looked for back to the first token: not by recursion."""
    T, L = 5_000, MANY
    node = np.zeros((T, L), np.float32)
    node[:, 1] = -1
    edge = np.where(np.arange(L + 1)[:, None] == np.arange(L), 2, -1).astype(np.float32)  # stay where you are
    node[-1, 1] = 3 * T
    lattice = _core.Lattice(T, L, 1, node.ravel(), edge.ravel(), np.zeros(0, np.float32))
    labels, total = lattice.viterbi()
    assert total == lattice.score(labels) and labels[-1] == 1 and lattice.nbest(1).score(0) == total
