"""Decode bytes into lines of text, in the same way for every format.

    file, "-" or stream ─▶ chunks of bytes ─▶ whole lines, decoded ─▶ whole paragraphs
                            any size          UTF-8, line ends "\\n"    cut after a blank line

Text is handled in blocks of many lines, because a Python step per line would cost more than all the rest.
Lines end in LF, CRLF or CR; the last line may have no end. A byte order mark at the start is dropped. Nothing else
separates lines: U+2028, NEL and form feed are ordinary characters, so `str.splitlines` is not used.
"""

from __future__ import annotations

import codecs
import io
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from perceptag._core import has_indented_line
from perceptag.errors import DataError, FileWarning, SettingError, brief, reason
from perceptag.system.compression import Decompressed, first_bytes, of_file
from perceptag.system.given_file import AUTO, facts_of
from perceptag.system.read_positions import watched

Source: TypeAlias = "str | os.PathLike[str] | IO[bytes] | IO[str] | PartStream"

MAX_LINE = 1 << 26  # bytes: a longer line is hardly text, and it would be held in memory until it ended
CHUNK = 1 << 17  # bytes asked for at once; speed is flat from 64 KiB to 1 MiB
BYTE_ORDER_MARK = "\ufeff".encode()
OTHER_ENCODING = "--encoding names another encoding, such as latin-1, cp1252 or utf-16"
_ZLIB = b"x\x9c"  # the first bytes of what spaCy's DocBin writes; no text in UTF-8 begins with them
_TWICE = b"\r\r\n"
_WHITE_LINE = re.compile(r"^[ \t]+$", re.MULTILINE)


class Block(NamedTuple):
    """Lines of one source: every line in `text` ends in ``"\\n"``."""

    source: str
    line: int  # number of the first line
    text: str


def whole_lines(source: Source) -> Iterator[Block]:
    """Read `source` in blocks that end at a line end."""
    return (block for block, _ in _counted_lines(source))


def _counted_lines(source: Source, *, has_paragraphs: bool = False) -> Iterator[tuple[Block, int]]:
    """Yield blocks with the number of the line after each. Line ends may look like blank lines if `has_paragraphs`."""
    with open_input(source) as (stream, name):
        given = byte_chunks(stream, name)
        chunks = _unify_line_ends(_without_double_ends(given, name) if has_paragraphs else given)
        for line, end, data in _cut_after_lines(chunks, name, first_line(stream)):
            kept = data.removeprefix(BYTE_ORDER_MARK) if line == 1 else data
            yield Block(name, line, _decode(kept, name, line)), end


def read_text(source: Source) -> str:
    """Return all lines of `source` as one string."""
    return "".join(block.text for block in whole_lines(source))


def whole_paragraphs(source: Source) -> Iterator[Block]:
    """Read `source` in blocks that end at a blank line; lines of spaces and tabs are blank and come out empty."""
    parts: list[str] = []  # of a paragraph whose end has not been read yet
    first = first_line(source)
    name = ""
    for (name, _, raw), end in _counted_lines(source, has_paragraphs=True):
        text = _empty_white_lines(raw)
        # The last part ended with a line end, so the first line here may be the blank one.
        cut = text.rfind("\n\n") + 2 if "\n\n" in text else int(text.startswith("\n"))
        if cut:
            yield Block(name, first, "".join([*parts, text[:cut]]))
            parts, first = [], end - text.count("\n", cut)  # what is left is short
        parts.append(text[cut:])
    if rest := "".join(parts):
        yield Block(name, first, rest)


def paragraphs(block: Block) -> Iterator[tuple[int, str]]:
    """Cut a block at its blank lines; yield the number of each first line, and the text without its last line end."""
    line = block.line
    for text in block.text.split("\n\n"):
        body = text.strip("\n")
        if body:
            yield (line if body is text else line + text.index(body[0])), body
        line += text.count("\n") + 2


@contextmanager
def open_input(source: Source) -> Iterator[tuple[Any, str]]:
    """Open `source` for reading; yield the stream and its name for messages. ``-`` is standard input.

    A compressed file, and compressed standard input, is decompressed, and text in another encoding that the user names
    (`GivenFile`) or that a byte order mark shows becomes UTF-8. A stream is used as it is and left open.
    """
    with open_raw(source) as (stream, name):
        yield as_utf8(stream, name, source), name


def as_utf8(stream: Any, name: str, source: Source) -> Any:
    """Return a stream of the bytes of a file without compression and in UTF-8, if it is a file of text."""
    if not isinstance(source, (str, os.PathLike)):
        return stream
    way = of_file(stream, name)
    encoding = facts_of(source).encoding
    if is_utf8(encoding):
        encoding = "" if way else encoding_by_mark(first_bytes(stream, name))
    plain: Any = Decompressed(stream, way, name) if way else stream
    return Transcoded(plain, name, encoding) if encoding else plain


@contextmanager
def open_raw(source: Source) -> Iterator[tuple[Any, str]]:
    """Open `source` as `open_input` does, but leave a compressed file compressed.

    Standard input is read as bytes, regardless of the locale.
    """
    if not isinstance(source, (str, os.PathLike)):
        if not hasattr(source, "read"):
            raise SettingError(f"source: expected a path or an open stream, found {brief(source)}")
        yield source, name_of(source)
    elif source == "-":
        yield _held_input() or getattr(sys.stdin, "buffer", sys.stdin), name_of(source)
    else:
        name = os.fspath(source)
        if not isinstance(name, str):
            raise SettingError(f"source: expected a path or an open stream, found {brief(source)}")
        try:
            stream = Path(name).open("rb")  # noqa: SIM115, closed below
        except (OSError, ValueError) as error:  # ValueError: a NUL in the name
            raise DataError(f"cannot read: {reason(error)}", where=name) from None
        with stream, watched(stream, name):
            yield stream, name


def refuse_missing(paths: Iterable[str]) -> None:
    """Refuse files that are not there, before others are read; empty names and standard input are left out."""
    path = ""
    try:
        for path in paths:
            if path not in ("", "-"):
                Path(path).stat()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise DataError(f"cannot read: {reason(error)}", where=path) from None


_held: list[tuple[object, bytes]] = []  # standard input and its bytes, if they were held


def hold_standard_input() -> None:
    """Buffer standard input, so that its format can be detected before it is parsed."""
    if _held_input() is None:
        with open_raw("-") as (stream, name):
            _held[:] = [(sys.stdin, b"".join(byte_chunks(stream, name)))]


def start_of_standard_input() -> bytes:
    """Return the first bytes of standard input, which are read again afterwards; none if they cannot be looked at."""
    if (held := _held_input()) is not None:
        return held.getvalue()
    peek = getattr(getattr(sys.stdin, "buffer", None), "peek", None)
    return bytes(peek(1)) if peek else b""


def forget_standard_input() -> None:
    """Free the memory of what was held."""
    _held.clear()


def _held_input() -> io.BytesIO | None:
    """Return a stream of the bytes that were held, from their beginning."""
    return next((io.BytesIO(data) for stream, data in _held if stream is sys.stdin), None)


def name_of(source: Source) -> str:
    """Return the name of a source for messages."""
    if isinstance(source, (str, os.PathLike)):
        return "<stdin>" if source == "-" else os.fspath(source)
    return str(getattr(source, "name", "<stream>"))


def checked_path(path: object, argument: str) -> str:
    """Return a path as a string; refuse anything but a string or an `os.PathLike` of one."""
    name = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(name, str) or "\0" in name:
        raise SettingError(f"{argument}: expected a path (a string or os.PathLike), found {brief(path)}")
    return name


def byte_chunks(stream: IO[Any], name: str) -> Iterator[bytes]:
    """Read a stream in pieces of any size."""
    # read1 returns what a pipe already holds, so a sentence need not wait for the next ones.
    read = getattr(stream, "read1", stream.read)
    while True:
        try:
            chunk = read(CHUNK)
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"cannot read: {reason(error)}", where=name) from None
        if not chunk:
            return
        yield chunk.encode("utf-8", "surrogatepass") if isinstance(chunk, str) else chunk


def _without_double_ends(chunks: Iterable[bytes], name: str) -> Iterator[bytes]:
    before = b""  # the last bytes: an end may begin in one chunk and go on in the next
    for chunk in chunks:
        if _TWICE in chunk or _TWICE in before + chunk[:2]:
            raise double_ends(name)
        before = (before + chunk[-2:])[-2:]
        yield chunk


def double_ends(name: str) -> DataError:
    """Return the error of a file in which a blank line would follow each line."""
    return DataError(
        "expected lines that end in LF, CRLF or CR, found CR CR LF, which a program on Windows writes if it ends "
        "lines twice; in Python, open(..., newline='') prevents it",
        name,
    )


def _unify_line_ends(chunks: Iterable[bytes]) -> Iterator[bytes]:
    held = b""  # a CR at the end of a chunk: the LF of a CRLF may be next
    for chunk in chunks:
        if not held and b"\r" not in chunk:
            yield chunk
            continue
        text = held + chunk
        held = b"\r" if text.endswith(b"\r") else b""
        yield text[: len(text) - len(held)].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if held:
        yield b"\n"


def _cut_after_lines(chunks: Iterable[bytes], name: str, line: int) -> Iterator[tuple[int, int, bytes]]:
    """Yield the number of the first line, of the line after the last, and the lines. The first of all is `line`.

    A line with a NUL is yielded at once, since it is an error.
    """
    parts: list[bytes] = []  # of a line whose end has not been read yet
    size = 0  # of these parts
    for chunk in chunks:
        cut = chunk.rfind(b"\n") + 1
        if size + (chunk.index(b"\n") if cut else len(chunk)) > MAX_LINE:
            raise DataError(f"expected a line of at most {MAX_LINE} bytes, found a longer one", where=f"{name}:{line}")
        if cut:
            data = b"".join([*parts, chunk[:cut]])
            end = line + data.count(b"\n")
            yield line, end, data
            line = end
            parts, size = [], 0
        parts.append(chunk[cut:])
        size += len(chunk) - cut
        if b"\0" in parts[-1]:
            break
    if rest := b"".join(parts):
        yield line, line + 1, rest + b"\n"


def _decode(data: bytes, name: str, line: int) -> str:
    refuse_docbin(data, name)
    if b"\0" in data:
        at = data.index(b"\0")
        raise DataError(
            f"NUL character {_place(data, at)}; is this text in UTF-8? {OTHER_ENCODING}", _where(data, at, name, line)
        )
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
        message = f"invalid UTF-8: byte 0x{data[at]:02X} {_place(data, at)}; {OTHER_ENCODING}"
        raise DataError(message, _where(data, at, name, line)) from None


def refuse_docbin(data: bytes, name: str) -> None:
    """Refuse what begins as files of spaCy do, and say what reads them."""
    if data.startswith(_ZLIB):
        raise DataError(
            "expected text in UTF-8, found data compressed with zlib; if it is a DocBin file of spaCy, "
            "perceptag.spacy.to_sentences takes its documents",
            name,
        )


def _where(data: bytes, at: int, name: str, line: int) -> str:
    line += data.count(b"\n", 0, at)
    return f"{name}:{line}"


def _place(data: bytes, at: int) -> str:
    column = at - data.rfind(b"\n", 0, at)
    return f"at byte {column} of the line"


def _empty_white_lines(text: str) -> str:
    return _WHITE_LINE.sub("", text) if has_indented_line(text) else text


class PartStream:
    """The bytes of a file from `begin` to `end`."""

    def __init__(self, file: IO[bytes], path: str, begin: int, end: int) -> None:
        self.name = path  # for messages
        self.begin = begin
        self.line = 1 if begin == 0 else 2  # number of the first line; only errors need the true one
        self.document: object = None  # of the sentence before it, in JSON lines
        self._file = file
        self._left = end - begin
        file.seek(begin)

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes."""
        data = self._file.read(self._left if size < 0 else min(size, self._left))
        self._left -= len(data)
        return data


@contextmanager
def open_part(path: str, begin: int, end: int) -> Iterator[PartStream]:
    """Open a stretch of a file."""
    with open_binary(path) as file:
        yield PartStream(file, path, begin, end)


@contextmanager
def open_binary(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a file, or raise `DataError` if that fails."""
    try:
        file = Path(path).open("rb")  # noqa: SIM115, closed below
    except OSError as error:
        raise DataError(f"cannot read: {reason(error)}", where=os.fspath(path)) from None
    with file:
        yield file


def first_line(source: object) -> int:
    """Return the number of the first line of a source."""
    return source.line if isinstance(source, PartStream) else 1


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


def keeps_encoding(path: str) -> bool:
    """Return whether a file is read as UTF-8, which is what is written."""
    encoding = facts_of(path).encoding
    if not is_utf8(encoding):
        return False
    with open_raw(path) as (stream, name):
        return not encoding_by_mark(first_bytes(stream, name))


def is_utf8(encoding: str) -> bool:
    """Return whether text in this encoding is read as it is."""
    return not encoding or encoding == AUTO or codecs.lookup(encoding).name in ("utf-8", "utf-8-sig")


def _has_single_bytes(encoding: str) -> bool:
    """Return whether every byte is a character, as in latin-1, so that anything can be read as such text."""
    return len(bytes(range(128, 256)).decode(encoding, "replace")) == 128


def _is_utf8_text(chunk: bytes) -> bool:
    """Return whether bytes, which may end inside a character, are UTF-8. Those of other encodings hardly ever are."""
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(chunk)
    except UnicodeDecodeError:
        return False
    return not text.isascii()


class Transcoded:
    """The bytes of a stream of text, in UTF-8. Other bytes raise `DataError`."""

    def __init__(self, stream: IO[Any], name: str, encoding: str) -> None:
        self.name = name
        self._read = getattr(stream, "read1", stream.read)
        self._encoding = encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._may_be_utf8 = _has_single_bytes(encoding)
        self._line = 1

    def read(self, size: int = _PIECE) -> bytes:
        """Return some text, not many more bytes than `size`; nothing at the end. A negative number asks for all."""
        if size < 0:
            return b"".join(iter(self.read, b""))
        while chunk := self._read(min(size, _PIECE)):
            if text := self._decoded(chunk, False):
                return text
        return self._decoded(b"", True)

    def _read_as_utf8(self) -> None:
        """Read what is UTF-8 as UTF-8, and say so: every letter with an accent would become two others."""
        import warnings  # of files in the encoding that is named nothing is said

        told = f"{self.name}: the text is UTF-8, not {self._encoding}, and is read as UTF-8"
        warnings.warn(told, FileWarning, stacklevel=2)
        self._encoding = "utf-8"
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def _decoded(self, chunk: bytes, is_end: bool) -> bytes:
        if self._may_be_utf8 and not chunk.isascii():
            self._may_be_utf8 = False
            if _is_utf8_text(chunk):
                self._read_as_utf8()
        try:
            text = self._decoder.decode(chunk, is_end)
            self._line += text.count("\n")
            return text.encode()
        except UnicodeEncodeError as error:
            found = f"U+{ord(error.object[error.start]):04X}"
            raise DataError(f"expected text, found the lone surrogate {found}", f"{self.name}:{self._line}") from None
        except UnicodeDecodeError as error:
            line = self._line + error.object.count(b"\n", 0, error.start)
            if line > 1 or error.start or not self._needs_mark():
                found = f"the byte 0x{error.object[error.start]:02X}"
                raise DataError(f"expected text in {self._encoding}, found {found}", f"{self.name}:{line}") from None
            raise self._no_mark() from None
        except UnicodeError as error:
            if self._needs_mark():
                raise self._no_mark() from None
            raise DataError(f"expected text in {self._encoding}: {error}", f"{self.name}:{self._line}") from None

    def _needs_mark(self) -> bool:
        return codecs.lookup(self._encoding).name in ("utf-16", "utf-32")

    def _no_mark(self) -> DataError:
        """Return the error of a file without the mark that such an encoding begins with."""
        hint = f"--encoding {self._encoding}-le or {self._encoding}-be needs none"
        return DataError(f"expected text in {self._encoding} with a byte order mark, found none; {hint}", self.name)
