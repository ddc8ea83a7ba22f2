"""Names that will go away: they work for a while, and say what to use instead.

docs/internals/versions.md says how long. A test finds names whose time is over.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


def deprecated(*, since: str, until: str, instead: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a function or a method: each call warns, once for each place that calls it.

    It goes away in the release `until`. `instead` is what the user writes then.
    """

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        message = deprecation(f"{function.__module__}.{function.__qualname__}", since, until, instead)

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            return function(*args, **kwargs)

        return call

    return mark


def warn_deprecated(name: str, *, since: str, until: str, instead: str, stacklevel: int = 2) -> None:
    """Warn of an argument, a value or a key that the caller has used."""
    warnings.warn(deprecation(name, since, until, instead), DeprecationWarning, stacklevel=stacklevel + 1)


def deprecation(name: str, since: str, until: str, instead: str) -> str:
    """The message, also for options of the command line.

    >>> deprecation("--old", "0.3.0", "0.5.0", "--new")
    '--old: deprecated since 0.3.0, and gone in 0.5.0; use --new'
    """
    return f"{name}: deprecated since {since}, and gone in {until}; use {instead}"
