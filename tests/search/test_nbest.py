"""n-best search: the native core equals A* and enumeration, on lattices and with weights."""

from __future__ import annotations

from itertools import pairwise
from math import inf

import numpy as np
import pytest

from perceptag import _core
from random_lattices import EXACT, Case, make, random_case, random_cases, real
from reference.lattice import score, tie_order
from reference.nbest import Scored, nbest, nbest_by_enumeration

ALL = 10_000


def native_list(native: _core.Lattice, n: int) -> list[Scored]:
    found = native.nbest(n)
    return [(tuple(labels), total) for labels, total in zip(found.labels.tolist(), found.scores.tolist(), strict=True)]


def check_lists(case: Case, everything: list[Scored]) -> None:
    """A list of any length is the beginning of the list of all labellings."""
    for n in {1, 2, 5, 20, max(1, len(everything)), len(everything) + 1}:
        assert native_list(case.native, n) == everything[:n]


@pytest.mark.parametrize("kind", EXACT)
def test_native_equals_enumeration_completely(kind: str) -> None:
    for case in random_cases(1, 45, EXACT[kind]):
        check_lists(case, nbest_by_enumeration(case.reference, ALL))


def test_real_scores() -> None:
    """Sums are computed in double and in the order of `score`, so they are exact here."""
    for case in random_cases(3, 30, real):
        check_lists(case, nbest_by_enumeration(case.reference, ALL))


@pytest.mark.parametrize("kind", EXACT)
def test_a_star_equals_enumeration(kind: str) -> None:
    for reference, _ in random_cases(4, 20, EXACT[kind]):
        everything = nbest_by_enumeration(reference, ALL)
        for n in (1, 5, ALL):
            assert nbest(reference, n) == everything[:n]


@pytest.mark.parametrize("order", [0, 1, 2])
def test_long_lattice_equals_a_star(order: int) -> None:
    rng = np.random.default_rng(6)
    for kind in ("ties", "eighths"):
        case = random_case(rng, 300, 9, order, order == 1, EXACT[kind], forbid=order > 0)
        found = native_list(case.native, 50)
        assert found == nbest(case.reference, 50)
        assert len({labels for labels, _ in found}) == 50
        assert all(score(case.reference, labels) == total for labels, total in found)


def test_the_tie_rule() -> None:
    """If scores are equal, the labelling that is smaller when read from the end comes first."""
    _, native = make(2, np.zeros((3, 2)))
    order = [labels for labels, _ in native_list(native, 8)]
    assert order == [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1), (1, 0, 1), (0, 1, 1), (1, 1, 1)]
    edge, trigram = np.zeros((3, 2)), np.zeros((3, 3, 2))
    assert [labels for labels, _ in native_list(make(2, np.zeros((3, 2)), edge).native, 8)] == order
    assert [labels for labels, _ in native_list(make(2, np.zeros((3, 2)), edge, trigram).native, 8)] == order
    assert order == sorted(order, key=tie_order)


def test_edges_of_the_domain() -> None:
    assert native_list(make(3, np.zeros((0, 3))).native, 5) == [((), 0.0)]
    assert native_list(make(1, np.ones((2, 1))).native, 5) == [((0, 0), 2.0)]
    assert native_list(make(2, np.full((1, 2), -inf)).native, 5) == []
    with pytest.raises(ValueError, match="n: expected a number from 1"):
        make(1, np.ones((2, 1))).native.nbest(0)


def test_the_list_as_python_sees_it() -> None:
    found = make(2, [[3, 0], [1, 0]]).native.nbest(3)
    assert len(found) == 3
    assert [labels.numpy().tolist() for labels in found] == [[0, 0], [0, 1], [1, 0]]
    assert [found.score(i) for i in range(3)] == found.scores.tolist() == [4, 3, 1]
    assert found.labels.shape == (3, 2) and not found.labels.flags.writeable
    with pytest.raises(IndexError):
        found[3]
    with pytest.raises(IndexError):
        found.score(3)
    labels = found.labels
    del found
    assert labels.tolist() == [[0, 0], [0, 1], [1, 0]]  # the array keeps the list alive


# Three words, one template for each order; sequences of 0 to 5 tokens.
WORDS, LABELS, SEQUENCES = 3, 3, 40


def make_corpus(
    orders: tuple[int, ...], closed: int = -1, sequences: int = SEQUENCES
) -> tuple[_core.FeatureIndex, _core.Corpus]:
    rng = np.random.default_rng(7)
    table = _core.TypeTable(1)
    for word in range(WORDS):
        table.add([word])
    index = _core.FeatureIndex([([(0, 0, 0)], order) for order in orders], 0, [[WORDS]])
    begin = np.concatenate([[0], np.cumsum(rng.integers(0, 6, sequences))]).astype(np.int32)
    words, labels = (rng.integers(0, 3, begin[-1]).astype(np.int32) for _ in range(2))
    entries = rng.integers(-1, closed + 1, begin[-1]).astype(np.int32)
    return index, _core.encode_new(index, [table], [words], begin, labels, entries)


def make_weights(index: _core.FeatureIndex, plain_edges: bool, plain_trigrams: bool) -> _core.Weights:
    rng = np.random.default_rng(8)
    weights = _core.Weights(LABELS, plain_edges, plain_trigrams)
    for order in range(3):
        weights.make_dense(order, index.rows(order))
    for block in range(5):
        size = weights.get(block)[0].size
        weights.set(block, rng.integers(-3, 4, size).astype(np.float32), np.zeros(size))
    return weights


@pytest.mark.parametrize("orders", [(0,), (0, 1), (0, 1, 2)])
@pytest.mark.parametrize(("plain_edges", "plain_trigrams"), [(False, False), (True, False), (True, True)])
def test_under_weights(orders: tuple[int, ...], plain_edges: bool, plain_trigrams: bool) -> None:
    index, corpus = make_corpus(orders)
    weights = make_weights(index, plain_edges, plain_trigrams)
    batch = _core.nbest_batch(weights, corpus, 10, threads=2)
    best = _core.decode(weights, corpus)
    assert len(batch) == len(corpus)
    assert np.concatenate([found.labels[0] for found in batch]).tolist() == best.tolist()
    for i, found in enumerate(batch):
        x = corpus[i]
        again = _core.nbest(weights, x, 10)
        assert list(again) == list(found) and again.scores.tolist() == found.scores.tolist()
        assert len(found) == min(10, LABELS ** len(x)) == len(set(found))
        assert found[0] == _core.viterbi(weights, x)
        assert [weights.score(x, labels) for labels in found] == found.scores.tolist()
        assert sorted(found.scores, reverse=True) == found.scores.tolist()


def test_constraints_leave_out_labellings() -> None:
    """Label 1 may neither follow 0 nor be first; label 2 may not be last."""
    index, corpus = make_corpus((0,))
    weights = make_weights(index, False, False)
    allowed = np.array([[1, 0, 1], [1, 1, 1], [1, 1, 1], [1, 0, 1]], np.uint8)
    weights.constrain(allowed.ravel(), np.array([1, 1, 0], np.uint8))
    for x in (corpus[i] for i in range(len(corpus))):
        found = _core.nbest(weights, x, ALL)
        for labels in found.labels.tolist():
            assert labels[:1] != [1] and labels[-1:] != [2]
            assert (0, 1) not in pairwise(labels)
        assert all(weights.score(x, labels) == found.score(i) for i, labels in enumerate(found))
    ends_in_2 = _core.Labels(np.full(len(x), 2, np.int32))
    assert len(x) > 0 and weights.score(x, ends_in_2) == -inf


def test_dictionary() -> None:
    index, corpus = make_corpus((0,), closed=0)
    weights = make_weights(index, True, False)
    only_2 = _core.TagDictionary([[2]], LABELS)
    sizes = [len(found) for found in _core.nbest_batch(weights, corpus, ALL, only_2)]
    assert sizes != [len(found) for found in _core.nbest_batch(weights, corpus, ALL)]
    for i, size in enumerate(sizes):
        assert LABELS ** len(corpus[i]) % size == 0
        assert _core.nbest(weights, corpus[i], 1, only_2)[0] == _core.viterbi(weights, corpus[i], only_2)
    # A dictionary that allows no labelling is ignored.
    nothing = _core.TagDictionary([[]], LABELS)
    for i in range(len(corpus)):
        found = _core.nbest(weights, corpus[i], 3, nothing)
        assert found[0] == _core.viterbi(weights, corpus[i], nothing)


@pytest.mark.parametrize("search", ["viterbi", "nbest", "decode", "nbest_batch"])
def test_what_belongs_to_another_model_is_refused(search: str) -> None:
    index, corpus = make_corpus((0,), closed=1)
    weights = make_weights(index, True, False)
    x = corpus if search in ("decode", "nbest_batch") else corpus[0]
    n = {"n": 2} if "nbest" in search else {}
    with pytest.raises(ValueError, match="another tag dictionary"):
        getattr(_core, search)(weights, x, dictionary=_core.TagDictionary([[0]], LABELS), **n)
    with pytest.raises(ValueError, match="expected as many labels as the model has"):
        getattr(_core, search)(weights, x, dictionary=_core.TagDictionary([[0], [1]], 2), **n)
    with pytest.raises(ValueError, match="encoded for another model"):
        getattr(_core, search)(_core.Weights(LABELS, True, False), x, **n)


def test_weights_of_an_order_that_the_sequence_lacks() -> None:
    """They add nothing: none of their rows fires in the sequence."""
    index, corpus = make_corpus((0,))
    weights = make_weights(index, False, False)
    before = [list(found) for found in _core.nbest_batch(weights, corpus, 5)]
    weights.make_dense(1, 4)
    weights.make_dense(2, 4)
    for block in (1, 2):
        size = weights.get(block)[0].size
        weights.set(block, np.full(size, 7, np.float32), np.zeros(size))
    assert [list(found) for found in _core.nbest_batch(weights, corpus, 5)] == before
