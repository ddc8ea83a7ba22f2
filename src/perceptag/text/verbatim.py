"""The exact bytes of each sentence of a file, with comments, document marks, spaces and line ends.

    -DOCSTART- -X- O      ┐
                          │ of the first sentence: what stands before it, its lines, and the blank line after it
    EU NNP B-ORG          │
                          ┘
                          ┐ of the second one: further blank lines stand before the next sentence
    He PRP O              ┘

Together the pieces are the file, except for a byte order mark.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from perceptag.text.format import Format, Names
from perceptag.text.lines import BYTE_ORDER_MARK, Source, byte_chunks, open_input
from perceptag.text.sentence import Sentence

_MARK = b"-DOCSTART-"


class NamedBytes(io.BytesIO):
    """Bytes that were read from a file, with its name for messages."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def read_bytes(source: Source) -> NamedBytes:
    """Return all bytes of a file, a stream or, for ``-``, standard input."""
    with open_input(source) as (stream, name):
        return NamedBytes(b"".join(byte_chunks(stream, name)), name)


def read_verbatim(source: Source, format_: Format, columns: Names | None) -> tuple[list[Sentence], list[bytes]]:
    """Return the sentences of a file and the bytes of each; no bytes if the file is not text."""
    if not format_.unit:
        return list(format_.read(source, columns)), []
    file = read_bytes(source)
    sentences = list(format_.read(file, columns))
    return sentences, cut(file.getvalue().removeprefix(BYTE_ORDER_MARK), sentences, format_)


def cut(data: bytes, sentences: Sequence[Sentence], format_: Format) -> list[bytes]:
    """Split a file into the pieces of its sentences by their lines."""
    lines = data.splitlines(keepends=True)  # of bytes: at LF, CRLF and CR only
    pieces: list[bytes] = []
    start = 0
    for sentence in sentences:
        end = sentence.line if format_.unit == "line" else _end(lines, _last_line(sentence))
        pieces.append(b"".join(lines[start:end]))
        start = end
    if pieces:
        pieces[-1] += b"".join(lines[start:])  # what stands after the last sentence
    return pieces


def joined(pieces: Sequence[bytes], format_: Format) -> bytes:
    """Join pieces to a file. If the last piece of a file is not at the end any more, its line ends are completed."""
    return b"".join([*(_closed(piece, format_) for piece in pieces[:-1]), *pieces[-1:]])


def _closed(piece: bytes, format_: Format) -> bytes:
    lines = piece.splitlines(keepends=True)
    end = b"\r\n" if piece.endswith(b"\r\n") or lines[0].endswith(b"\r\n") else b"\n"
    if not piece.endswith((b"\n", b"\r")):
        piece += end
    is_blank = not lines[-1].strip(b" \t\r\n")
    return piece if format_.unit == "line" or is_blank else piece + end


def _last_line(sentence: Sentence) -> int:
    """Return the number of the line of the last token."""
    last = len(sentence) - 1
    return sentence.line + (last if sentence.layout is None else sentence.layout.line_of(last))


def _end(lines: Sequence[bytes], after: int) -> int:
    """Return the number of the blank line that ends a sentence, or of the last line before a mark of a document."""
    for number in range(after, len(lines)):
        text = lines[number].strip(b" \t\r\n")
        if not text:
            return number + 1
        if text.split()[0] == _MARK:
            return number
    return len(lines)
