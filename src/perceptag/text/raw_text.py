"""Split running text into parts that can be tokenised independently.

A tokeniser never looks beyond a paragraph, so text is cut at blank lines. A paragraph longer than `LONGEST` characters
is cut behind the last white space before that many, or in the middle of a word if there is none, as if it ended there.
Where text is cut depends on the text alone, not on how much of it is read at once, unless `LONGEST` characters of white
space follow each other.

A blank line with a form feed (U+000C, Ctrl-L) marks the end of a document. Text is cut behind the mark as soon as it is
there, so that a document need not wait for the next one.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

from perceptag.errors import DataError
from perceptag.text.lines import OTHER_ENCODING, Source, byte_chunks, first_line, open_input
from perceptag.text.treebank import BLANK_LINE, LINE_END

LONGEST = 1 << 20  # characters of a paragraph
AT_ONCE = 1 << 16  # characters that are tokenised at once, if paragraphs are shorter
FORM_FEED = "\f"
_MARK = re.compile(rf"(?:\A|(?<=[\r\n]))[^\S\r\n\f]*\f[^\S\r\n]*{LINE_END}")
_FIRST_BLANK_LINE = re.compile(rf"{LINE_END}[^\S\r\n]*{LINE_END}")
_FIRST_LINE_END = re.compile(rf"[^\S\r\n]*{LINE_END}")
_LINE_GAP = re.compile(rf"{_FIRST_LINE_END.pattern}\s*")


def document_mark(gap: str) -> re.Match[str] | None:
    """Return the first mark of a document in white space."""
    return _MARK.search(gap) if FORM_FEED in gap else None


def parts(blocks: Iterable[str], at_once: bool = False, by_line: bool = False) -> Iterator[str]:
    """Cut a stream of text into parts that can be tokenised by themselves.

    With `at_once`, a paragraph ends behind the first blank line, and does not wait for what follows: more white space
    belongs to the next paragraph. With `by_line` as well, each line is a paragraph.
    """
    rest = ""
    for block in blocks:
        rest += block
        done = last = 0
        for last, is_wanted in _cuts(rest, at_once, at_once and by_line):
            if is_wanted or last - done >= AT_ONCE:
                yield rest[done:last]
                done = last
        if last > done:
            yield rest[done:last]
        rest = rest[last:]
    if rest:
        yield rest


def _cuts(text: str, at_once: bool, by_line: bool) -> Iterator[tuple[int, bool]]:
    """Yield the ends of paragraphs in an incomplete text, the cuts of long ones, and whether a part must end there."""
    paragraph = 0
    first_end = _FIRST_LINE_END.match if by_line else _FIRST_BLANK_LINE.match if at_once else document_mark
    for gap in (_LINE_GAP if by_line else BLANK_LINE).finditer(text):
        found = first_end(gap.group())
        end = min(gap.start() + found.end() if found else gap.end(), gap.start() + LONGEST)
        is_open = end == len(text) and (found is None or text.endswith("\r"))
        for cut in _cuts_of_paragraph(text, paragraph, gap.start()):
            yield cut, False
            paragraph = cut
        if is_open and len(text) - gap.start() < LONGEST:
            return  # the gap may have more to come
        if not text[paragraph : gap.start()].strip():
            continue  # white space before the first token belongs to it
        paragraph = end
        yield end, found is not None
    end = len(text.rstrip())  # a gap does not count, because it may contain a blank line in the end
    for cut in _cuts_of_paragraph(text, paragraph, end if len(text) - end < LONGEST else len(text)):
        yield cut, False


def _cuts_of_paragraph(text: str, start: int, end: int) -> Iterator[int]:
    while end - start > LONGEST:
        start = _behind_last_space(text, start, start + LONGEST)
        yield start


def _behind_last_space(text: str, start: int, end: int) -> int:
    return next((place for place in range(end, start, -1) if text[place - 1].isspace()), end)


def read_blocks(source: Source) -> Iterator[str]:
    """Read text in UTF-8 from a file, an open stream or, for ``-``, standard input. Line ends stay as they are.

    A byte order mark at the start is dropped; it does not count in offsets.
    """
    with open_input(source) as (stream, name):
        decoder = codecs.getincrementaldecoder("utf-8-sig")()
        line = first_line(stream)
        for chunk in _with_end(byte_chunks(stream, name)):
            text = _decode(decoder, chunk, name, line)
            line += text.count("\n")
            yield text


def _with_end(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Append an empty piece, which tells the decoder that no more bytes follow."""
    yield from chunks
    yield b""


def _decode(decoder: codecs.IncrementalDecoder, chunk: bytes, name: str, line: int) -> str:
    try:
        text = decoder.decode(chunk, not chunk)
    except UnicodeDecodeError as error:
        line += error.object.count(b"\n", 0, error.start)
        message = f"invalid UTF-8: byte 0x{error.object[error.start]:02X}; {OTHER_ENCODING}"
        raise DataError(message, f"{name}:{line}") from None
    if "\0" in text:
        line += text.count("\n", 0, text.index("\0"))
        raise DataError(f"NUL character; is this text in UTF-8? {OTHER_ENCODING}", f"{name}:{line}")
    return text
