"""Compressed files: gzip, bzip2, xz and Zstandard.

Files are recognised by their first bytes on reading, and by their extension on writing.
The same input gives the same compressed bytes: no time and no name is stored.
"""

from __future__ import annotations

import errno
import io
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import PurePath
from typing import IO, Any, NamedTuple

from perceptag.errors import DataError, SettingError, reason

_PIECE = 1 << 14  # compressed bytes that are read at once
_ZSTANDARD_PIECE = 1 << 10  # the package gives out all that a piece holds: at most 128 KiB for every 4 bytes
_MOST_MEMORY = 1 << 28  # bytes that an xz file may ask for; the highest setting of xz needs a quarter of that
_LONGEST_MAGIC = 10


class Compression(NamedTuple):
    """A way to compress files."""

    ending: str  # of names, in small letters
    magic: re.Pattern[bytes]  # how its files begin; no text in UTF-8 begins so, or hardly any
    decompressor: Callable[[], Any]  # with `decompress`, `needs_input`, `eof` and `unused_data`, as those of bz2
    writer: Callable[[IO[bytes]], Any]  # a file that compresses into another, and leaves that one open


def of_name(name: str) -> Compression | None:
    """Return the compression of a file extension: ``a.conllu.gz`` is gzip."""
    ending = PurePath(name).suffix.lower()
    return next((one for one in _ALL if one.ending == ending), None)


def without_ending(name: str) -> str:
    """Return a file name without the extension of its compression.

    >>> without_ending("a.conllu.GZ"), without_ending("a.conllu")
    ('a.conllu', 'a.conllu')
    """
    return str(PurePath(name).with_suffix("")) if of_name(name) else name


def of_file(file: IO[Any], name: str) -> Compression | None:
    """Detect the compression of an open file by its first bytes, without consuming them."""
    begin = first_bytes(file, name)
    return next((one for one in _ALL if isinstance(begin, bytes) and one.magic.match(begin)), None)


def compressing(stream: IO[bytes], way: Compression) -> IO[bytes]:
    """Return a file that compresses into `stream`. Closing it completes the compressed file."""
    return io.BufferedWriter(way.writer(stream), 1 << 16)


class Decompressed:
    """The bytes of a compressed file. A damaged file is an OSError, as other errors are."""

    def __init__(self, file: IO[bytes], way: Compression, name: str) -> None:
        self.name = name
        self._file = file
        self._way = way
        self._part: Any = None  # a file may be several compressed files one after the other

    def read(self, size: int = 1 << 17) -> bytes:
        """Return some bytes, not many more than `size`; nothing at the end. A negative number asks for all."""
        if size < 0:
            return b"".join(iter(self.read, b""))
        while (rest := self._next_piece()) is not None:
            if found := self._decompress(rest, size):
                return found
        return b""

    def _next_piece(self) -> bytes | None:
        """Return the next input of the decompressor; None at the end of the file."""
        part = self._part
        if part is not None and not part.eof:
            rest = self._file.read(_PIECE) if part.needs_input else b""
            if part.needs_input and not rest:
                raise _damaged("it ends too early")
            return rest
        rest = part.unused_data if part is not None else b""
        while not (rest := rest.lstrip(b"\0")):  # files may be filled up with zeros
            if not (rest := self._file.read(_PIECE)):
                return None
        self._part = self._way.decompressor()
        return rest

    def _decompress(self, data: bytes, size: int) -> bytes:
        try:
            return bytes(self._part.decompress(data, size))
        except MemoryError:
            raise
        except Exception as error:  # each way has errors of its own: zlib.error, LZMAError, ZstdError
            raise _damaged(error) from None


def _damaged(how: object) -> OSError:
    return OSError(errno.EIO, f"the compressed file is damaged: {how}")


def first_bytes(file: IO[Any], name: str) -> Any:
    """Return the first bytes of a file without consuming them; b"" if it can neither peek nor seek."""
    try:
        if hasattr(file, "peek"):
            return bytes(file.peek(_LONGEST_MAGIC)[:_LONGEST_MAGIC])
        if not file.seekable():
            return b""
        place = file.tell()
        found = file.read(_LONGEST_MAGIC)
        file.seek(place)
        return found
    except OSError as error:
        raise DataError(f"cannot read: {reason(error)}", where=name) from None


# --- the ways: their modules are imported when they are used ---


class _Gzip:
    """A decompressor of zlib with the methods of the others."""

    def __init__(self) -> None:
        import zlib

        self._inner = zlib.decompressobj(wbits=31)

    needs_input = property(lambda self: not self._inner.unconsumed_tail)
    eof = property(lambda self: self._inner.eof)
    unused_data = property(lambda self: self._inner.unused_data)

    def decompress(self, data: bytes, size: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail + data, size)


def _gzip_writer(stream: IO[bytes]) -> Any:
    import gzip

    return gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=stream, mtime=0)


def _bzip2() -> Any:
    import bz2

    return bz2.BZ2Decompressor()


def _bzip2_writer(stream: IO[bytes]) -> Any:
    import bz2

    return bz2.BZ2File(stream, "wb")


def _xz() -> Any:
    import lzma

    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MOST_MEMORY)


def _xz_writer(stream: IO[bytes]) -> Any:
    import lzma

    return lzma.LZMAFile(stream, "wb")


class _Zstandard:
    """A decompressor of the package zstandard with the methods of the others."""

    def __init__(self, package: Any) -> None:
        self._inner = package.ZstdDecompressor().decompressobj()
        self._rest = b""  # given, but not looked at yet

    needs_input = property(lambda self: not self._rest)
    eof = property(lambda self: self._inner.eof)
    unused_data = property(lambda self: self._inner.unused_data + self._rest)

    def decompress(self, data: bytes, size: int) -> bytes:
        del size
        given = self._rest + data
        self._rest = given[_ZSTANDARD_PIECE:]
        return bytes(self._inner.decompress(given[:_ZSTANDARD_PIECE]))


def _zstd() -> Any:
    package, is_standard = _zstd_package()
    return package.ZstdDecompressor() if is_standard else _Zstandard(package)


def _zstd_writer(stream: IO[bytes]) -> Any:
    package, is_standard = _zstd_package()
    if is_standard:
        return package.ZstdFile(stream, "w", options={package.CompressionParameter.checksum_flag: 1})
    return package.ZstdCompressor(write_checksum=True).stream_writer(stream, closefd=False)


def _zstd_package() -> tuple[Any, bool]:
    """Return the module of Python 3.14, or else the package zstandard; and whether it is the former."""
    from importlib import import_module

    with suppress(ImportError):
        return import_module("compression.zstd"), True
    with suppress(ImportError):
        return import_module("zstandard"), False
    raise SettingError(
        "files compressed by Zstandard (.zst): the package 'zstandard' is missing; it comes with the extra 'zstd': "
        "pip install 'perceptag[zstd]'"
    )


_ALL = (
    Compression(".gz", re.compile(rb"\x1f\x8b"), _Gzip, _gzip_writer),
    Compression(".bz2", re.compile(rb"BZh[1-9](?:\x31AY&SY|\x17rE8P\x90)"), _bzip2, _bzip2_writer),
    Compression(".xz", re.compile(rb"\xfd7zXZ\0"), _xz, _xz_writer),
    Compression(".zst", re.compile(rb"\x28\xb5\x2f\xfd"), _zstd, _zstd_writer),
)
