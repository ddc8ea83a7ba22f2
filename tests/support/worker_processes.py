"""The processes behind a server with workers: found by their parents, stopped and killed by tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from running import Running


def children(pid: int) -> list[int]:
    """The processes whose parent is this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, parent = path.read_text("latin-1").rpartition(")")[2].split()[:2]
            if int(parent) == pid and state != "Z":
                found.append(int(path.parent.name))
    return sorted(found)


def zygotes(server: Running) -> list[int]:
    """The processes that have loaded models."""
    return children(server.process.pid)


def workers(server: Running) -> list[int]:
    """The processes that do jobs."""
    return [worker for zygote in zygotes(server) for worker in children(zygote)]


@contextmanager
def stopped(pids: list[int]) -> Iterator[None]:
    """Processes that do nothing until the end, as if a search did not end."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
