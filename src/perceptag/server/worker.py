"""A worker process: takes jobs from the front process and answers them, one frame after the other.

It is a fork of the zygote (`zygote.py`), so it has the models already. A frame says after how many seconds the system
is to kill this process; the front process kills it sooner, unless it is gone itself.
"""

from __future__ import annotations

import signal
import socket
import time
from contextlib import suppress

from perceptag.server.served import ServedModels
from perceptag.server.text_jobs import answer_jobs
from perceptag.server.worker_frames import jobs_in, pack_replies, read


def work(connection: socket.socket, models: ServedModels) -> None:
    """Answer jobs until the front process closes the connection."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # which ends the process
    stream = connection.makefile("rb")
    with suppress(OSError):
        while (frame := read(stream)) is not None:
            signal.setitimer(signal.ITIMER_REAL, frame[0]["seconds"])
            began = time.monotonic()
            replies = answer_jobs(jobs_in(frame), models)
            signal.setitimer(signal.ITIMER_REAL, 0)
            connection.sendall(pack_replies(replies, time.monotonic() - began))
