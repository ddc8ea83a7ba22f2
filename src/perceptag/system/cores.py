"""How many cores this process may use."""

from __future__ import annotations

import os


def cores(wanted: int = 0) -> int:
    """The number of threads or processes to use: 0 stands for all cores that this process may use."""
    if wanted:
        return wanted
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
