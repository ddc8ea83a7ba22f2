"""Arrays of a model file, converted to numpy on first access; views of their bytes need no numpy.

A linear model is made of views alone, so that `perceptag tag` starts without numpy.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from typing import TYPE_CHECKING, Any, Literal

from perceptag.numeric.lazy import np

if TYPE_CHECKING:
    import numpy.typing as npt

# What safetensors calls a type, and what numpy calls it.
_TYPES = {
    **{"F16": "float16", "F32": "float32", "F64": "float64", "BOOL": "bool"},
    **{f"I{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    **{f"U{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}
# What Python calls it.
_FORMATS: dict[str, Literal["B", "i", "I", "f", "d"]] = {
    "uint8": "B",
    "int32": "i",
    "uint32": "I",
    "float32": "f",
    "float64": "d",
}


class StoredArrays(MutableMapping[str, "npt.NDArray[Any]"]):
    """Arrays by name, from `safetensors.deserialize`; unknown types raise KeyError."""

    def __init__(self, entries: Iterable[tuple[str, Mapping[str, Any]]]) -> None:
        self._entries = {name: (_TYPES[entry["dtype"]], entry["shape"], entry["data"]) for name, entry in entries}
        self._made: dict[str, npt.NDArray[Any]] = {}

    def view(self, name: str, dtype: str) -> memoryview[Any] | None:
        """Return a vector of this type, without numpy; None if there is none, or if it has been replaced."""
        kind, shape, data = self._entries.get(name, ("", (), b""))
        if kind != dtype or len(shape) != 1 or name in self._made:
            return None
        return memoryview(data).cast(_FORMATS[dtype]) if data else memoryview(array(_FORMATS[dtype]))

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if name not in self._made:
            dtype, shape, data = self._entries[name]
            self._made[name] = np.frombuffer(data, dtype).reshape(shape)
        return self._made[name]

    def __setitem__(self, name: str, value: npt.NDArray[Any]) -> None:
        self._entries.setdefault(name, ("", (), b""))
        self._made[name] = value

    def __delitem__(self, name: str) -> None:
        del self._entries[name]
        self._made.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
