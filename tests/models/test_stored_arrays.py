"""Arrays of a file, with numpy and without."""

from __future__ import annotations

import numpy as np
import pytest
import safetensors
import safetensors.numpy
from hypothesis import given
from hypothesis import strategies as st

from perceptag import _core
from perceptag.errors import ModelError
from perceptag.models.model import StoredArrays, array_of, view_of

ARRAYS = {
    "weights": np.array([1.5, -2.0], np.float32),
    "empty": np.zeros(0, np.int32),
    "matrix": np.ones((2, 3), np.float64),
    "flags": np.array([True, False]),
    "keys": np.array([1, 2**63], np.uint64),
}


@pytest.fixture
def stored() -> StoredArrays:
    return StoredArrays(safetensors.deserialize(safetensors.numpy.save(ARRAYS)))  # type: ignore[no-untyped-call]


def test_they_are_the_arrays_that_were_saved(stored: StoredArrays) -> None:
    assert set(stored) == set(ARRAYS)
    assert len(stored) == len(ARRAYS)
    for name, array in ARRAYS.items():
        assert stored[name].dtype == array.dtype
        assert np.array_equal(stored[name], array)


def test_a_view_has_the_same_numbers(stored: StoredArrays) -> None:
    assert view_of(stored, "weights", "float32").tolist() == [1.5, -2.0]
    assert view_of(stored, "empty", "int32").tolist() == []
    assert view_of(dict(stored), "weights", "float32").tolist() == [1.5, -2.0]


def test_what_is_replaced_or_removed_is_so_for_views(stored: StoredArrays) -> None:
    stored["weights"] = np.array([3.0], np.float32)
    assert view_of(stored, "weights", "float32").tolist() == [3.0]
    stored["new"] = np.array([7], np.int32)
    assert view_of(stored, "new", "int32").tolist() == [7]
    del stored["weights"]
    assert "weights" not in stored
    with pytest.raises(ModelError, match="expected an array 'weights', found none"):
        view_of(stored, "weights", "float32")


@pytest.mark.parametrize(("name", "dtype"), [("weights", "int32"), ("matrix", "float64"), ("nothing", "uint8")])
def test_a_view_is_refused_as_an_array_is(stored: StoredArrays, name: str, dtype: str) -> None:
    with pytest.raises(ModelError) as expected:
        array_of(stored, name, dtype)
    with pytest.raises(ModelError) as found:
        view_of(stored, name, dtype)
    assert str(found.value) == str(expected.value)


def test_an_unknown_type_is_refused() -> None:
    with pytest.raises(KeyError, match="BF16"):
        StoredArrays([("a", {"dtype": "BF16", "shape": [1], "data": b"xx"})])


def test_numbers_are_checked_natively() -> None:
    assert _core.are_within(np.array([1e20, -1e20], np.float32), 1e20)
    for wrong in (np.nan, np.inf, 1.1e20):
        assert not _core.are_within(np.array([0.0, wrong], np.float32), 1e20)
    assert _core.are_rising(np.array([0, 1, 5], np.uint32))
    assert not _core.are_rising(np.array([0, 1, 1], np.uint32))


def test_rows_of_features_are_checked_natively() -> None:
    for rows, is_every in (([2, 0], True), ([0, 3], False), ([1, 0], False)):
        index = _core.FeatureIndex([([(0, 0, 0)], 0), ([(0, 0, 0)], 0)], 0, [[2]])
        index.load(0, np.array([0, 1], np.int32), np.array(rows, np.int32))
        index.load(1, np.array([0], np.int32), np.array([1], np.int32))
        assert index.has_every_row(0) == is_every and index.has_every_row(1)


def test_values_are_numbered_in_their_order() -> None:
    values = _core.ValueTable("a\0ü\0\0".encode(), 4)
    assert list(values) == ["a", "ü", ""] and len(values) == 3 and values.size == 7
    assert [values.get(value) for value in ("a", "ü", "", "b", "\ud800")] == [4, 5, 6, None, None]
    assert "ü" in values and "b" not in values and 3 not in values
    for wrong in (b"a\0b", b"a\0a\0", b"\0\0"):
        with pytest.raises(ValueError, match="expected different values, found one twice or an incomplete one"):
            _core.ValueTable(wrong, 0)


@given(st.data(), st.sampled_from([[], [4], [3, 4], [3, 1 << 30], [1 << 30, 5, 1 << 30, 7, 1 << 30]]), st.booleans())
def test_an_index_lists_what_it_has_loaded_and_learns_more(data: st.DataObject, sizes: list[int], rise: bool) -> None:
    one = st.tuples(*(st.integers(0, size - 1) for size in sizes))
    features = data.draw(st.lists(one, unique=True, max_size=30))
    rows = list(range(len(features))) if rise else data.draw(st.permutations(range(len(features))))
    vocabularies = [[*sizes]] if sizes else [[1]]
    index = _core.FeatureIndex([([(0, a, 0) for a in range(len(sizes))], 0)], 0, vocabularies)
    values = np.array(features, np.int32).ravel()
    index.load(0, values, np.array(rows, np.int32))
    assert index.has_every_row(0) and index.rows(0) == len(features)
    for _ in range(2):
        found_values, found_rows = index.list(0)
        assert found_values.tolist() == values.tolist() and found_rows.tolist() == rows
        more = np.array(features[::2], np.int32).ravel()
        index.merge([(more, np.arange(len(features[::2]), dtype=np.int32))])  # features that are there stay as they are
    again = _core.FeatureIndex([([(0, a, 0) for a in range(len(sizes))], 0)], 0, vocabularies)
    with pytest.raises(ValueError, match="listed twice"):
        again.load(0, np.zeros(2 * len(sizes), np.int32), np.arange(2, dtype=np.int32))
