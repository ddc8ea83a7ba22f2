"""The process that learns: it reads requests from its standard input and writes events to its standard output.

It ends when its input ends. The pipe ends with the process that holds the other end, however that one ends, so that a
child never outlives the server.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from contextlib import suppress
from typing import IO

from perceptag.workbench.learning.messages import Event, Failed, Request, Setup
from perceptag.workbench.learning.pipes import read_object, write_object
from perceptag.workbench.learning.worker import Worker

NICE = 10  # the server answers first


def main() -> None:
    """Work until the input ends."""
    source, target = _streams()
    setup = read_object(source)
    _be_modest(setup)
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(source, requests), daemon=True).start()

    def send(event: Event) -> None:
        write_object(target, event)

    try:
        run(Worker(setup, send), requests)
    except BrokenPipeError:
        os._exit(0)  # the server is gone
    except MemoryError:
        send(Failed(f"the process that learns needs more than {setup.memory:,} bytes of memory"))
        os._exit(1)


def run(worker: Worker, requests: queue.SimpleQueue[Request]) -> None:
    """Do one step after the other; take in all requests that have come in between."""
    while True:
        while True:
            with suppress(queue.Empty):
                worker.handle(requests.get_nowait())
                continue
            break
        if not worker.step():
            with suppress(queue.Empty):
                worker.handle(requests.get(timeout=worker.wait()))


def _read_requests(source: IO[bytes], requests: queue.SimpleQueue[Request]) -> None:
    """Read all requests. At the end of the input the process ends at once, whatever it is doing."""
    try:
        while True:
            requests.put(read_object(source))
    finally:
        os._exit(0)


def _streams() -> tuple[IO[bytes], IO[bytes]]:
    """Return the pipes; whatever is printed by accident goes to the error stream."""
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return source, target


def _be_modest(setup: Setup) -> None:
    """Let others come first, and use no more memory than is allowed. Ctrl-C is for the server, which then ends this."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICE)
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (setup.memory, hard))
