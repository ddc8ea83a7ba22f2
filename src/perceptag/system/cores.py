"""How many cores this process may use."""

from __future__ import annotations

from perceptag.system.platform.machine import usable_cores


def cores(wanted: int = 0) -> int:
    """The number of threads or processes to use: 0 stands for all cores that this process may use."""
    return wanted or usable_cores()
