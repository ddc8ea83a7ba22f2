"""Partition function and marginals: the native core equals the reference, and both equal enumeration."""

from __future__ import annotations

from itertools import product
from math import exp, inf

import numpy as np
import pytest

from random_lattices import EXACT, make, random_case, random_cases
from reference import crf
from reference.lattice import enumerate_labelings, score


def moderate(rng, shape):
    """Return scores like those of a trained model."""
    return rng.normal(0, 2, shape)


# Scores of a thousand leave the range of exp, so the core must switch to logarithms.
DRAWS = {"moderate": moderate, "ties": EXACT["ties"], "eighths": EXACT["eighths"], "far apart": EXACT["whole"]}
draws = pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)


def enumerated_triples(lattice):
    """Return log Z and p(v, u, y) at every position, by summing over every labelling."""
    scores = {labels: score(lattice, labels) for labels in enumerate_labelings(lattice)}
    log_z = crf.log_sum(scores.values())
    found = [dict.fromkeys(product(range(lattice.L + 1), repeat=3), 0.0) for _ in range(lattice.T)]
    for labels, total in scores.items():
        padded = (lattice.L, lattice.L, *labels)
        for t in range(lattice.T if total > -inf else 0):
            found[t][padded[t : t + 3]] += exp(total - log_z)
    return log_z, found


def arrays(triples, T, L):
    """[T, L], [T, L+1, L], [T, L+1, L+1, L]"""
    table = np.zeros((T, L + 1, L + 1, L))
    for t, found in enumerate(triples):
        for (v, u, y), p in found.items():
            if y < L:
                table[t, v, u, y] = p
    return table.sum((1, 2)), table.sum(1), table


@draws
def test_the_reference_equals_enumeration(draw):
    for lattice, _ in random_cases(11, 8, draw):
        log_z, triples = enumerated_triples(lattice)
        assert crf.log_partition(lattice) == pytest.approx(log_z, abs=1e-9)
        if log_z == -inf or not lattice.T:
            continue
        expected, found = (arrays(x, lattice.T, lattice.L) for x in (triples, crf.triple_marginals(lattice)))
        for a, b in zip(expected, found, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-9)
        np.testing.assert_allclose(crf.node_marginals(lattice), expected[0], atol=1e-9)


@draws
@pytest.mark.parametrize("in_logs", [False, True])
def test_the_core_equals_enumeration(draw, in_logs):
    for lattice, native in random_cases(12, 15, draw):
        T, L = lattice.T, lattice.L
        log_z, triples = enumerated_triples(lattice)
        found_z, node, pairs, threes = native.forward_backward(in_logs=in_logs)
        assert found_z == pytest.approx(log_z, rel=1e-6, abs=1e-9)  # float32 rounds sums of scores
        if log_z == -inf:
            assert not node.any()
            continue
        expected = arrays(triples, T, L)
        np.testing.assert_allclose(node.reshape(T, L), expected[0], atol=2e-5)
        np.testing.assert_allclose(pairs.reshape(T, L + 1, L), expected[1], atol=2e-5)
        if lattice.order == 2:
            np.testing.assert_allclose(threes.reshape(T, L + 1, L + 1, L), expected[2], atol=2e-5)


def test_exact_scores_give_marginals_to_the_last_digits():
    for lattice, native in random_cases(13, 10, EXACT["ties"]):
        log_z, triples = enumerated_triples(lattice)
        if log_z > -inf:
            expected = arrays(triples, lattice.T, lattice.L)
            np.testing.assert_allclose(native.forward_backward()[1].reshape(-1, lattice.L), expected[0], atol=1e-13)


@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("observed", [False, True])
@pytest.mark.parametrize("forbid", [False, True])
def test_thousands_of_tokens(order, observed, forbid):
    """Scaling and logarithms agree on a long document, and its marginals sum to one."""
    T, L = 2000, 8
    _, native = random_case(np.random.default_rng(5), T, L, order, observed, moderate, forbid)
    scaled, logs = native.forward_backward(), native.forward_backward(in_logs=True)
    assert scaled[0] == pytest.approx(logs[0], rel=1e-12)
    for a, b in zip(scaled[1:], logs[1:], strict=True):
        np.testing.assert_allclose(a, b, atol=1e-9)
    np.testing.assert_allclose(scaled[1].reshape(T, L).sum(1), 1, atol=1e-9)


def test_a_labelling_that_seems_lost_comes_back():
    """The best labelling starts 2000 below another and catches up later: no exponent of a double is that large."""
    node = np.array([[0, -2000], [0, 0], [-4000, 0]])
    edge = np.array([[0, -np.inf], [-np.inf, 0], [0, 0]])
    _, native = make(2, node, edge)
    log_z, marginals, _, _ = native.forward_backward()
    assert log_z == -2000
    np.testing.assert_array_equal(marginals.reshape(3, 2), [[0, 1]] * 3)


@pytest.mark.parametrize("scale", [0.25, 3.0])
@pytest.mark.parametrize("observed", [False, True])
def test_scale_is_a_factor_of_all_scores(scale, observed):
    rng = np.random.default_rng(6)
    times = (4,) if observed else ()
    tables = [EXACT["eighths"](rng, shape) for shape in ((4, 3), (*times, 4, 3), (*times, 4, 4, 3))]
    _, native = make(3, *tables, observed=observed)
    _, scaled = make(3, *(table * scale for table in tables), observed=observed)
    for a, b in zip(native.forward_backward(scale), scaled.forward_backward(), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
