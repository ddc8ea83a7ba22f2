"""What a command writes to a terminal."""

from __future__ import annotations

import os


def read_all(terminal: int) -> bytes:
    """Return everything until the last writer has gone; one read may return less."""
    parts = []
    while True:
        try:
            part = os.read(terminal, 1 << 16)
        except OSError:  # what Linux says when the last writer has gone
            part = b""
        if not part:
            return b"".join(parts)
        parts.append(part)
