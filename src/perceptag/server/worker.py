"""A worker process: takes jobs from the front process and answers them, one frame after the other.

It is a fork of the zygote (`zygote.py`), so it has the models already. A frame says after how many seconds the system
is to kill this process; the front process kills it sooner, unless it is gone itself. After some number of calls, or if
it has taken too much memory, it asks to be replaced: what leaks, or is kept by the C library, does not add up.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress

from perceptag.server.limits import Limits
from perceptag.server.served import ServedModels
from perceptag.server.text_jobs import answer_jobs
from perceptag.server.worker_frames import jobs_in, pack_replies, read
from perceptag.system.platform import forks
from perceptag.system.platform.machine import own_memory

LOOKS = 16  # calls between two looks at the memory, unless a body is large
LARGE = 64_000  # bytes


def work(connection: socket.socket, models: ServedModels) -> None:
    """Answer jobs until the front process closes the connection, or replaces this worker, as it then asks for."""
    stream, use = connection.makefile("rb"), WorkerUse(models.limits)
    with suppress(OSError):
        while (frame := read(stream)) is not None:
            forks.end_after(frame[0]["seconds"])
            began = time.monotonic()
            jobs = jobs_in(frame)
            replies = answer_jobs(jobs, models)
            forks.end_after(0)
            is_over = use.is_over(sum(len(job.body) for job in jobs))
            connection.sendall(pack_replies(replies, time.monotonic() - began, is_over))


class WorkerUse:
    """What a worker has done, and how much memory it has taken since it began."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._calls = 0
        self._first = own_memory()

    def is_over(self, size: int) -> bool:
        """Count a call with so many bytes of text; return whether the worker should be replaced."""
        self._calls += 1
        if self._calls >= self._limits.worker_jobs:
            return True
        is_time = size > LARGE or self._calls % LOOKS == 0
        return is_time and own_memory() - self._first > self._limits.worker_growth
