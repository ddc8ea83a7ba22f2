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

from perceptag.system.platform.machine import limit_memory, step_back
from perceptag.workbench.learning.messages import Event, Request, Setup, read_object, write_object
from perceptag.workbench.learning.worker import ProjectTrainer

NICE = 10  # the server answers first


def main() -> None:
    """Work until the input ends."""
    source, target = _streams()
    try:
        setup = read_object(source)
    except EOFError:
        return  # the server is gone already
    _be_modest(setup)
    requests: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_read_requests, args=(source, requests), daemon=True).start()

    def send(event: Event) -> None:
        write_object(target, event)

    def poll() -> None:
        with suppress(queue.Empty):
            while True:
                worker.handle(requests.get_nowait())

    try:
        worker = ProjectTrainer(setup, send, poll)
        while True:
            poll()
            if not worker.step():
                with suppress(queue.Empty):
                    worker.handle(requests.get(timeout=worker.wait()))
    except BrokenPipeError:
        os._exit(0)  # the server is gone


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
    step_back(NICE)
    limit_memory(setup.memory)
