"""A worker process: takes jobs from the front process and answers them, one frame after the other.

It is a fork of the zygote (`zygote.py`), so it has the models already. A frame says after how many seconds the system
is to kill this process; the front process kills it sooner, unless it is gone itself.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress

from perceptag.server.served import ServedModels
from perceptag.server.text_jobs import answer_jobs
from perceptag.server.worker_frames import jobs_in, pack_replies, read
from perceptag.system.platform import forks


def work(connection: socket.socket, models: ServedModels) -> None:
    """Answer jobs until the front process closes the connection."""
    stream = connection.makefile("rb")
    with suppress(OSError):
        while (frame := read(stream)) is not None:
            forks.end_after(frame[0]["seconds"])
            began = time.monotonic()
            replies = answer_jobs(jobs_in(frame), models)
            forks.end_after(0)
            connection.sendall(pack_replies(replies, time.monotonic() - began))
