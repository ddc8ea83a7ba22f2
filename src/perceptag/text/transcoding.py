"""Text of other encodings as UTF-8, piece by piece."""

from __future__ import annotations

import codecs
from typing import IO, Any

from perceptag.errors import DataError
from perceptag.system.given_file import AUTO

_PIECE = 1 << 16  # bytes that are read at once
_BY_MARK = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}  # text in UTF-8 begins with none of them; the longer marks come first


def encoding_by_mark(begin: bytes) -> str:
    """Return the encoding that a byte order mark shows; an empty string if it is UTF-8 or there is none."""
    return next((name for mark, name in _BY_MARK.items() if begin.startswith(mark)), "")


def is_utf8(encoding: str) -> bool:
    """Return whether text in this encoding is read as it is."""
    return not encoding or encoding == AUTO or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig")


class Transcoded:
    """The bytes of a stream of text, in UTF-8. Other bytes raise `DataError`."""

    def __init__(self, stream: IO[Any], name: str, encoding: str) -> None:
        self.name = name
        self._read = getattr(stream, "read1", stream.read)
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._line = 1

    def read(self, size: int = _PIECE) -> bytes:
        """Return some text, not many more bytes than `size`; nothing at the end. A negative number asks for all."""
        if size < 0:
            return b"".join(iter(self.read, b""))
        while chunk := self._read(min(size, _PIECE)):
            if text := self._decoded(chunk, False):
                return text
        return self._decoded(b"", True)

    def _decoded(self, chunk: bytes, is_end: bool) -> bytes:
        try:
            text = self._decoder.decode(chunk, is_end)
            self._line += text.count("\n")
            return text.encode()
        except UnicodeDecodeError as error:
            line = self._line + error.object.count(b"\n", 0, error.start)
            found = f"the byte 0x{error.object[error.start]:02X}"
            raise DataError(f"expected text in {self._encoding}, found {found}", f"{self.name}:{line}") from None
        except UnicodeEncodeError as error:
            found = f"U+{ord(error.object[error.start]):04X}"
            raise DataError(f"expected text, found the lone surrogate {found}", f"{self.name}:{self._line}") from None
