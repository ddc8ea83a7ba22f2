"""Signals and sockets of a server."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress

_SET_CHILD_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of prctl


def handle_signals(loop: asyncio.AbstractEventLoop, handlers: Mapping[str, Callable[[], object]]) -> None:
    """Call functions in the loop on signals; ignore signals unknown to the system."""
    for name, handler in handlers.items():
        if (number := getattr(signal, name, None)) is not None:
            _handle(loop, number, handler)


def _handle(loop: asyncio.AbstractEventLoop, number: signal.Signals, handler: Callable[[], object]) -> None:
    try:
        loop.add_signal_handler(number, handler)
    except NotImplementedError:  # Windows
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(handler))


def inherit_orphans() -> None:
    """Become the parent of processes whose parents end, where the system can (Linux); `collect_children` ends them."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def collect_children() -> None:
    """Let go of all child processes that have ended."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def path_socket() -> socket.socket | None:
    """Return a Unix socket; None where the system has none."""
    return socket.socket(socket.AF_UNIX) if hasattr(socket, "AF_UNIX") else None


def reuse_address(listener: socket.socket) -> None:
    """Allow a server to reuse its address at once; on Windows this would let two servers share a port."""
    alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if alone is None else alone, 1)
