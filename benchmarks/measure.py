"""Clocks and memory of a process, as one child reports them, and how sure the figures of a run are."""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Iterator, Sequence
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


def calibrate() -> tuple[float, float]:
    """Do the same work as ever; return its CPU seconds, the least of several, and how much longer the clock took."""
    found = []
    for _ in range(9):
        wall, cpu = time.perf_counter(), time.process_time()
        for number in range(300):
            json.loads(json.dumps([str(number + i) for i in range(300)]))
        found.append((time.process_time() - cpu, time.perf_counter() - wall))
    return min(cpu for cpu, _ in found), sum(wall for _, wall in found) / sum(cpu for cpu, _ in found)


def certainty(before: tuple[float, float], after: tuple[float, float]) -> str:
    """Say what the calibration means for the figures."""
    drift = max(before[0], after[0]) / min(before[0], after[0])
    stretch = max(before[1], after[1])
    cpu = "CPU figures hold" if drift < 1.1 else f"CPU figures are uncertain by a factor of {drift:.1f}"
    clock = (
        "wall times hold" if stretch < 1.2 else f"wall times are too long: the clock ran {stretch:.1f} times as fast"
    )
    times = f"{1000 * before[0]:.0f} ms of CPU before and {1000 * after[0]:.0f} after"
    return f"Calibration: the same work took {times}; {cpu}; {clock}."


def ratio_range(slow: Sequence[float], fast: Sequence[float]) -> str:
    """The lowest and the highest ratio of two rounds, in brackets; empty if both were measured once.

    >>> ratio_range([6.0, 6.6], [1.0, 1.2]), ratio_range([6.0], [1.0])
    (' (5.0 to 6.6)', '')
    """
    if max(len(slow), len(fast)) < 2:
        return ""
    return f" ({min(slow) / max(*fast, 1e-9):.1f} to {max(slow) / max(min(fast), 1e-9):.1f})"
