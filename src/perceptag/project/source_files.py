"""A file on its way into a project: its sentences, and for each of them its own bytes.

    EU NNP B-ORG \\r\\n          sentence 1: these lines, and the blank one after them
    rejects VBZ O\\r\\n
    \\r\\n
    # id = 2\\r\\n               sentence 2: from the end of the one before to its own end
    Peter NNP B-PER\\r\\n

The bytes of all sentences and the tail, one after the other, are the file, whatever is written between them. So
unchanged sentences are written back as they were.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from perceptag.errors import DataError, SettingError, brief
from perceptag.foreign.file_hints import content_looks_like, explained, is_running_text
from perceptag.foreign.intake import (
    Recognised,
    is_brat,
    is_parquet_of_records,
    recognise,
    recognise_bytes,
    recognise_named,
    summed_up,
)
from perceptag.foreign.read_export import TOOLS, ForeignFile, as_jsonl, words_of
from perceptag.foreign.texts import ForeignSentence
from perceptag.system.given_file import FileFacts, facts_of
from perceptag.text import conllu, jsonl
from perceptag.text.columns import ColumnLayout, ColumnReader
from perceptag.text.compressed import decompressed
from perceptag.text.conllu import CONLLU_COLUMNS, ConlluLayout
from perceptag.text.documents import iter_documents
from perceptag.text.formats import choose
from perceptag.text.lines import Source, byte_chunks
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import sentences_of

COLUMNS, CONLLU, JSONL, TEXT = "columns", "conllu", "jsonl", "text"
IMPORTED = (COLUMNS, CONLLU, JSONL, TEXT, *TOOLS)


@dataclass(slots=True)
class FileRead:
    """The content of a file."""

    name: str
    sha256: str
    format: str
    facts: dict[str, Any]
    sentences: list[Sentence]
    raws: list[bytes]
    tail: bytes
    notes: list[str] = field(default_factory=list)
    others: list[ForeignSentence] = field(default_factory=list)  # the same sentences, if they are from another tool

    def documents(self) -> list[int]:
        """The number of the document of each sentence, counted from 0."""
        return [n for n, document in enumerate(iter_documents(self.sentences)) for _ in document]


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How the caller wants a file to be read."""

    name: str = ""
    format: str | None = None
    columns: Sequence[str] | None = None
    comment: str = ""
    tokenizer: Any = None  # a Pipeline or a Tokenizer, for running text


def read_file(source: Source | bytes, wanted: ReadOptions) -> FileRead:
    """Read a file, compressed or not, or bytes."""
    is_read_whole = isinstance(source, str) and (is_brat(source) or is_parquet_of_records(source))
    several = recognise(str(source)) if is_read_whole else None
    data, name = (b"", str(source)) if several else _content(source, wanted.name)
    foreign = _sentences_of(several, wanted) or _foreign(data, name, facts_of(source), wanted)
    sha256 = hashlib.sha256(as_jsonl(foreign.sentences) if several and foreign else data).hexdigest()
    facts: dict[str, Any] = {}
    format_ = jsonl.FORMAT if foreign else choose(wanted.format, name)
    if facts_of(source).label_names and not foreign:
        hint = "'perceptag convert FILE sentences.jsonl --label-names …' writes the names"
        raise SettingError(f"{name}: --label-names: expected numbers in a table or in JSON, found strings; {hint}")
    is_recognised = not foreign and is_text(data, name, wanted.format, wanted.columns)
    if foreign or is_recognised or format_.name == TEXT:
        data = as_jsonl(foreign.sentences) if foreign else _tokenized(data, name, wanted.tokenizer)
        format_ = jsonl.FORMAT
        facts["sha256"] = hashlib.sha256(data).hexdigest()  # of what is kept
    if format_.name not in (COLUMNS, CONLLU, JSONL):
        if wanted.format:
            raise SettingError(f"format: expected {', '.join(IMPORTED)}, found {format_.name!r}")
        hint = f"'perceptag convert {name} sentences.jsonl' makes JSON lines of it"
        raise SettingError(f"{name}: expected {', '.join(IMPORTED)}, found {format_.title}; {hint}")
    with _hinting(data, wanted):
        read = [s for s in read_bytes(data, name, format_.name, facts, wanted) if len(s)]
    is_unknown = not wanted.format and not wanted.columns and not foreign and format_.name == COLUMNS
    if is_unknown and read and list(read[0].columns) == ["form"] and (hint := content_looks_like(data, is_read=True)):
        raise DataError(hint, name)
    raws, tail = _cut(data.splitlines(keepends=True), read)
    notes = ["taken as running text, not as columns"] if is_recognised else []
    found = FileRead(name, sha256, format_.name, facts, read, raws, tail, notes)
    if not read:
        raise DataError("expected at least one sentence, found none", name)
    if foreign:
        found.notes, found.others = summed_up(foreign.notes), foreign.sentences
    return found


def is_text(data: bytes, name: str, format_: str | None, columns: Sequence[str] | None) -> bool:
    """Whether bytes are running text, although neither a format nor the name of the file says so."""
    return not format_ and not columns and choose(None, name).name == COLUMNS and is_running_text(data)


@contextmanager
def _hinting(data: bytes, wanted: ReadOptions) -> Iterator[None]:
    """Say what a file without columns looks like, unless the caller has asked for columns."""
    is_unknown = not wanted.format and not wanted.columns
    try:
        yield
    except DataError as error:
        hint = content_looks_like(data) if is_unknown else ""
        raise explained(error, hint) from None


def _content(source: Source | bytes, name: str) -> tuple[bytes, str]:
    stream = io.BytesIO(source) if isinstance(source, bytes) else source
    with decompressed(stream) as file:
        given = name or ("<bytes>" if isinstance(source, bytes) else file.name)
        return b"".join(byte_chunks(file, given)), given  # type: ignore[arg-type]


def _foreign(data: bytes, name: str, facts: FileFacts, wanted: ReadOptions) -> ForeignFile | None:
    """The export of another tool: one that is named, or JSON that looks like one."""
    is_unknown = not wanted.format and not wanted.columns
    found = recognise_bytes(data, name, facts) if is_unknown else None
    if wanted.format in TOOLS:
        found = recognise_named(wanted.format, data, name, facts)
    return _sentences_of(found, wanted)


def _sentences_of(found: Recognised | None, wanted: ReadOptions) -> ForeignFile | None:
    if found is None:
        return None
    cutter = getattr(wanted.tokenizer, "tokenizer", None) or wanted.tokenizer  # that of a pipeline, or itself
    return found.read(words_of(cutter) if cutter is not None else None, True)


class _Named(io.BytesIO):
    """Bytes that messages call by the name of their file."""

    def __init__(self, data: bytes, name: str) -> None:
        super().__init__(data)
        self.name = name


def read_bytes(
    data: bytes, name: str, format_: str, facts: dict[str, Any], wanted: ReadOptions | None = None
) -> Iterator[Sentence]:
    """Read sentences. For a column file `facts` says how; what it does not say yet is found out and put there."""
    stream = _Named(data, name)
    columns = wanted.columns if wanted else None
    if format_ == CONLLU:
        yield from conllu.read_conllu(stream)
    elif format_ == JSONL:
        yield from jsonl.read_jsonl(stream, columns)
    else:
        comment = wanted.comment if wanted else facts["comment"]
        reader = ColumnReader(facts.get("columns", columns), facts.get("separator"), comment)
        yield from reader.read(stream)
        facts |= {"columns": reader.names, "separator": reader.separator or " ", "comment": comment}


def _tokenized(data: bytes, name: str, tokenizer: Any) -> bytes:
    """Running text as JSON lines, with the places of its words."""
    passages: Callable[[Source], Any] | None = getattr(tokenizer, "passages", None) or getattr(
        tokenizer, "stream", None
    )
    if passages is None:
        raise SettingError(
            f"{name}: running text needs a tokeniser (--tokenizer en): expected a Pipeline or a Tokenizer, "
            f"found {brief(tokenizer)}"
        )
    target = io.BytesIO()
    found = (s for passage in passages(_Named(data, name)) for s in sentences_of(passage, name))
    jsonl.write_jsonl(map(jsonl.from_text, found), target)
    return target.getvalue()


def _cut(lines: Sequence[bytes], sentences: Sequence[Sentence]) -> tuple[list[bytes], bytes]:
    """Give each sentence its lines: those after the sentence before it, up to the blank one after its last."""
    raws = []
    start = 0
    for sentence in sentences:
        end = last_line(sentence)
        if end < len(lines) and not lines[end].strip(b" \t\r\n"):
            end += 1
        raws.append(b"".join(lines[start:end]))
        start = end
    return raws, b"".join(lines[start:])


def last_line(sentence: Sentence) -> int:
    """The number of the last line of a sentence: that of its last token, or of a comment after it."""
    layout, length = sentence.layout, len(sentence)
    last = sentence.line + (length - 1 if layout is None else layout.line_of(length - 1))
    if isinstance(layout, ColumnLayout):
        return last + sum(before == length for before, _ in layout.comments)
    if isinstance(layout, ConlluLayout):
        return last + sum(before == length for before, _ in layout.extra)
    return last


def token_lines(sentence: Sentence) -> list[int]:
    """The number of the line of each token, counted from 0."""
    layout = sentence.layout
    return [sentence.line - 1 + (t if layout is None else layout.line_of(t)) for t in range(len(sentence))]


def misc_values(sentence: Sentence, name: str) -> list[str] | None:
    """The labels in misc, as ``NER=B-PER``; None if there are none."""
    start = f"{name.upper()}="
    entries = [misc.split("|") for misc in sentence.columns["misc"]]
    found = [next((e.removeprefix(start) for e in some if e.startswith(start)), "_") for some in entries]
    return found if any(y != "_" for y in found) else None


def is_conllu_column(name: str) -> bool:
    """Whether CoNLL-U has a column of this name."""
    return name in CONLLU_COLUMNS
