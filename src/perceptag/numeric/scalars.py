"""Convert numpy scalars to Python numbers."""

from __future__ import annotations

import sys

from perceptag.errors import SettingError, brief


def plain(value: object) -> object:
    """Return a scalar of numpy as a value of Python; anything else as it is. This does not import numpy.

    >>> import numpy as np
    >>> plain(np.int64(3)), plain(np.bool_(True)), plain(np.str_("gold")), plain("gold")
    (3, True, 'gold', 'gold')
    """
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, numpy.generic):
        return value
    found: object = value.item()
    return float(value) if isinstance(found, numpy.floating) else found  # a long double is its own item


def whole_number(argument: str, value: object, least: int, most: int | None = None) -> int:
    """Return the value of an argument; a `SettingError` unless it is a whole number in these limits."""
    number = plain(value)
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    if not is_whole or number < least or (most is not None and number > most):  # type: ignore[operator]
        limits = f"from {least}" + (f" to {most}" if most is not None else "")
        raise SettingError(f"{argument}: expected a number {limits}, found {brief(value)}")
    return number  # type: ignore[return-value]
