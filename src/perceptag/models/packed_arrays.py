"""Arrays in little room that are quick to read: as planes of bytes, most of which need no decompression.

First comes the lowest byte of each number, then the next byte of each, and so on. Whole numbers that rise slowly are
stored as the steps between them, real numbers on a grid as whole ones of 16 bits. A plane is compressed where that
saves three fifths; of one whose bytes are all the same, one byte is stored. Equal planes, such as those of word classes
that several models have, are stored once. What is read is exactly what was packed.
"""

from __future__ import annotations

import math
import threading
import zlib
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from perceptag import _core
from perceptag.arrays import np
from perceptag.errors import ModelError, brief
from perceptag.models.model import AnyArrays, StoredArrays

if TYPE_CHECKING:
    import numpy.typing as npt

PLAIN, STEPS = "plain", "steps"  # how numbers are stored; a whole number: real ones times 2 to that power
MOST_BITS = 30
MOST_AXES, MOST_NUMBERS = 8, 1 << 56  # of an array; those of models have one or two axes
_SAVES = 0.4  # a compressed plane has at most this share of its bytes
_WIDTHS = {"bool": 1, "float16": 2, "float32": 4, "float64": 8} | {
    f"{sign}int{bits}": bits // 8 for sign in ("", "u") for bits in (8, 16, 32, 64)
}


class Planes:
    """Collects planes of bytes, equal ones once."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.sizes: list[list[int]] = []  # of each plane: stored bytes, and bytes when it is read
        self._known: dict[bytes, int] = {}

    def pack(self, arrays: AnyArrays) -> list[list[Any]]:
        """Add arrays; return the name, type, shape, form and planes of each."""
        return [[name, str(array.dtype), list(array.shape), *self._pack(array)] for name, array in arrays.items()]

    def _pack(self, array: npt.NDArray[Any]) -> tuple[str | int, list[int]]:
        flat = np.ascontiguousarray(array).ravel()
        if flat.dtype == np.float32 and (bits := grid_of(flat)) is not None:
            return bits, self._add(np.round(flat * 2.0**bits).astype(np.int16))
        if flat.dtype.kind in "iu" and flat.dtype.itemsize > 1:
            steps = np.diff(flat, prepend=flat.dtype.type(0))
            if _compressed_size(steps) < _compressed_size(flat):
                return STEPS, self._add(steps)
        return PLAIN, self._add(flat)

    def _add(self, flat: npt.NDArray[Any]) -> list[int]:
        rows = flat.view(np.uint8).reshape(len(flat), flat.dtype.itemsize).T
        return [self._number(np.ascontiguousarray(row).tobytes()) for row in rows]

    def _number(self, plane: bytes) -> int:
        if plane not in self._known:
            self._known[plane] = len(self.sizes)
            small = plane[:1] if plane == plane[:1] * len(plane) else zlib.compress(plane, 9)
            stored = small if len(small) < _SAVES * len(plane) else plane
            self.sizes.append([len(stored), len(plane)])
            self.data += stored
        return self._known[plane]


def grid_of(flat: npt.NDArray[np.float32]) -> int | None:
    """Return the least power of two that makes all numbers whole ones of 16 bits, exactly; None if there is none."""
    if not np.isfinite(flat).all() or (np.signbit(flat) & (flat == 0)).any():
        return None
    for bits in range(MOST_BITS + 1):
        whole = flat.astype(np.float64) * 2.0**bits
        if (np.abs(whole) >= 1 << 15).any():
            return None
        if (whole == np.round(whole)).all():
            return bits
    return None


def _compressed_size(flat: npt.NDArray[Any]) -> int:
    rows = flat.view(np.uint8).reshape(len(flat), flat.dtype.itemsize).T
    return sum(len(zlib.compress(np.ascontiguousarray(row).tobytes(), 1)) for row in rows)


class StoredPlanes:
    """The planes of a file."""

    def __init__(self, data: memoryview[int], sizes: object) -> None:
        pairs = isinstance(sizes, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in sizes)
        numbers = [size for pair in sizes for size in pair] if isinstance(sizes, list) and pairs else [-1]
        if not all(type(size) is int and size >= 0 for size in numbers) or sum(numbers[::2]) != len(data):
            raise ModelError(f"planes: expected the sizes of {len(data)} bytes of planes, found {brief(sizes)}")
        self.sizes: list[tuple[int, int]] = list(zip(numbers[::2], numbers[1::2], strict=True))
        ends = [0]
        for stored, _ in self.sizes:
            ends.append(ends[-1] + stored)
        self._stored = [data[first:last] for first, last in pairwise(ends)]
        self._waiting: Counter[int] = Counter()  # how many arrays have not read a plane yet
        self._kept: dict[int, bytes] = {}  # what was decompressed and is waited for
        self._lock = threading.Lock()  # for both: threads may need arrays of one file at the same time

    def expect(self, numbers: Iterable[int]) -> None:
        """Take note of the planes of one more array."""
        with self._lock:
            self._waiting.update(numbers)

    def read(self, number: int) -> memoryview[int] | bytes:
        """Return a plane; one byte if all bytes are the same."""
        stored, size = self.sizes[number]
        if stored in (size, 1):
            return self._stored[number]
        with self._lock:
            found = self._kept.get(number)
        if found is None:  # two threads may both do it; neither waits for the other
            found = self._decompressed(number)
        with self._lock:
            self._waiting[number] -= 1
            if self._waiting[number] > 0:
                self._kept[number] = found
            else:
                self._kept.pop(number, None)
        return found

    def _decompressed(self, number: int) -> bytes:
        size = self.sizes[number][1]
        decoder = zlib.decompressobj()
        try:
            found = decoder.decompress(self._stored[number], size + 1)
        except zlib.error as error:
            raise ModelError(f"the file is damaged: {error}") from error
        if len(found) != size or not decoder.eof or decoder.unused_data:
            raise ModelError(f"the file is damaged: expected {size} bytes when it is decompressed, found other data")
        return found


class PackedArrays(StoredArrays):
    """Arrays that are made of planes whenever their bytes are requested."""

    def __init__(self, listed: object, planes: StoredPlanes) -> None:
        super().__init__(())
        self._planes = planes
        self._forms: dict[str, tuple[str | int, list[int]]] = {}
        for entry in listed if isinstance(listed, list) else [None]:
            name, dtype, shape, form, numbers = _checked(entry, planes)
            if name in self._entries:
                raise ModelError(f"planes: expected different arrays, found {name!r} twice")
            self._entries[name] = dtype, shape, b""
            self._forms[name] = form, numbers
            planes.expect(numbers)

    def data_of(self, name: str) -> memoryview[int] | bytes:
        if name not in self._forms:
            return b""
        form, planes = self._forms[name][0], self._read(name)
        size = math.prod(self._entries[name][1])
        if isinstance(form, int):
            return _core.join_grid(planes, size, form)
        is_whole = len(planes) == 1 and form == PLAIN and len(planes[0]) == size
        found: memoryview[int] | bytes = planes[0]
        return found if is_whole else _core.join_planes(planes, size, form == STEPS)

    def _read(self, name: str) -> list[Any]:
        return [self._planes.read(number) for number in self._forms[name][1]]

    def packed_pair(self, wholes: str, reals: str) -> tuple[list[Any], list[Any], int, int] | None:
        types = [(self._entries[name][0], *self._entries[name][1]) for name in (wholes, reals) if name in self._forms]
        if len(types) < 2 or {wholes, reals} & (self._made.keys() - self._unchanged):
            return None
        n, bits = math.prod(self._entries[wholes][1]), self._forms[reals][0]
        if types != [("uint32", n), ("float32", n)] or self._forms[wholes][0] != PLAIN or not isinstance(bits, int):
            return None
        return self._read(wholes), self._read(reals), n, bits

    def release(self) -> None:
        """Forget the arrays that were made: the planes have them."""
        for name in self._forms.keys() & self._unchanged:
            self._made.pop(name, None)


def _checked(entry: object, planes: StoredPlanes) -> tuple[str, str, list[int], str | int, list[int]]:
    """Return what a file says of an array, if it fits to the planes."""
    if not isinstance(entry, list) or len(entry) != 5:
        raise ModelError(f"planes: expected name, type, shape, form and planes of each array, found {brief(entry)}")
    name, dtype, shape, form, numbers = entry
    fits = isinstance(name, str) and isinstance(dtype, str) and dtype in _WIDTHS and isinstance(numbers, list)
    fits = fits and _is_shape(shape) and all(type(n) is int and 0 <= n < len(planes.sizes) for n in numbers)
    is_grid = type(form) is int and 0 <= form <= MOST_BITS and dtype == "float32"
    if not fits or not (is_grid or form in (PLAIN, STEPS)):
        raise ModelError(f"planes: expected name, type, shape, form and planes of each array, found {brief(entry)}")
    width = 2 if is_grid else _WIDTHS[dtype]
    if len(numbers) != width or any(planes.sizes[number][1] != math.prod(shape) for number in numbers):
        raise ModelError(f"array {name!r}: expected {width} planes of {math.prod(shape)} bytes, found others")
    return name, dtype, shape, form, numbers


def _is_shape(shape: object) -> bool:
    """Return whether numpy can express this shape; it also counts the axes of an empty array."""
    if not isinstance(shape, list) or len(shape) > MOST_AXES or not all(type(n) is int and n >= 0 for n in shape):
        return False
    return math.prod(n or 1 for n in shape) < MOST_NUMBERS


def total_size(listed: object) -> int:
    """Return the bytes of all arrays of a list; entries that `PackedArrays` will refuse count nothing."""
    entries = listed if isinstance(listed, list) else []
    known = [entry[1:3] for entry in entries if isinstance(entry, list) and len(entry) == 5]
    return sum(_WIDTHS.get(str(dtype), 0) * math.prod(shape) for dtype, shape in known if _is_shape(shape))
