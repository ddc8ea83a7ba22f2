"""Read safetensors files as views of their bytes, without a copy, and check what the format demands.

8 bytes: the size of the header    header: JSON, {name: {dtype, shape, data_offsets}}    arrays, one after the other
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

_METADATA = "__metadata__"
_BITS = {"F16": 16, "F32": 32, "F64": 64, "BOOL": 8} | {f"{s}{bits}": bits for s in "IU" for bits in (8, 16, 32, 64)}


def entries_of(data: bytes) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the name of each array, and its dtype, shape and data; raise ValueError for any other file."""
    size = int.from_bytes(data[:8], "little")
    if size > len(data) - 8:
        raise ValueError(f"expected a header of {size} bytes, found {max(0, len(data) - 8)}")
    header = json.loads(data[8 : 8 + size].decode(), object_pairs_hook=_without_repeats)
    if not isinstance(header, dict):
        raise ValueError("expected a JSON object as the header, found another value")
    arrays = {name: entry for name, entry in header.items() if name != _METADATA}
    view, place = memoryview(data)[8 + size :], 0
    for name, entry in sorted(arrays.items(), key=lambda item: tuple(item[1]["data_offsets"])):
        begin, end = _checked(name, entry, place)
        if end > len(view):
            raise ValueError(f"array {name!r}: expected {end - begin} bytes, found {max(0, len(view) - begin)}")
        yield name, {"dtype": entry["dtype"], "shape": entry["shape"], "data": view[begin:end]}
        place = end
    if place != len(view):
        raise ValueError(f"expected {place} bytes of arrays, found {len(view)}")


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("expected different names in the header, found one twice")
    return found


def _checked(name: str, entry: dict[str, Any], place: int) -> tuple[int, int]:
    """Return where the bytes of an array begin and end, which must be where the one before ends."""
    dtype, shape, (begin, end) = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in (*shape, begin, end)):
        raise ValueError(f"array {name!r}: expected a shape and offsets, found other values")
    if begin != place or (end - begin) * 8 != math.prod(shape) * _BITS[dtype]:
        raise ValueError(f"array {name!r}: expected {math.prod(shape)} numbers of type {dtype} at byte {place}")
    return begin, end
