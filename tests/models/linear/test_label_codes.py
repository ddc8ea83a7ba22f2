"""Blocks of weights and combinations of labels: what the core says of them, and that it is the same everywhere."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from perceptag import _core
from toys import TEMPLATE_SETS, make_recipe, random_corpus, train

ORDERS = range(3)


def all_labels(order: int, labels: int) -> np.ndarray:
    """Every combination, the start of a sequence included: int32[order + 1, n]."""
    before = [range(labels + 1)] * order
    return np.array(list(product(*before, range(labels))), np.int32).T.copy()


def test_blocks():
    blocks = range(_core.BLOCKS)
    assert [_core.order_of(block) for block in blocks] == [0, 1, 2, 1, 2]
    assert [_core.is_plain(block) for block in blocks] == [False, False, False, True, True]
    assert all(_core.plain_block(_core.order_of(block)) == block for block in blocks if _core.is_plain(block))
    for wrong in (
        lambda: _core.order_of(_core.BLOCKS),
        lambda: _core.is_plain(-1),
        lambda: _core.plain_block(0),
        lambda: _core.combinations(3, 2),
    ):
        with pytest.raises(IndexError):
            wrong()


@pytest.mark.parametrize("labels", [1, 2, 5])
@pytest.mark.parametrize("order", ORDERS)
def test_combinations_are_numbered_one_after_the_other(order, labels):
    codes = _core.label_codes(all_labels(order, labels), labels)
    assert codes.tolist() == list(range(_core.combinations(order, labels)))


def test_labels_out_of_range_have_no_number():
    for ids in ([[2]], [[-1]], [[3], [0]], [[0], [2]]):
        with pytest.raises(ValueError, match="out of range"):
            _core.label_codes(np.array(ids, np.int32), 2)
    with pytest.raises(ValueError):
        _core.label_codes(np.zeros((4, 1), np.int32), 2)


@pytest.mark.parametrize(("order", "most"), [(0, 65_535), (1, 65_535), (2, 1624)])
def test_no_more_labels_than_can_be_numbered(order, most):
    assert _core.combinations(order, most) < 2**32
    for use in (
        lambda: _core.combinations(order, most + 1),
        lambda: _core.label_codes(np.zeros((order + 1, 1), np.int32), most + 1),
    ):
        with pytest.raises(_core.LimitExceeded, match=f"at most {most} labels"):
            use()
    # What no feature needs is not asked for.
    assert len(_core.label_codes(np.zeros((order + 1, 0), np.int32), most + 1)) == 0


@pytest.mark.parametrize("support", ["gold", "all"])
@pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
def test_owners_and_places_are_inverse(templates, support):
    weights = train(make_recipe(templates=templates, support=support, epochs=1), random_corpus(3, 10)).trainer.weights
    for block in range(_core.BLOCKS):
        places = np.arange(len(weights.get(block)[0]))
        rows, labels = weights.owners(block, places)
        assert labels.shape == (_core.order_of(block) + 1, len(places))
        codes = _core.label_codes(labels, weights.labels)
        assert weights.places(block, rows, codes).tolist() == places.tolist()
        weights.set(block, (places + 1).astype(np.float32), np.zeros(len(places)))
        found = [weights.value(block, row, code) for row, code in zip(rows.tolist(), codes.tolist(), strict=True)]
        assert found == (places + 1).tolist()
        for wrong in (len(places), -1):
            with pytest.raises(IndexError):
                weights.owners(block, np.array([wrong]))
    with pytest.raises(ValueError, match="no such weight"):
        weights.places(0, np.array([weights.rows(0)], np.int32), np.zeros(1, np.uint32))


@pytest.mark.parametrize("templates", TEMPLATE_SETS.values(), ids=TEMPLATE_SETS)
def test_what_fires_adds_up_to_the_score(templates):
    trainer = train(make_recipe(templates=templates, epochs=2), random_corpus(4, 10)).trainer
    for x in trainer.sequences:
        fired = [part for t in range(len(x)) for part in trainer.weights.fired(x, x.labels, t)]
        assert sum(weight for _, _, weight, _ in fired) == trainer.weights.score(x, x.labels)
        with pytest.raises(IndexError):
            trainer.weights.fired(x, x.labels, len(x))


def test_support_is_joined_row_by_row():
    trainer = train(make_recipe(templates=["form[0]"], epochs=1), random_corpus(5, 10)).trainer
    corpus, rows = trainer.data.corpus, trainer.encoder.index.rows(0)
    before = _core.count_support(corpus, 0, rows, 3)
    added = [(0, 2), (rows - 1, 0), (rows - 1, 1), (rows - 1, 2)]
    owners, codes = np.array(added).T
    joined = before.join(owners.astype(np.int32), codes.astype(np.uint32), 7)

    def pairs(support: _core.Support) -> dict[tuple[int, int], int]:
        owner = np.repeat(np.arange(rows), np.diff(support.begin)).tolist()
        return dict(zip(zip(owner, support.codes.tolist(), strict=True), support.counts.tolist(), strict=True))

    known = pairs(before)
    assert pairs(joined) == known | {pair: max(7, known.get(pair, 0)) for pair in added}
    assert list(pairs(joined)) == sorted(pairs(joined))
    with pytest.raises(ValueError):
        before.join(np.array([rows], np.int32), np.zeros(1, np.uint32), 1)
