"""Clocks and memory of a process, as one child reports them."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Clock:
    """Seconds of wall time and of CPU time (all threads) of named stages; the best of several counts."""

    wall: dict[str, float] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Time what is done inside."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        self.wall[name] = min(self.wall.get(name, wall), wall)
        self.cpu[name] = min(self.cpu.get(name, cpu), cpu)


def peak_memory(process: int | str = "self") -> int:
    """The most memory that this process (or another one) has held, in bytes.

    Linux keeps the high-water mark of the address space. `getrusage` would also count what the parent held before
    the child was started, so it is only used elsewhere.
    """
    return _status("VmHWM", process) or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )


def _status(key: str, process: int | str) -> int:
    path = Path(f"/proc/{process}/status")
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(f"{key}:")), 0)
