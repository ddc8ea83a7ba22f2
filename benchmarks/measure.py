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
    """Wall time and CPU time (of all threads) of named stages in seconds; the best of several runs counts."""

    wall: dict[str, float] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure the time of the block."""
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        self.wall[name] = min(self.wall.get(name, wall), wall)
        self.cpu[name] = min(self.cpu.get(name, cpu), cpu)


def peak_memory(process: int | str = "self") -> int:
    """Return the peak memory of this process (or another one) in bytes.

    Linux records the peak of the resident memory. `getrusage` would also count what the parent used before the child
    was started, so it is used only on other systems.
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
