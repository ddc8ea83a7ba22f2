"""Objects through a pipe between two processes of perceptag, one after the other."""

from __future__ import annotations

import pickle
import struct
from typing import IO, Any

_SIZE = struct.Struct("<Q")


def write_object(stream: IO[bytes], value: object) -> None:
    """Write an object, with its size before it."""
    data = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    stream.write(_SIZE.pack(len(data)))
    stream.write(data)
    stream.flush()


def read_object(stream: IO[bytes]) -> Any:
    """Return the next object; raise EOFError at the end, also if the last object is cut short."""
    (size,) = _SIZE.unpack(_read(stream, _SIZE.size))
    return pickle.loads(_read(stream, size))


def _read(stream: IO[bytes], size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data
