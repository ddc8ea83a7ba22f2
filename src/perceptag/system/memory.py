"""Check that there is enough memory before it is used.

A machine that runs out of memory ends processes without a message. So everything that grows with the square of the
labels or the length of a sentence is counted first, and refused if it does not fit.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from perceptag.errors import SettingError

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
    """Return how many more bytes this process may use: what the machine has free, and what limits allow."""
    return max(0, min(_free(), _left_of_the_limit(), _left_in_the_group()))


def _free() -> int:
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text("ascii").splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1])
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return 1 << 62  # a system that does not say


def _left_of_the_limit() -> int:
    with suppress(ImportError, OSError, ValueError):
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            return most - resource.getpagesize() * int(Path("/proc/self/statm").read_text("ascii").split()[0])
    return 1 << 62


def _left_in_the_group() -> int:
    """Return what the control group of a container allows."""
    for limit, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        with suppress(OSError, ValueError):
            group = Path("/sys/fs/cgroup")
            return int((group / limit).read_text("ascii")) - int((group / used).read_text("ascii"))
    return 1 << 62
