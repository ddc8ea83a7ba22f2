"""Detect the format of a file by its content, and read its sentences and labels.

    bytes, a folder or a pattern ─▶ recognise ─▶ reader ─▶ sentences, notes, and what was recognised

perceptag's own formats (column files, CoNLL-U, JSON lines, Parquet) are not read here: `recognise` returns None.
"""

from __future__ import annotations

import glob
import json
import math
import os
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from perceptag.errors import DataError, LostLabel, SettingError
from perceptag.foreign import bare_texts, brat, header_tables, spacy, token_lists
from perceptag.foreign.file_hints import HEAD, can_be_read_twice, head_of, header_names, lines_of
from perceptag.foreign.json_records import Record, records, with_text_under
from perceptag.foreign.read_export import TOOLS, ForeignFile, Tokenize, fit_texts, foreign_tool, read_foreign
from perceptag.foreign.table_header import Header, header_of, only_column
from perceptag.foreign.texts import keys_of
from perceptag.system.given_file import NO_FACTS, FileFacts, GivenFile, facts_of
from perceptag.text.lines import OTHER_ENCODING
from perceptag.text.verbatim import read_bytes

DOCBIN, DOCBIN_TITLE = "docbin", "DocBin of spaCy"
READ = (*TOOLS, brat.NAME, header_tables.NAME, DOCBIN)  # names of what is read
_ZLIB = b"x\x9c"  # how a DocBin begins, and no text in UTF-8
_PARQUET = b"PAR1"
_SHOWN = 3  # notes of one kind that are shown one by one
_SPACE = b"\xef\xbb\xbf \t\r\n"
_JSON_BEGINS = (b"{", b"[")
_DETAILS = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")
_PLACE = re.compile(r"(.+?(?::\d+|, (?:record|document|example) \d+)): (.*)", re.DOTALL)


class Recognised(NamedTuple):
    """A file of another tool: what it is called, and what reads it."""

    title: str
    read: Callable[[Tokenize | None, bool], ForeignFile]


def is_several(path: str) -> bool:
    """Return whether a path is a folder, or a pattern of files."""
    return path != "-" and (Path(path).is_dir() or (glob.has_magic(path) and not Path(path).exists()))


def is_brat(path: str) -> bool:
    """Return whether a path names a file .ann, or several files, which must be of brat."""
    return path.endswith(brat.ENDING) or is_several(path)


def recognise(path: str) -> Recognised | None:
    """Return what a file, a folder or a pattern of files is; None if it is of perceptag's own formats, or unknown."""
    if is_brat(path):
        return _recognise_brat(path)
    if not can_be_read_twice(path) or not (facts_of(path).text or _may_be_foreign(path)):
        return None
    return recognise_bytes(*_content(path), facts_of(path))


def named(tool: str, path: str) -> Recognised:
    """Return what reads a file of a tool that the user names."""
    if tool == brat.NAME:
        return _recognise_brat(path)
    return recognise_named(tool, *_content(path), facts_of(path))


def is_parquet_of_records(path: str) -> bool:
    """Return whether a file is of Parquet and has no column of tokens under a name of perceptag."""
    return can_be_read_twice(path) and head_of(path).startswith(_PARQUET) and _has_records(path)


def _content(path: str) -> tuple[bytes, str]:
    """Return the content of a file and its name; rows of Parquet are JSON lines."""
    if is_parquet_of_records(path):
        return _as_json_lines(path), path
    file = read_bytes(path)
    return file.getvalue(), file.name


def recognise_named(tool: str, data: bytes, name: str, facts: FileFacts = NO_FACTS) -> Recognised:
    """Return what reads the content of a file of a tool."""
    if tool in TOOLS:
        return _of_tool(tool, data, name, facts)
    if tool == header_tables.NAME:
        return _table(data, name, facts)
    return _docbin(data, name)


def recognise_bytes(data: bytes, name: str, facts: FileFacts = NO_FACTS) -> Recognised | None:
    """Return what the content of a file is; None if it is of perceptag's own formats, or unknown."""
    if data.startswith(_ZLIB):
        return _docbin(data, name)
    is_json = data.lstrip(_SPACE)[:1] in _JSON_BEGINS
    if is_json and (tool := foreign_tool(data, facts.text)):
        return _of_tool(tool, data, name, facts)
    facts = facts if is_json else with_only_column(data[:HEAD], name, facts)
    if not is_json and _header(data[:HEAD], facts):
        return _table(data, name, facts)
    if facts.text:
        raise SettingError(f"{name}: --text: expected a column or key {facts.text!r}, found {_names_in(data, name)}")
    return None


def with_only_column(head: bytes, name: str, facts: FileFacts) -> FileFacts:
    """Return the facts with the column of the texts, if a file called .csv has only that one."""
    only = only_column(head.decode("utf-8", "replace")) if name.lower().endswith(".csv") else ""
    return replace(facts, text=only) if only and not facts.text else facts


def texts_of(path: str) -> Recognised:
    """Return what reads only the texts of a file, in the column or under the key that the user names."""
    (data, name), called = _content(path), facts_of(path).text
    if data.lstrip(_SPACE)[:1] in _JSON_BEGINS:
        found = with_text_under(records(data, name), called)
        has_texts = any("text" in record.value for record in found)
        texts = bare_texts.read(found)
    elif has_texts := _header(data[:HEAD], facts_of(path)) is not None:
        texts = header_tables.read_texts(_decoded(data, name), name, called)
    if not has_texts:
        raise SettingError(f"{name}: --text: expected a column or key {called!r}, found {_names_in(data, name)}")
    return Recognised(
        bare_texts.TITLE, lambda cut, keeps: fit_texts(texts, bare_texts.NAME, name, cut, keeps_all=keeps)
    )


def _names_in(data: bytes, name: str) -> str:
    """Return the names of columns or keys, for a message."""
    if data.lstrip(_SPACE)[:1] in _JSON_BEGINS:
        found = records(data, name)
        return keys_of(found[0].value) if found else "no records"
    return ", ".join(map(repr, header_names(lines_of(data[:HEAD])))) or "neither a table with a header nor JSON records"


def _docbin(data: bytes, name: str) -> Recognised:
    def read(cut: Tokenize | None, keeps_all: bool) -> ForeignFile:
        return fit_texts(spacy.read(_docbin_records(data, name)), DOCBIN, name, cut, keeps_all=keeps_all)

    return Recognised(DOCBIN_TITLE, read)


def _docbin_records(data: bytes, name: str) -> list[Record]:
    """Return the documents of a DocBin as `Doc.to_json` writes them."""
    try:
        import spacy
        from spacy.tokens import DocBin
    except ImportError:
        raise SettingError(
            f"{name}: this looks like a DocBin of spaCy, which only spaCy can read: pip install 'perceptag[spacy]'"
        ) from None
    try:
        docs = list(DocBin().from_bytes(data).get_docs(spacy.blank("xx").vocab))
    except Exception as error:
        raise DataError(f"expected a DocBin of spaCy: {error}", name) from None
    return [Record(f"{name}, document {number}", doc.to_json()) for number, doc in enumerate(docs, 1)]


def _has_records(path: str) -> bool:
    """Return whether a Parquet file has no column of tokens under a name of perceptag. Only its schema is read."""
    if find_spec("pyarrow") is None:  # the reader of sentences says what is missing
        return False
    from perceptag.text.parquet_table import FORMS, opened

    return not {*FORMS} & {*opened(path).schema_arrow.names}


def _as_json_lines(path: str) -> bytes:
    """Return the rows of a file as JSON lines."""
    from perceptag.text.parquet_table import batches_of, opened

    rows = (row for batch in batches_of(opened(path), path) for row in batch.to_pylist())
    return b"".join(json.dumps(_plain(row), ensure_ascii=False).encode() + b"\n" for row in rows)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it: NaN is null, dates are strings."""
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, (str, bool, int, float)) else str(value)


def _table(data: bytes, name: str, facts: FileFacts) -> Recognised:
    def read(cut: Tokenize | None, keeps_all: bool) -> ForeignFile:
        rows = header_tables.read(_decoded(data, name), name, facts.label_names, facts.text, facts.label)
        return fit_texts(rows, header_tables.NAME, name, cut, keeps_all=keeps_all)

    return Recognised(header_tables.TITLE, read)


def _of_tool(tool: str, data: bytes, name: str, facts: FileFacts) -> Recognised:
    def read(cut: Tokenize | None, keeps_all: bool) -> ForeignFile:
        known: dict[str, Any] = {"label_names": facts.label_names, "label": facts.label, "text_key": facts.text}
        return read_foreign(data, name, tool, cut, keeps_all=keeps_all, **known)

    return Recognised(TOOLS[tool].TITLE, read)


def brat_files(path: str) -> list[str]:
    """Return the files of spans of a folder, of a pattern, or the one file that is named."""
    if Path(path).is_dir():
        return sorted(str(file) for file in Path(path).rglob(f"*{brat.ENDING}"))
    return sorted(glob.glob(path, recursive=True)) if is_several(path) else [path]  # noqa: PTH207 - of any folder


def _recognise_brat(path: str) -> Recognised:
    """Return the files .ann of a folder or a pattern, which are read in the order of their names."""
    found = brat_files(path)
    others = [file for file in found if not file.endswith(brat.ENDING) and file != path]
    if not found or others:
        is_folder = Path(path).is_dir()
        what = "a folder" if is_folder else "one file, or a pattern"
        hint = "" if is_folder else "; 'perceptag train --on threads' takes patterns of other files"
        shown = ", ".join(sorted({Path(file).suffix or Path(file).name for file in others or _inside(path)})[:5])
        raise DataError(f"expected {what} of files {brat.ENDING} of brat, found {shown or 'no files'}{hint}", path)
    facts = facts_of(path)
    folder = os.path.commonpath([Path(file).parent for file in found])
    texts = (brat.read_brat(GivenFile(file, facts), folder) for file in found)
    return Recognised(brat.TITLE, lambda cut, keeps: fit_texts(texts, brat.NAME, path, cut, keeps_all=keeps))


def _inside(path: str) -> list[str]:
    return [str(file) for file in Path(path).iterdir()] if Path(path).is_dir() else []


def has_header(path: str) -> bool:
    """Return whether a file is a table whose first line names its columns."""
    return table_header(path) is not None


def table_header(path: str) -> Header | None:
    """Return the header of a table; None if a file is not one."""
    if not can_be_read_twice(path):
        return None
    head = head_of(path)
    return _header(head, with_only_column(head, path, facts_of(path)))


def _may_be_foreign(path: str) -> bool:
    """Look at the first bytes only, since most files are perceptag's own."""
    head = head_of(path)
    if head.startswith(_PARQUET):
        return _has_records(path)
    begin = head.lstrip(_SPACE)[:1]
    is_other = head.startswith(_ZLIB) or begin in _JSON_BEGINS
    facts = with_only_column(head, path, facts_of(path))
    return is_other or _header(head, facts) is not None


def _header(head: bytes, facts: FileFacts) -> Header | None:
    return header_of(head.decode("utf-8", "replace"), facts.text, facts.label)


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02X}"
        raise DataError(f"invalid UTF-8: {found}; {OTHER_ENCODING}", f"{name}:{line}") from None


# --- what is said about it ---


def described(name: str, title: str, found: ForeignFile, tokenizer: str) -> str:
    """Say what was recognised: ``train.jsonl: doccano export, 80 texts, spans in characters; tokenised by en``."""
    has_tokens = found.tool in (token_lists.NAME,) or not any(s.offsets for s in found.sentences)
    unit = "sentence" if has_tokens else "text"
    count = f"{found.texts} {unit}{'' if found.texts == 1 else 's'}"
    is_open = not any(s.labels or s.draft or s.is_unmarked for s in found.sentences)
    way = "" if has_tokens else ", no labels" if is_open else ", spans in characters"
    cut = f"; tokenised by {tokenizer}" if found.is_cut else "; with its own tokens"
    return f"{name}: {title}, {count}{way}{cut}"


def summed_up(notes: Iterable[str]) -> list[str]:
    """Return one note instead of many of one kind, with their number and the first place. A loss stays a loss.

    >>> summed_up([f"a.jsonl:{n}: without an answer, and taken as accepted" for n in range(3, 83)])
    ['80 times: without an answer, and taken as accepted; first: a.jsonl:3']
    """
    kinds: dict[str, list[str]] = {}
    for note in notes:
        kinds.setdefault(_DETAILS.sub("…", note), []).append(note)
    found = []
    for some in kinds.values():
        if len(some) <= _SHOWN:
            found += some
            continue
        kind = LostLabel if any(isinstance(note, LostLabel) for note in some) else str
        place = _PLACE.fullmatch(some[0])
        where, what = (place[1], place[2]) if place else ("", some[0])
        found.append(kind(f"{len(some)} times: {what}" + (f"; first: {where}" if where else "")))
    return found
