"""What shards and the driver send each other: arrays that another process, or a file, may hold."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

from perceptag import _core
from perceptag.learn.shards import UNIT
from toys import TEMPLATE_SETS, make_recipe, random_corpus, train

BLOCKS = range(_core.BLOCKS)


class Shards:
    """Weights, and what four shards did to them."""

    def __init__(self) -> None:
        recipe = make_recipe(templates=TEMPLATE_SETS["all at once"], epochs=1)
        self.trainer = train(recipe, random_corpus(1, 40)).trainer
        self.weights = self.trainer.weights
        own = _core.worker_weights(self.weights)
        self.changes = []
        for shard in range(4):
            _core.start_part(own)
            _core.perceptron_pass(own, self.trainer.sequences[shard * 10 : shard * 10 + 10])
            self.changes.append(_core.take_changes(own, self.weights.frozen()))
        self.shard_of = np.repeat(np.arange(4, dtype=np.int32), 10)
        self.presence = _core.Presence(self.weights, self.trainer.data.corpus, self.shard_of, 4)

    def mixed(self, changes: list[_core.ShardChanges], rule: str = "touched", **more: Any) -> list[bytes]:
        """All that a mixing makes of a copy of the weights."""
        weights = _core.worker_weights(self.weights)
        for block in BLOCKS:
            weights.set(block, *self.weights.get(block))
        _core.mix(weights, changes, 4, UNIT, self.presence if rule == "present" else None, **more)
        return [array.tobytes() for block in BLOCKS for array in weights.get(block)] + [str(weights.ticks).encode()]


@pytest.fixture(scope="module")
def shards() -> Shards:
    return Shards()


def test_changes_are_what_their_arrays_say(shards: Shards) -> None:
    own, start = _core.worker_weights(shards.weights), shards.weights.frozen()
    _core.start_part(own)
    _core.perceptron_pass(own, shards.trainer.sequences[:10])
    w = [own.get(block) for block in BLOCKS]
    changes = _core.take_changes(own, start)
    assert changes.ticks == 10
    assert len(changes) == sum(len(places) for places, _, _ in changes.arrays()) > 0
    for block, (places, change, visited) in enumerate(changes.arrays()):
        assert (places.dtype, change.dtype, visited.dtype) == (np.uint32, np.float64, np.float64)
        before, after, sums = start.get(block)[0], *w[block]
        delta = np.where(np.isfinite(before), after.astype(np.float64) - before, 0.0)
        total = 10 * delta - sums
        assert places.tolist() == np.flatnonzero((delta != 0) | (total != 0)).tolist()
        assert change.tolist() == delta[places].tolist()
        assert visited.tolist() == total[places].tolist()


def test_changes_travel_in_arrays_and_pickles(shards: Shards) -> None:
    expected = shards.mixed(shards.changes)
    again = [_core.ShardChanges(change.arrays(), change.ticks) for change in shards.changes]
    assert shards.mixed(again) == expected
    wide = [[(places.astype(np.uint64), *more) for places, *more in change.arrays()] for change in shards.changes]
    assert shards.mixed([_core.ShardChanges(arrays, 10) for arrays in wide]) == expected
    for protocol in (2, 5):
        assert shards.mixed(pickle.loads(pickle.dumps(shards.changes, protocol))) == expected
    size = sum(array.nbytes for change in shards.changes for arrays in change.arrays() for array in arrays)
    assert len(pickle.dumps(shards.changes, 5)) < size + 20_000


@pytest.mark.parametrize("rule", ["touched", "present"])
@pytest.mark.parametrize("threads", [1, 3])
def test_mixing_is_what_the_formula_says(rule: str, threads: int) -> None:
    """With so many places that they are mixed in several pieces."""
    rng, rows, labels, shards = np.random.default_rng(1), 20_000, 3, 5
    size = rows * labels
    change, visited = np.where(rng.random((shards, size)) < 0.2, rng.integers(-99, 100, (2, shards, size)) * UNIT, 0)
    none: Any = (np.zeros(0, np.uint32), np.zeros(0), np.zeros(0))
    changes = []
    for k in range(shards):
        places = np.flatnonzero((change[k] != 0) | (visited[k] != 0))
        arrays = (places.astype(np.uint32), change[k, places], visited[k, places])
        changes.append(_core.ShardChanges([arrays, none, none, none, none], ticks=k))
    weights = _core.Weights(labels, False, False)
    weights.make_dense(0, rows)
    before = (rng.integers(-99, 100, size) * UNIT).astype(np.float32)
    weights.set(0, before, np.zeros(size))
    weights.ticks = 7
    presence = rng.integers(1, shards + 1, rows).astype(np.uint32)
    counts = _core.Presence([presence, none[0], none[0]])
    _core.mix(weights, changes, shards, UNIT, counts if rule == "present" else None, threads=threads)
    by = {"touched": np.maximum(1, (change != 0).sum(0)), "present": np.repeat(presence, labels)}
    mixed = np.rint(change.sum(0) / by[rule] / UNIT) * UNIT
    ticks = 7 + sum(range(shards))
    w, sums = weights.get(0)
    assert weights.ticks == ticks
    assert w.tobytes() == (before + mixed).astype(np.float32).tobytes()
    np.testing.assert_array_equal(sums, ticks * mixed - visited.sum(0))


def test_a_forbidden_weight_stays_forbidden() -> None:
    weights = _core.Weights(2, True, False)
    weights.constrain(np.array([1, 0, 1, 1, 1, 1], np.uint8), np.ones(2, np.uint8))
    own, x = _core.worker_weights(weights), forbidden_sequence()
    _core.start_part(own)
    own.move(x, toward=_core.Labels(np.array([0, 1], np.int32)), away=_core.Labels(np.array([1, 1], np.int32)))
    own.tick()
    changes = _core.take_changes(own, weights)
    _core.mix(weights, [changes, _core.ShardChanges(changes.arrays(), changes.ticks)], 2, UNIT)
    w = weights.get(3)[0].tolist()
    assert w == [0, float("-inf"), 0, -1, 1, -1]


def forbidden_sequence() -> _core.Sequence:
    """Two tokens without features."""
    index, table, none = _core.FeatureIndex([], 0, [[]]), _core.TypeTable(0), np.zeros(0, np.int32)
    table.add([])
    corpus = _core.encode(index, [table], [np.zeros(2, np.int32)], np.array([0, 2], np.int32), none, none)
    return corpus[0]


def test_workers_here_and_elsewhere_follow(shards: Shards) -> None:
    near, far, weights = (_core.worker_weights(shards.weights) for _ in range(3))
    start = shards.weights.frozen()
    _core.mix(weights, shards.changes, 4, UNIT, own=[near], threads=2)
    values = _core.mixed_values(weights, shards.changes)
    _core.put_values(far, values)
    _core.put_values(start, pickle.loads(pickle.dumps(values)))
    for block, (places, w) in enumerate(values):
        expected = weights.get(block)[0]
        touched = {place for change in shards.changes for place in change.arrays()[block][0].tolist()}
        assert places.tolist() == sorted(touched)
        assert w.tobytes() == expected[places].tobytes()
        for follower in (near, far, start):
            assert follower.get(block)[0].tobytes() == expected.tobytes()
        assert not near.get(block)[1].any()  # sums are those of the worker's own part


def place(*places: int, kind: Any = np.uint32) -> list[Any]:
    """Arrays of changes at some places of the first block."""
    full = (np.array(places, kind), np.zeros(len(places)), np.zeros(len(places)))
    return [full, *[tuple(array[:0] for array in full)] * 4]


@pytest.mark.parametrize(
    ("arrays", "ticks", "message"),
    [
        (place(1)[:4], 1, "three arrays for each of the five blocks"),
        ([(place(1)[0][0], np.zeros(2), np.zeros(1)), *place()[1:]], 1, "a change and a sum for each place"),
        (place(2, 1), 1, "places: expected ascending numbers"),
        (place(1, 1), 1, "places: expected ascending numbers"),
        (place(1, kind=np.int64), 1, "places: expected an array of uint32 or uint64"),
        (place(1), float("nan"), "ticks: expected a number from 0"),
        (place(1), -1, "ticks: expected a number from 0"),
    ],
)
def test_arrays_that_are_not_changes_are_refused(arrays: Any, ticks: float, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        _core.ShardChanges(arrays, ticks)


def test_changes_of_other_weights_are_refused(shards: Shards) -> None:
    for beyond in (place(10**6), place(2**40, kind=np.uint64)):
        changes = _core.ShardChanges(beyond, 1)
        with pytest.raises(ValueError, match="the changes belong to other weights"):
            shards.mixed([changes])
        with pytest.raises(ValueError, match="the changes belong to other weights"):
            _core.mixed_values(shards.weights, [changes])
        values = [(places, change.astype(np.float32)) for places, change, _ in beyond]
        with pytest.raises(ValueError, match="the changes belong to other weights"):
            _core.put_values(_core.worker_weights(shards.weights), values)
    own = _core.worker_weights(shards.weights)
    with pytest.raises(ValueError, match="a weight for each place"):
        _core.put_values(own, [(places, np.zeros(3, np.float32)) for places, _, _ in place(1)])
    with pytest.raises(ValueError, match="two arrays for each of the five blocks"):
        _core.put_values(own, [])
    with pytest.raises(ValueError, match="own: expected weights of workers"):
        _core.mix(own, [], 4, UNIT, own=[own])
    with pytest.raises(ValueError, match="averaged weights cannot be trained"):
        _core.mix(own.frozen(), [], 4, UNIT)


def test_counts_of_other_weights_are_refused(shards: Shards) -> None:
    with pytest.raises(ValueError, match="one array for each of the three orders"):
        _core.Presence([np.zeros(3, np.uint32)])
    small = _core.Presence([np.zeros(3, np.uint32)] * 3)
    with pytest.raises(ValueError, match="the shards belong to other weights"):
        _core.mix(_core.worker_weights(shards.weights), [], 4, UNIT, small)
