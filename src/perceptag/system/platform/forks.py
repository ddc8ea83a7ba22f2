"""Processes that fork; only systems where `can_fork` is true have them."""

from __future__ import annotations

import os
import signal
import socket
from contextlib import suppress


def can_fork() -> bool:
    """Return whether processes can fork, and pass open files to each other."""
    return hasattr(os, "fork") and hasattr(socket, "send_fds")


def fork() -> int:
    """Fork this process, which must have a single thread; return 0 in the new process, and else its process id."""
    return os.fork()


def wait_for(pid: int) -> int:
    """Wait for the end of a child; return its exit status, which is negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def kill(pid: int) -> int:
    """End a child at once; return what `wait_for` returns."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    return wait_for(pid)


def end_after(seconds: float) -> None:
    """Let the system end this process after some seconds; 0: not any more."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends the process
    signal.setitimer(signal.ITIMER_REAL, seconds)
