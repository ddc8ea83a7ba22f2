"""Lists of texts, as JSON lines or as a table: `tag` tokenises each text and writes sentences as JSON lines.

Most files are something else, and need not wait for what reads such lists: it is imported where it is used.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable
from pathlib import Path

from perceptag.errors import DataError
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.given_file import facts_of

_HEAD = 1 << 16  # bytes of the first line that are looked at


class TextListError(DataError):
    """A record of a list of texts has no text: no other command makes sentences of it."""


def may_be_table(path: str) -> bool:
    """Return whether the first line of a file may be a header."""
    line = _first_line(path).lower()
    names = (b"word", b"token", b"form", b"text", b"sentence", b"content")
    return any(separator in line for separator in b",;\t|") and any(name in line for name in names)


def refuse_table(path: str, further: str = "") -> None:
    """Refuse a table with a header, and say what makes sentences of it, and what `further` can be done."""
    if may_be_table(path):
        from perceptag.foreign.header_tables import names_words
        from perceptag.foreign.intake import has_header

        if has_header(path):
            raise DataError(f"{way_in('a table with a header', path)}{further}", path)
        names = re.split(rb"[,;\t|]", _first_line(path).strip())
        if names_words([name.decode("utf-8", "replace").strip('" \ufeff') for name in names]):
            told = "expected one word on a line, and a blank line after each sentence, found a table of words"
            raise DataError(f"{told} whose header is {_first_line(path).decode('utf-8', 'replace').strip()!r}", path)


def way_in(title: str, path: str) -> str:
    """Say what a file of another tool is, and which command makes sentences of it."""
    encoding = facts_of(path).encoding
    how = f" --encoding {encoding}" if encoding else ""
    return f"recognised as {title}; 'perceptag convert {path} sentences.jsonl{how}' makes sentences of it"


def is_list_of_texts(path: str) -> bool:
    """Return whether a file has a text in each record or row, and no labels."""
    line = _first_line(path)
    is_json = line.lstrip(b"\xef\xbb\xbf [").startswith(b"{")
    if (is_json and b'"tokens"' in line) or not (is_json or may_be_table(path)):
        return False
    from perceptag.foreign import bare_texts
    from perceptag.foreign.intake import recognise, table_header

    if is_json:
        return (found := recognise(path)) is not None and found.title == bare_texts.TITLE
    header = table_header(path)
    return header is not None and header.layout == "bare"


def as_json_lines(path: str, opened: Pipeline, note: Callable[[str], object] = str) -> io.BytesIO:
    """Return the sentences of a list of texts as JSON lines; each text is a document."""
    from perceptag.foreign.intake import recognise, summed_up
    from perceptag.foreign.read_export import as_jsonl, words_of

    recognised = recognise(path)
    assert recognised is not None
    try:
        found = recognised.read(words_of(opened), False)
    except DataError as error:
        raise TextListError(str(error)) from None
    for told in (f"{path}: a list of texts; each of them is a document", *summed_up(found.notes)):
        note(f"note: {told}")
    stream = io.BytesIO(as_jsonl(found.sentences))
    stream.name = path  # for messages
    return stream


def _first_line(path: str) -> bytes:
    with Path(path).open("rb") as file:
        head = file.read(_HEAD)
    encoding = facts_of(path).encoding or "utf-16"
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or encoding.startswith("utf-16-"):
        head = head.decode(encoding, "replace").encode()
    return head.partition(b"\n")[0]
