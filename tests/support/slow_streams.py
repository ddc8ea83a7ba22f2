"""Streams that give little at a time."""

from __future__ import annotations

import io


class Dribble(io.RawIOBase):
    """A stream that returns at most `size` bytes at once, as a slow pipe does."""

    def __init__(self, data: bytes, size: int) -> None:
        self.inner, self.size = io.BytesIO(data), size

    def read(self, size: int = -1) -> bytes:
        return self.inner.read(min(size, self.size))
