"""Texts and words in JSON or in a table: `tag` makes sentences of them and writes JSON lines.

Most files are something else, and need not wait for what reads such lists: it is imported where it is used.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from perceptag.errors import DataError, SettingError
from perceptag.pipeline.pipeline import Pipeline
from perceptag.system.given_file import facts_of
from perceptag.system.strict_json import strict_loads
from perceptag.text.format import FormatLike
from perceptag.text.lines import name_of, open_input, start_of_standard_input

_HEAD = 1 << 16  # bytes of the first line that are looked at
_JSON, _ROWS, _TABLE, _PARQUET = "jsonl", "parquet", ".csv", b"PAR1"
_BEGINS = (b"{", b"[")  # of JSON
_TOLD = "a list of texts; each of them is a document"


class TextListError(DataError):
    """A record of a list of texts has no text: no other command makes sentences of it."""


def _may_be_table(path: str) -> bool:
    """Return whether the first line of a file may be a header."""
    line = _first_line(path).lower()
    names = (b"word", b"token", b"form", b"text", b"sentence", b"content")
    is_table = any(separator in line for separator in b",;\t|") and any(name in line for name in names)
    if path != "-" or not is_table:
        return is_table
    from perceptag.foreign.table_header import names_columns  # what follows reads all of standard input

    return names_columns(line.decode("utf-8", "replace").strip("\ufeff"))


def refuse_table(path: str, further: str = "") -> None:
    """Refuse a table with a header, and say what makes sentences of it, and what `further` can be done."""
    if _may_be_table(path):
        from perceptag.foreign.intake import table_header
        from perceptag.foreign.table_header import names_words

        if (header := table_header(path)) is not None:
            texts = "; --text text tags its texts" if "text" in header.names else ""
            raise DataError(f"{way_in('a table with a header', path)}{texts}{further}", path)
        names = re.split(rb"[,;\t|]", _first_line(path).strip())
        if names_words([name.decode("utf-8", "replace").strip('" \ufeff') for name in names]):
            told = "expected one word on a line, and a blank line after each sentence, found a table of words"
            raise DataError(f"{told} whose header is {_first_line(path).decode('utf-8', 'replace').strip()!r}", path)
    if path.lower().endswith(_TABLE):
        from perceptag.foreign.file_hints import unknown_columns

        if columns := unknown_columns(path):
            shown = ", ".join(columns)
            how = (
                "--text NAME names the one that has the texts; a table of words needs the columns sentence_id and token"
            )
            raise DataError(f"a table with the columns {shown}: {how}", path)


def way_in(title: str, path: str) -> str:
    """Say what a file of another tool is, and which command makes sentences of it."""
    encoding = facts_of(path).encoding
    how = f" --encoding {encoding}" if encoding else ""
    return f"recognised as {title}; 'perceptag convert {path} sentences.jsonl{how}' makes sentences of it"


def is_list(path: str, format_: FormatLike = None) -> bool:
    """Return whether a file has a text or a word in each record or row, and no labels.

    `format_`: what the user says that it is; standard input must look like such a list at its beginning.
    """
    if facts_of(path).text:
        return True
    name = getattr(format_, "name", format_)
    if format_ and name not in (_JSON, _ROWS):
        return False
    line = _first_line(path)
    if line.startswith(_PARQUET) or name == _ROWS:
        return name != _JSON and line.startswith(_PARQUET) and _are_texts(path)
    is_json = line.lstrip(b"\xef\xbb\xbf ")[:1] in _BEGINS
    may_be_table = not format_ and (_may_be_table(path) or (path.lower().endswith(_TABLE) and bool(line.strip())))
    if (is_json and b'"tokens"' in line) or not (is_json or may_be_table):
        return False
    if is_json:
        return _are_texts_in_json(path, line)
    from perceptag.foreign.intake import table_header

    header = table_header(path)
    return header is not None and (header.layout == "bare" or (header.layout == "tokens" and not header.has_tags))


def _are_texts_in_json(path: str, line: bytes) -> bool:
    """Return whether a file has only texts; that of a stream is shown by its first line, if it is a whole value."""
    from perceptag.foreign import bare_texts
    from perceptag.foreign.json_records import are_texts

    value = _value(line) if path == "-" else None
    if isinstance(value, dict):
        return bare_texts.is_mine(value)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return are_texts(value)
    return _are_texts(path)


def _are_texts(path: str) -> bool:
    from perceptag.foreign import bare_texts
    from perceptag.foreign.intake import recognise

    return (found := recognise(path)) is not None and found.title == bare_texts.TITLE


def _value(line: bytes) -> object:
    """Return what a line is in JSON; None if it is not a whole value."""
    try:
        return strict_loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None


def is_json_stream() -> bool:
    """Return whether standard input begins with JSON: an object, a list of strings or objects, or a bracket alone."""
    line = _first_line("-").strip()
    value = _value(line) if line[:1] in _BEGINS else None
    is_list = isinstance(value, list) and bool(value) and all(isinstance(one, (str, dict)) for one in value)
    return isinstance(value, dict) or is_list or line in (*_BEGINS, b"[{")


def hint_on_texts(path: str) -> str:
    """Say which option tags only the texts of JSON records; an empty string if the first one seems to have none."""
    value = _value(_first_line(path))
    record = next(iter(value), None) if isinstance(value, list) else value
    texts = (
        [key for key, one in record.items() if isinstance(one, str) and " " in one] if isinstance(record, dict) else []
    )
    key = "text" if "text" in texts else next(iter(texts), "")
    return f"--text {key} tags only the texts" if key else ""


def as_json_lines(path: str, opened: Pipeline, note: Callable[[str], object] = str) -> Any:
    """Return the sentences of a list as JSON lines; each text is a document."""
    from perceptag.foreign.intake import recognise, summed_up, texts_of
    from perceptag.foreign.read_export import as_jsonl, words_of

    if path == "-" and isinstance(_value(_first_line(path)), dict) and opened.tokenizer is not None:
        from perceptag.foreign.read_export import SentenceStream

        note(f"note: {name_of(path)}: {_TOLD}")
        return SentenceStream(path, words_of(opened), facts_of(path).text, note)
    recognised = texts_of(path) if facts_of(path).text else recognise(path)
    assert recognised is not None
    try:
        found = recognised.read(words_of(opened) if opened.tokenizer is not None else None, False)
    except DataError as error:
        raise TextListError(str(error)) from None
    except SettingError as error:
        raise SettingError(f"{error}; --tokenizer en names one") from None
    has_texts = any(sentence.offsets for sentence in found.sentences)
    told = _TOLD if has_texts else "a table of words"
    for one in (f"{name_of(path)}: {told}", *summed_up(found.notes)):
        note(type(one)(f"note: {one}"))
    stream = io.BytesIO(as_jsonl(found.sentences))
    stream.name = name_of(path)  # for messages
    return stream


def _first_line(path: str) -> bytes:
    """Return the first line of a file in UTF-8; of standard input as far as it can be seen without reading it."""
    if path == "-":
        return start_of_standard_input().partition(b"\n")[0]
    if not Path(path).is_file():
        return b""
    try:
        with open_input(path) as (stream, _):
            return bytes(stream.read(_HEAD)).partition(b"\n")[0]
    except (OSError, DataError):  # its reader says what is wrong
        return b""
