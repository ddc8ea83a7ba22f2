"""Check memory before allocating it.

A machine that runs out of memory ends processes without a message. So everything that grows with the square of the
labels or the length of a sentence is counted first, and refused if it does not fit.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from perceptag._core import trim_heap
from perceptag.errors import SettingError
from perceptag.system.platform.machine import free_memory, left_in_the_group, left_of_the_limit

SMALL = 1 << 28  # less is not worth a check


def require(needed: int, what: str) -> None:
    """Raise a SettingError if fewer than `needed` bytes are available."""
    if needed > SMALL and needed > (there := available()):
        raise SettingError(f"{what}: needs about {describe(needed)} of memory, and {describe(there)} are available")


def describe(size: int) -> str:
    """Return a number of bytes as text, exact and in GiB.

    >>> describe(2_500_000_000)
    '2,500,000,000 bytes (2.3 GiB)'
    """
    return f"{size:,} bytes ({size / 2**30:.1f} GiB)"


def available() -> int:
    """Return the bytes available to this process: free memory, within its limits."""
    return max(0, min(free_memory(), left_of_the_limit(), left_in_the_group()))


@contextmanager
def no_search_for_cycles() -> Iterator[None]:
    """Turn the garbage collector off: sentences have no cycles, and looking for them takes a third of the time."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@contextmanager
def loading() -> Iterator[None]:
    """Load many objects that stay: without a search for garbage; freed memory goes back to the system."""
    try:
        with no_search_for_cycles():
            yield
    finally:
        trim_heap()
