"""Work in a child process, so that a crash or a hang is a result and does not end the check."""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class End:
    """How a child ended: with a value, an exception, a signal, or too late."""

    value: Any = None
    error: str = ""  # the traceback of an exception
    signal: int = 0
    hung: bool = False

    @property
    def fault(self) -> str | None:
        """What went wrong; None if the child returned a value."""
        if self.hung:
            return "did not end in time"
        if self.signal:
            return f"ended by {signal.Signals(self.signal).name}"
        return self.error or None


def fork(work: Callable[[], Any], timeout: float = 60.0) -> End:
    """Run `work` in a forked child."""
    pid, reader = start(work)
    return wait(pid, reader, timeout)


def start(work: Callable[[], Any]) -> tuple[int, int]:
    """Start `work` in a forked child; return its process id and the end of a pipe that will hold its result."""
    sys.stdout.flush()
    sys.stderr.flush()
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    status = 1
    try:
        os.close(reader)
        try:
            result = pickle.dumps((work(), ""))
        except BaseException:  # the parent is told about any error
            result = pickle.dumps((None, traceback.format_exc()))
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(result)
        status = 0
    finally:
        os._exit(status)


def wait(pid: int, reader: int, timeout: float) -> End:
    """Wait for a child of `start`; one that takes too long is killed."""
    deadline = time.monotonic() + timeout
    parts = []
    hung = False
    with os.fdopen(reader, "rb", buffering=0) as pipe:
        while True:
            ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                hung = True
                os.kill(pid, signal.SIGKILL)
                break
            if not (part := pipe.read(1 << 16)):
                break
            parts.append(part)
    _, status = os.waitpid(pid, 0)
    if hung:
        return End(hung=True)
    if os.WIFSIGNALED(status):
        return End(signal=os.WTERMSIG(status))
    data = b"".join(parts)
    if not data:
        return End(error=f"exit status {os.WEXITSTATUS(status)} without a result")
    value, error = pickle.loads(data)
    return End(value, error)


def most_memory(pid: int | str = "self") -> int:
    """Return the peak memory of a process in bytes."""
    lines = Path(f"/proc/{pid}/status").read_text("ascii").splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


def silent() -> None:
    """Discard what this process and its native code print."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
