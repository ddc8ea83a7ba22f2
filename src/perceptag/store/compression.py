"""Bytes made smaller for files that travel, and back: LZMA, within stated limits.

A model file is for loading fast, so it is not compressed. A pipeline holds several and is shipped in packages.
"""

from __future__ import annotations

import lzma

from perceptag.errors import ModelError

_FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9}]
_MOST_MEMORY = 128 << 20  # bytes that the decoder may take besides what it returns


def compress(data: bytes) -> bytes:
    """Return the data in fewer bytes; always the same bytes for the same data and the same version of liblzma."""
    return lzma.compress(data, format=lzma.FORMAT_XZ, check=lzma.CHECK_CRC32, filters=_FILTERS)


def decompress(data: bytes, size: int) -> bytes:
    """The inverse of `compress`. The result must have `size` bytes; no more memory is taken than that."""
    decoder = lzma.LZMADecompressor(format=lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)
    try:
        found = decoder.decompress(data, max_length=size + 1)
    except lzma.LZMAError as error:
        raise ModelError(f"the file is damaged: {error}") from error
    if len(found) != size or not decoder.eof or decoder.unused_data:
        raise ModelError(f"the file is damaged: expected {size} bytes when it is decompressed, found other data")
    return found
