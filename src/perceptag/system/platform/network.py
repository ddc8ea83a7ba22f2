"""Signals and sockets of a server."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable, Mapping


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


def path_socket() -> socket.socket | None:
    """Return a Unix socket; None where the system has none."""
    return socket.socket(socket.AF_UNIX) if hasattr(socket, "AF_UNIX") else None


def reuse_address(listener: socket.socket) -> None:
    """Allow a server to reuse its address at once; on Windows this would let two servers share a port."""
    alone = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR if alone is None else alone, 1)
