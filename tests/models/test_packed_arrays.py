"""Arrays as planes of bytes: what is read is what was packed, bit for bit."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from perceptag import _core
from perceptag.errors import ModelError
from perceptag.models.packed_arrays import PackedArrays, Planes, StoredPlanes, grid_of, total_size

WHOLE = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")


def packed(arrays: dict[str, np.ndarray]) -> PackedArrays:
    planes = Planes()
    listed = planes.pack(arrays)
    return PackedArrays(listed, StoredPlanes(memoryview(bytes(planes.data)), planes.sizes))


@given(st.data(), st.sampled_from(WHOLE))
def test_whole_numbers(data: st.DataObject, dtype: str) -> None:
    limits = np.iinfo(dtype)
    some = st.integers(int(limits.min), int(limits.max)) | st.integers(0, 3)
    numbers = np.array(data.draw(st.lists(some, max_size=40)), dtype)
    for array in (numbers, np.sort(numbers), np.repeat(numbers, 20), np.tile(numbers, 60)):
        found = packed({"a": array, "b": array})
        assert found["a"].dtype == array.dtype and found["a"].tobytes() == found["b"].tobytes() == array.tobytes()


@given(st.lists(st.floats(width=32) | st.integers(-40000, 40000).map(lambda n: n / 256), max_size=40))
def test_real_numbers(numbers: list[float]) -> None:
    for array in (np.array(numbers, np.float32), np.array(numbers, np.float64).reshape(-1, 1)):
        assert packed({"a": array})["a"].tobytes() == array.tobytes()
        assert packed({"a": array})["a"].shape == array.shape


def test_numbers_on_a_grid_take_two_bytes() -> None:
    assert grid_of(np.array([0.5, -127.99609375], np.float32)) == 8
    assert [grid_of(np.array([x], np.float32)) for x in (3.0, 0.1, 40000.0, -0.0, np.nan, np.inf)] == [0, *[None] * 5]


def test_equal_planes_are_stored_once_and_read_again_after_release() -> None:
    array = np.arange(5000, dtype=np.int32)
    planes = Planes()
    planes.pack({"a": array})
    before = len(planes.data)
    planes.pack({"b": array})
    assert len(planes.data) == before < 100
    arrays = packed({"a": array})
    first = arrays["a"]
    arrays.release()
    assert arrays["a"] is not first and np.array_equal(arrays["a"], first)
    arrays["a"] = array[:2]
    arrays.release()
    assert arrays["a"].tolist() == [0, 1] and arrays.view("a", "int32") is None


def test_planes_must_fit_together() -> None:
    for planes in ([], [b"ab"] * 3, [b"ab", b"abc"], [b"ab", b""]):
        with pytest.raises(ValueError, match="planes"):
            _core.join_planes(planes, 2, False)
        with pytest.raises(ValueError, match="planes"):
            _core.join_grid(planes, 2, 1)
    assert _core.join_planes([b"ab", b"c"], 2, False) == b"acbc"
    with pytest.raises(ModelError, match="expected the sizes of 1 bytes"):
        StoredPlanes(memoryview(b"a"), [[2, 2]])


@pytest.mark.parametrize("sizes", [{}, "11", [1, 1], [[1]], [[1, 1, 1]], ["11"], [[2, 2], [-1, 1]], [[True, 1]]])
def test_sizes_of_planes_are_pairs_of_numbers(sizes: object) -> None:
    assert StoredPlanes(memoryview(b"a"), [[1, 1], [0, 0]]).sizes == [(1, 1), (0, 0)]
    with pytest.raises(ModelError, match="planes: expected the sizes of 1 bytes"):
        StoredPlanes(memoryview(b"a"), sizes)


@pytest.mark.parametrize(
    ("dtype", "shape"), [(["uint8"], [2]), ("uint8", [10**4000] * 2), ("uint8", [0, 1 << 62]), ("uint8", [0] * 100)]
)
def test_impossible_types_and_shapes_are_refused(dtype: object, shape: list[int]) -> None:
    listed = [["a", dtype, shape, "plain", [0]]]
    assert total_size(listed) <= 2
    for data in (b"", b"ab"):
        with pytest.raises(ModelError, match=r"^planes: expected name, type, shape"):
            PackedArrays(listed, StoredPlanes(memoryview(data), [[len(data), len(data)]]))


def test_threads_that_read_and_release_find_every_array() -> None:
    arrays = packed({str(i): np.full(40, i, np.uint8) for i in range(8)})

    def read(_: int) -> bool:
        same = all(arrays[str(i)].tolist() == [i] * 40 and len(arrays.data_of(str(i))) == 40 for i in range(8))
        arrays.release()
        return same

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as threads:
            assert all(threads.map(read, range(400)))
    finally:
        sys.setswitchinterval(interval)


def test_two_arrays_are_read_together_if_they_are_stored_alike() -> None:
    codes, weights = np.arange(300, dtype=np.uint32) % 7, (np.arange(300, dtype=np.float32) - 150) / 4
    arrays = packed({"codes": codes, "w": weights, "short": weights[:9], "other": weights / 3})
    pair = arrays.packed_pair("codes", "w")
    assert pair is not None
    wholes, reals, n, bits = pair
    assert _core.join_planes(wholes, n, False) == codes.tobytes()
    assert _core.join_grid(reals, n, bits) == weights.tobytes()
    for names in (("codes", "short"), ("codes", "other"), ("w", "codes"), ("codes", "none")):
        assert arrays.packed_pair(*names) is None
    arrays["w"] = weights + 1  # what is stored does not count any more
    assert arrays.packed_pair("codes", "w") is None


@pytest.mark.parametrize(
    ("codes", "begin", "message"),
    [
        ([0, 2, 1], [0, 2, 3], None),
        ([0, 2, 1], [0, 3], "not sorted"),
        ([0, 2, 9], [0, 2, 3], "out of range"),
        ([0, 2, 1], [0, 2], "do not cover"),
        ([0, 2, 1], [0, 4, 3], "overlap"),
    ],
)
def test_weights_in_planes_are_those_of_arrays(codes: list[int], begin: list[int], message: str | None) -> None:
    arrays = {"codes": np.array(codes, np.uint32), "w": np.array([1.5, -2.0, 0.25], np.float32)}
    rows = np.array(begin, np.uint32)
    pair = packed(arrays).packed_pair("codes", "w")
    assert pair is not None
    plain, other = _core.Weights(3, False, False), _core.Weights(3, False, False)
    if message is None:
        plain.load_compact(0, rows, arrays["codes"], arrays["w"])
        other.load_packed(0, rows, *pair)
        assert other.get(0)[0].tolist() == plain.get(0)[0].tolist() == arrays["w"].tolist()
        return
    with pytest.raises(ValueError, match=message):
        plain.load_compact(0, rows, arrays["codes"], arrays["w"])
    with pytest.raises(ValueError, match=message):
        other.load_packed(0, rows, *pair)
