"""Arrays and numbers: numpy on first use, array types that Python and the core share, offsets, numpy scalars.

The import of numpy takes longer than tagging a megabyte, so modules that `perceptag tag` imports take ``np`` from here,
and may not use it while they are imported.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from perceptag.errors import SettingError, brief

if TYPE_CHECKING:
    import numpy
    import numpy.typing as npt

    np = numpy
else:

    class _Numpy:
        def __getattr__(self, name: str) -> Any:
            import numpy

            return getattr(numpy, name)

    np = _Numpy()

Bytes: TypeAlias = "npt.NDArray[np.uint8]"
Ints: TypeAlias = "npt.NDArray[np.int32]"  # label ids, type ids, offsets
Longs: TypeAlias = "npt.NDArray[np.int64]"  # counts, and indices that numpy made
Floats: TypeAlias = "npt.NDArray[np.float64]"

# No numbers, for the core, which takes a view of memory as it takes an array.
NO_INTS = cast("Ints", memoryview(array("i")))
NO_FLOATS = cast("Floats", memoryview(array("d")))


def int_view(numbers: Iterable[int]) -> Ints:
    """Return whole numbers as a view of memory, which the core takes as it takes an array, without numpy."""
    return cast("Ints", memoryview(array("i", numbers)))


def offset_view(lengths: Iterable[int]) -> Ints:
    """Return what `offsets` returns, as a view of memory."""
    return int_view(accumulate(lengths, initial=0))


def offsets(lengths: Sequence[int]) -> Ints:
    """Return the offset of each sequence among all tokens, and the end of the last one.

    >>> offsets([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    begin = np.zeros(len(lengths) + 1, np.int32)
    np.cumsum(lengths, out=begin[1:])
    return begin


def cut(labels: list[Any], begin: Ints) -> list[list[Any]]:
    """Cut a flat list at the sequence offsets.

    >>> cut(list("abcde"), np.array([0, 2, 2, 5]))
    [['a', 'b'], [], ['c', 'd', 'e']]
    """
    return [labels[a:b] for a, b in pairwise(begin.tolist())]


def ranges(n: int, parts: int) -> list[range]:
    """Cut the numbers below n into parts, one after the other, whose sizes differ by one at most.

    >>> ranges(5, 2), ranges(1, 3)
    ([range(0, 2), range(2, 5)], [range(0, 0), range(0, 0), range(0, 1)])
    """
    return [range(n * k // parts, n * (k + 1) // parts) for k in range(parts)]


def plain(value: object) -> object:
    """Return a scalar of numpy as a value of Python; anything else as it is. This does not import numpy.

    >>> import numpy as np
    >>> plain(np.int64(3)), plain(np.bool_(True)), plain(np.str_("gold")), plain("gold")
    (3, True, 'gold', 'gold')
    """
    generic = _numpy_class("generic")
    if generic is None or not isinstance(value, generic):
        return value
    found: object = value.item()  # type: ignore[attr-defined]
    return float(value) if isinstance(found, generic) else found  # type: ignore[arg-type]  # a long double is its own item


def is_array(value: object) -> bool:
    """Return whether a value is an array of numpy. This does not import numpy."""
    ndarray = _numpy_class("ndarray")
    return ndarray is not None and isinstance(value, ndarray)


def _numpy_class(name: str) -> type | None:
    """Return a class of numpy, if numpy is imported. While another thread imports it, the module has no classes yet."""
    found: type | None = getattr(sys.modules.get("numpy"), name, None)
    return found


def whole_number(argument: str, value: object, least: int, most: int | None = None) -> int:
    """Return the value of an argument; a `SettingError` unless it is a whole number in these limits."""
    number = plain(value)
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    if not is_whole or number < least or (most is not None and number > most):  # type: ignore[operator]
        limits = f"from {least}" + (f" to {most}" if most is not None else "")
        raise SettingError(f"{argument}: expected a number {limits}, found {brief(value)}")
    return number  # type: ignore[return-value]
