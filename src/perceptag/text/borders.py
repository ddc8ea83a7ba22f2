"""Find places at which a file of sentences can be split without splitting a sentence or a document.

A border is found by reading forward from any position. So no worker has to read the whole file, and all workers find
the same border from the same position.

In files with blank lines a border stands behind a token line and the blank line that ends its sentence. Blank lines,
comments and marks of documents that follow belong to the next sentence. In JSON lines it stands behind a line, in
running text before a paragraph.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import IO, Any

from perceptag.text.lines import BYTE_ORDER_MARK, CHUNK, open_binary

_LINE_END = re.compile(rb"\r\n|\r|\n")
_COLUMN_MARK = re.compile(rb"[ \t]*-DOCSTART-(?:[ \t]|$)")
_CONLLU_MARK = re.compile(rb"#[ \t]*newdoc(?:[ \t]|$)")

Line = tuple[int, int, bytes]  # its start, the start of the next one, its bytes


@dataclass(frozen=True, slots=True)
class Border:
    """A position in a file; in JSON lines also the document of the sentence before it."""

    place: int
    document: object = None


def border(path: str, format_: str, place: int, comment: str = "", whole_documents: bool = False) -> Border:
    """Return the first border from this position on; both ends of a file are borders."""
    with open_binary(path) as file:
        size = file.seek(0, 2)
        if place <= 0 or place >= size:
            return Border(max(0, min(place, size)))
        lines = _lines(file, place)
        next(lines, None)  # it may have begun before this place
        found = _KINDS.get(format_, _in_paragraphs)(lines, comment.encode())
        if whole_documents:
            found = _of_documents(found, file, format_, comment.encode(), _first_mark(path, format_, size))
        for one in found:
            if _bytes_at(file, one.place, len(BYTE_ORDER_MARK)) != BYTE_ORDER_MARK:  # which has a meaning at a start
                return one
        return Border(size)


def lines_before(path: str, place: int) -> int:
    """Return the number of line ends before a position."""
    count, held = 0, b""
    with open_binary(path) as file:
        while place and (data := file.read(min(CHUNK, place))):
            place -= len(data)
            text = held + data
            held = b"\r" if text.endswith(b"\r") and place else b""
            count += len(_LINE_END.findall(text, 0, len(text) - len(held)))
    return count


def _lines(file: IO[bytes], place: int) -> Iterator[Line]:
    """Yield the lines of a file from a position on."""
    file.seek(place)
    rest = b""
    while data := file.read(CHUNK):
        here = file.tell()
        rest, start = rest + data, 0
        for end in _LINE_END.finditer(rest):
            if end[0] == b"\r" and end.end() == len(rest):
                break  # its LF may be next
            yield place + start, place + end.end(), rest[start : end.start()]
            start = end.end()
        place, rest = place + start, rest[start:]
        file.seek(here)  # another reader may have moved it
    if rest:
        yield place, place + len(rest), rest.removesuffix(b"\r")


def _in_paragraphs(lines: Iterator[Line], comment: bytes) -> Iterator[Border]:
    is_token = False
    for _, end, line in lines:
        is_blank = not line.strip(b" \t")
        if is_blank and is_token:
            yield Border(end)
        is_token = not is_blank and not _COLUMN_MARK.match(line) and not (comment and line.startswith(comment))


def _in_text(lines: Iterator[Line], comment: bytes) -> Iterator[Border]:
    """Yield paragraph starts of running text: a line of text after a line of text and one blank line."""
    del comment
    follows_text = is_between = False  # after a line of text, and after the one blank line that follows it
    for begin, _, line in lines:
        text = line.decode("utf-8", "replace")
        if is_between and text and not text[0].isspace():
            yield Border(begin)
        is_between = follows_text and not line.strip(b" \t")
        follows_text = bool(text.strip())


def _in_json_lines(lines: Iterator[Line], comment: bytes) -> Iterator[Border]:
    del comment
    for _, end, line in lines:
        if line.strip(b" \t"):
            yield Border(end, _document(line))


def _document(line: bytes) -> Any:
    """Return the document of a JSON line; None for an invalid line, which the reader of its part reports."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record.get("document") if isinstance(record, dict) else None


_KINDS: dict[str, Callable[[Iterator[Line], bytes], Iterator[Border]]] = {"jsonl": _in_json_lines, "text": _in_text}


def _of_documents(
    found: Iterator[Border], file: IO[bytes], format_: str, comment: bytes, first_mark: int
) -> Iterator[Border]:
    """Yield the borders that begin a document. Before the first mark every sentence is a document."""
    begins = _BEGINS[format_]
    for one in found:
        if one.place <= first_mark or begins(one, _lines(file, one.place), comment):
            yield one


def _column_mark_next(border_: Border, lines: Iterator[Line], comment: bytes) -> bool:
    del border_
    for _, _, line in lines:
        if line.strip(b" \t") and not (comment and line.startswith(comment)):
            return _COLUMN_MARK.match(line) is not None
    return False


def _conllu_mark_next(border_: Border, lines: Iterator[Line], comment: bytes) -> bool:
    del border_, comment
    for _, _, line in lines:
        if _CONLLU_MARK.match(line):
            return True
        if line.strip(b" \t") and not line.startswith(b"#"):
            return False
    return False


def _other_document_next(border_: Border, lines: Iterator[Line], comment: bytes) -> bool:
    del comment
    following = next((line for _, _, line in lines if line.strip(b" \t")), None)
    return following is not None and _document(following) != border_.document


_BEGINS: dict[str, Callable[[Border, Iterator[Line], bytes], bool]] = {
    "columns": _column_mark_next,
    "conllu": _conllu_mark_next,
    "jsonl": _other_document_next,
}
_MARKS = {
    "columns": re.compile(rb"-DOCSTART-"),
    "conllu": re.compile(rb"newdoc"),
    "jsonl": re.compile(rb'"document"|\\u00[67]'),  # a letter of the key may be written as its number
}
_LONGEST_MARK = 10


@lru_cache(256)
def _first_mark(path: str, format_: str, size: int) -> int:
    """Return the position of the first document mark, or the end of the file."""
    mark, held, place, line = _MARKS[format_], b"", 0, 0
    with open_binary(path) as file:
        while data := file.read(CHUNK):
            text = held + data
            if found := mark.search(text):
                return max(line, place + 1 + max(text.rfind(end, 0, found.start()) for end in (b"\n", b"\r")))
            ends = max(text.rfind(b"\n"), text.rfind(b"\r"))
            line = place + ends + 1 if ends >= 0 else line
            held = text[-_LONGEST_MARK:]
            place += len(text) - len(held)
    return size


def _bytes_at(file: IO[bytes], place: int, size: int) -> bytes:
    file.seek(place)
    return file.read(size)
