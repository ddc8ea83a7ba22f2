"""The bindings check what Python passes to the core: a wrong number is an exception, never a crash."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from perceptag import _core
from perceptag.arrays import offsets
from toys import make_recipe, random_corpus, train

TEMPLATES = ("form[0]", "pos[-1]", "pos[0] * y-1 y0", "bias * y-1 y0")


def ints(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


@pytest.fixture
def trainer():
    return train(make_recipe(templates=TEMPLATES, epochs=1), random_corpus(0)).trainer


@pytest.fixture
def other():
    """Parts of a larger model: their numbers are out of range for the first one."""
    corpus = random_corpus(1, 60, words=[f"w{i}" for i in range(50)], labels="ABCDE")
    return train(make_recipe(templates=TEMPLATES, epochs=1, tag_dictionary=1), corpus).trainer


def batch(trainer, words=("dog",)):
    columns = {"form": [list(words)], "pos": [["N"] * len(words)]}
    encoder = trainer.encoder
    return encoder.index, encoder.tables(), encoder.type_ids(columns), offsets([len(words)])


def test_type_tables_refuse_rows_and_bags_that_do_not_exist():
    table = _core.TypeTable(2)
    assert table.add([-1, 7]) == 0
    bag = table.add_bag([3, 4])
    assert table.add([bag, 0]) == 1
    for row in ([bag - 1, 0], [-(2**31), 0], [1], [1, 2, 3]):
        with pytest.raises(ValueError):
            table.add(row)
    with pytest.raises(ValueError):
        table.add_bag([-1])
    with pytest.raises(ValueError):
        _core.TypeTable(-1)
    assert len(table) == 2


@pytest.mark.parametrize("order", [-1, 3, 99])
def test_orders_and_blocks_that_do_not_exist(trainer, order):
    corpus = trainer.encoder.encode({"form": [["dog"]], "pos": [["N"]]}, offsets([1]), ints(0))
    with pytest.raises(IndexError):
        trainer.encoder.index.rows(order)
    with pytest.raises(ValueError):
        _core.count_support(corpus, order, 1, 3)
    with pytest.raises(ValueError):
        _core.unseen_transitions(corpus, order, 3, 0)
    with pytest.raises(ValueError):
        trainer.weights.make_dense(order, 1)
    with pytest.raises(ValueError):
        trainer.weights.fix_plain(order, np.zeros(12, np.uint8))
    for read in (trainer.weights.get, trainer.weights.rows, lambda b: trainer.weights.owners(b, np.arange(0))):
        with pytest.raises((IndexError, ValueError)):
            read(order if order != 3 else _core.SPAN_BLOCK + 1)
    with pytest.raises(IndexError):
        trainer.weights.owners(_core.SPAN_BLOCK, np.arange(0))
    with pytest.raises(IndexError):
        corpus[0].rows(order, 0)


def test_batches_that_do_not_fit(trainer, other):
    index, tables, ids, begin = batch(trainer)
    none = ints()
    assert len(_core.encode(index, tables, ids, begin, none, none)) == 1
    for wrong in (
        (index, tables[:1], ids[:1], begin, none, none),  # a column is missing
        (index, tables, [ids[0], ints(0, 0)], begin, none, none),  # a column is longer
        (index, tables, [ints(10**6), ids[1]], begin, none, none),  # a type that does not exist
        (index, tables, [ints(-1), ids[1]], begin, none, none),
        (index, [_core.TypeTable(5), tables[1]], ids, begin, none, none),  # another number of attributes
        (index, tables, ids, ints(1, 1), none, none),  # does not start at 0
        (index, tables, ids, ints(0, 2, 1), none, none),  # goes back
        (index, tables, ids, ints(), none, none),
        (index, tables, ids, begin, ints(0, 0), none),  # more labels than tokens
        (index, tables, ids, begin, none, ints(0, 0)),
    ):
        for encode in (_core.encode, _core.encode_new):
            with pytest.raises(ValueError):
                encode(*wrong)
    with pytest.raises(ValueError):
        _core.tag(other.encoder.index, trainer.weights, None, *batch(other)[1:], none)


def test_sequences_of_another_model(trainer, other):
    x = other.sequences[-1]
    labels = _core.Labels(np.zeros(len(x), np.int32))
    for use in (
        lambda: _core.viterbi(trainer.weights, x),
        lambda: trainer.weights.score(x, labels),
        lambda: trainer.weights.add(x, labels),
        lambda: trainer.weights.move(x, labels, labels),
    ):
        with pytest.raises(ValueError, match="another model"):
            use()


def test_labels_that_do_not_fit(trainer):
    x = trainer.sequences[0]
    n = len(x)
    for labels in (np.zeros(n + 1, np.int32), np.full(n, 3, np.int32), np.full(n, -1, np.int32)):
        with pytest.raises(ValueError):
            trainer.weights.add(x, _core.Labels(labels))


def test_dictionaries_that_do_not_fit(trainer, other):
    index, tables, ids, begin = batch(trainer)
    small = _core.TagDictionary([[0, 1]], 3)
    assert _core.tag(index, trainer.weights, small, tables, ids, begin, ints(0)).tolist()[0] in (0, 1)
    for dictionary, closed in ((small, ints(1)), (_core.TagDictionary([[0]], 2), ints(0))):
        with pytest.raises(ValueError):
            _core.tag(index, trainer.weights, dictionary, tables, ids, begin, closed)
    with pytest.raises(ValueError):
        _core.viterbi(other.weights, other.sequences[0], _core.TagDictionary([], 5))
    with pytest.raises(IndexError):
        _core.TagDictionary([[3]], 3)
    for labels in (0, -1, 2**31 - 1):
        with pytest.raises(ValueError):
            _core.TagDictionary([], labels)


def test_support_of_another_corpus(trainer, other):
    corpus = other.encoder.encode({"form": [["w1", "w2"]], "pos": [["W", "W"]]}, offsets([2]), ints(0, 1))
    with pytest.raises(ValueError):
        _core.count_support(corpus, 0, 1, 5)
    with pytest.raises(ValueError):
        _core.count_support(corpus, 0, other.encoder.index.rows(0), 1)  # label 1 is out of range
    support = _core.count_support(corpus, 0, other.encoder.index.rows(0), 5)
    with pytest.raises(ValueError):
        _core.apply_cutoff(support, 2, False, 0, trainer.encoder.index, corpus)


def test_averaged_weights_cannot_be_averaged_or_trained_again(trainer):
    averaged = trainer.weights.averaged(trainer.active)
    x = trainer.sequences[0]
    for use in (
        lambda: averaged.averaged(1),
        lambda: averaged.add(x, x.labels),
        lambda: averaged.move(x, x.labels, x.labels),
    ):
        with pytest.raises(RuntimeError, match="cannot be trained or averaged"):
            use()


@pytest.mark.parametrize(
    ("labels", "edges", "trigrams"), [(0, False, False), (-1, True, True), (65_536, False, False), (1625, False, True)]
)
def test_numbers_of_labels(labels, edges, trigrams):
    with pytest.raises(ValueError):
        _core.Weights(labels, edges, trigrams)


def test_features_listed_wrongly(trainer):
    fresh = trainer.encoder.freeze()
    for values, rows in (
        ((10**6,), (0,)),
        ((-1,), (0,)),
        ((0,), (-1,)),
        ((0,), (2**31 - 1,)),
        ((0, 1), (0,)),
        ((0, 0), (0, 1)),
    ):
        with pytest.raises(ValueError):
            fresh.load(0, ints(*values), ints(*rows))
    with pytest.raises(IndexError):
        fresh.load(9, ints(0), ints(0))


def test_lists_come_in_through_a_caster_that_may_run_out_of_memory():
    """The one of nanobind ends the process then, so cpp/bind/core/vectors.hpp replaces it everywhere."""
    sources = sorted((Path(__file__).parents[2] / "cpp" / "bind").rglob("*.?pp"))
    assert any('#include "core/vectors.hpp"' in path.read_text("utf-8") for path in sources)
    assert [path.name for path in sources if "<nanobind/stl/vector.h>" in path.read_text("utf-8")] == []
