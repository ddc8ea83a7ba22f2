"""Detect the format of a file by its content, and read its sentences and labels.

    bytes, a folder or a pattern ─▶ recognise ─▶ reader ─▶ sentences, notes, and what was recognised

perceptag's own formats (column files, CoNLL-U, JSON lines, Parquet) are not read here: `recognise` returns None.
"""

from __future__ import annotations

import glob
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from perceptag.errors import DataError, LostLabel, SettingError
from perceptag.foreign import bare_texts, brat, docbin, header_tables, slashed_words, spacy, token_lists
from perceptag.foreign.json_records import records, with_text_under
from perceptag.foreign.read_export import TOOLS, ForeignFile, Tokenize, fit_texts, foreign_tool, read_foreign
from perceptag.foreign.texts import keys_of
from perceptag.system.given_file import NO_FACTS, FileFacts, GivenFile, facts_of
from perceptag.text.formats import by_ending
from perceptag.text.jsonl import ANY_TOOL
from perceptag.text.lines import OTHER_ENCODING, hold_standard_input, open_input
from perceptag.text.verbatim import read_bytes

READ = (*TOOLS, brat.NAME, header_tables.NAME, docbin.NAME, slashed_words.NAME)  # names of what is read
HEAD = 1 << 16  # bytes that show what a file is
_CONLLU_FIELDS = 10
_SHOWN = 3  # notes of one kind that are shown one by one
_SPACE = b"\xef\xbb\xbf \t\r\n"
_JSON_BEGINS = (b"{", b"[")
_MARKUP = ("<html", "<!doctype", "<?xml")
_ZIP = "pk\3\4"
_PDF = "%pdf-"
_FENCE = "```"
_PYTHON = re.compile(r"(import|from) [\w.]+|[a-z_]\w* = \[\s*(#.*|\(.*)?$")  # of TOML a list begins with a value
_TOML = re.compile(r"\[\[?[a-z][\w.-]*\]\]?\s*(#.*)?$|[a-z][\w.-]* = (\"|'|\[|\{|\d|true|false)")
_KEYS = re.compile(r'"(\w+)"\s*:')
_NAME = re.compile(r"[^\W\d][\w.#-]*( [\w.#-]+){0,2}")  # of a column
_TEXT_KEYS = {"text", "content", "data", "sentence", "tokens"}
_ONTONOTES = "#begin document"
ONTONOTES = (
    "these are the columns of the CoNLL-2012 shared task (OntoNotes), whose names are in brackets, as (PERSON* and *); "
    "write them as B-PERSON and I-PERSON, in two columns: words and labels"
)
_WORDS = 4  # in a line of running text, at least on average
RUNNING_TEXT = (
    "this looks like running text without labels; "
    "'perceptag annotate PROJECT.ptag --import FILE --format text' labels it"
)
_ENDS = ".!?…"
_CLOSING = "\"'”’»)"
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
    if not _can_be_read_twice(path) or not (facts_of(path).text or _may_be_foreign(path)):
        return None
    file = read_bytes(path)
    return recognise_bytes(file.getvalue(), file.name, facts_of(path))


def named(tool: str, path: str) -> Recognised:
    """Return what reads a file of a tool that the user names."""
    if tool == brat.NAME:
        return _recognise_brat(path)
    file = read_bytes(path)
    return recognise_named(tool, file.getvalue(), file.name, facts_of(path))


def recognise_named(tool: str, data: bytes, name: str, facts: FileFacts = NO_FACTS) -> Recognised:
    """Return what reads the content of a file of a tool."""
    if tool in TOOLS:
        return _of_tool(tool, data, name, facts)
    if tool == header_tables.NAME:
        return _table(data, name, facts)
    return (_docbin if tool == docbin.NAME else _slashed_words)(data, name)


def recognise_bytes(data: bytes, name: str, facts: FileFacts = NO_FACTS) -> Recognised | None:
    """Return what the content of a file is; None if it is of perceptag's own formats, or unknown."""
    if data.startswith(docbin.MAGIC):
        return _docbin(data, name)
    is_json = data.lstrip(_SPACE)[:1] in _JSON_BEGINS
    if is_json and (tool := foreign_tool(data, facts.text)):
        return _of_tool(tool, data, name, facts)
    facts = facts if is_json else with_only_column(data[:HEAD], name, facts)
    if not is_json and _header(data[:HEAD], facts.text):
        return _table(data, name, facts)
    if facts.text:
        raise SettingError(f"{name}: --text: expected a column or key {facts.text!r}, found {_names_in(data, name)}")
    return _slashed_words(data, name) if not is_json and _has_slashed_words(data[:HEAD]) else None


def with_only_column(head: bytes, name: str, facts: FileFacts) -> FileFacts:
    """Return the facts with the column of the texts, if a file called .csv has only that one."""
    only = header_tables.only_column(head.decode("utf-8", "replace")) if name.lower().endswith(".csv") else ""
    return replace(facts, text=only) if only and not facts.text else facts


def texts_of(path: str) -> Recognised:
    """Return what reads only the texts of a file, in the column or under the key that the user names."""
    file, called = read_bytes(path), facts_of(path).text
    data, name = file.getvalue(), file.name
    if data.lstrip(_SPACE)[:1] in _JSON_BEGINS:
        found = with_text_under(records(data, name), called)
        has_texts = any("text" in record.value for record in found)
        texts = bare_texts.read(found)
    elif has_texts := _header(data[:HEAD], called) is not None:
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
    lines = [line for line in _lines(data[:HEAD]) if line.strip()][:200]
    names = next(filter(None, (_unknown_header(lines, separator) for separator in header_tables.SEPARATORS)), [])
    return ", ".join(map(repr, names)) or "neither a table with a header nor JSON records"


def _docbin(data: bytes, name: str) -> Recognised:
    def read(cut: Tokenize | None, keeps_all: bool) -> ForeignFile:
        return fit_texts(spacy.read(docbin.records_of(data, name)), docbin.NAME, name, cut, keeps_all=keeps_all)

    return Recognised(docbin.TITLE, read)


def _table(data: bytes, name: str, facts: FileFacts) -> Recognised:
    def read(cut: Tokenize | None, keeps_all: bool) -> ForeignFile:
        rows = header_tables.read(_decoded(data, name), name, facts.label_names, facts.text)
        return fit_texts(rows, header_tables.NAME, name, cut, keeps_all=keeps_all)

    return Recognised(header_tables.TITLE, read)


def _slashed_words(data: bytes, name: str) -> Recognised:
    def read(cut: Tokenize | None, keeps_all: bool) -> ForeignFile:
        sentences = slashed_words.read(_text(data, name), name)
        return fit_texts(sentences, slashed_words.NAME, name, cut, keeps_all=keeps_all)

    return Recognised(slashed_words.TITLE, read)


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


def _can_be_read_twice(path: str) -> bool:
    """Return whether the content of a file can be looked at before it is read; standard input is held for that."""
    if path == "-":
        hold_standard_input()
    return path == "-" or Path(path).is_file()


def has_header(path: str) -> bool:
    """Return whether a file is a table whose first line names its columns."""
    return table_header(path) is not None


def table_header(path: str) -> header_tables.Header | None:
    """Return the header of a table; None if a file is not one."""
    if not _can_be_read_twice(path):
        return None
    head = _head(path)
    return _header(head, with_only_column(head, path, facts_of(path)).text)


def _head(path: str) -> bytes:
    try:
        with open_input(path) as (stream, _):
            return bytes(stream.read(HEAD))
    except OSError:  # a damaged compressed file: the reader says what is wrong, and names the file
        return b""


def _may_be_foreign(path: str) -> bool:
    """Look at the first bytes only, since most files are perceptag's own."""
    head = _head(path)
    begin = head.lstrip(_SPACE)[:1]
    is_other = head.startswith(docbin.MAGIC) or begin in _JSON_BEGINS
    text = with_only_column(head, path, NO_FACTS).text
    return is_other or _header(head, text) is not None or _has_slashed_words(head)


def _header(head: bytes, text_column: str = "") -> header_tables.Header | None:
    return header_tables.header_of(head.decode("utf-8", "replace"), text_column)


def _has_slashed_words(head: bytes) -> bool:
    return bool(slashed_words.separator_of([line for line in _lines(head) if line.strip()][:200]))


def _text(data: bytes, name: str) -> str:
    return _decoded(data, name).replace("\r\n", "\n").replace("\r", "\n")


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02X}"
        raise DataError(f"invalid UTF-8: {found}; {OTHER_ENCODING}", f"{name}:{line}") from None


# --- files of perceptag's own formats ---


def own_format(path: str) -> str | None:
    """Return ``conllu`` or ``jsonl`` if the content of a file shows it and its name does not; None: by the name."""
    if not _can_be_read_twice(path) or by_ending(path) is not None:
        return None
    lines = [line for line in _first_lines(path) if line.strip()]
    if lines and lines[0].lstrip("\ufeff").startswith('{"'):
        return "jsonl"
    words = [line.split("\t") for line in lines if not line.startswith("#")]
    is_conllu = bool(words) and all(len(row) == _CONLLU_FIELDS for row in words) and words[0][0] in ("1", "1-2", "1-3")
    return "conllu" if is_conllu else None


def unknown_columns(path: str) -> list[str]:
    """Return the names in the header of a table none of which is known; none if a file is not such a table."""
    lines = [line for line in _first_lines(path) if line.strip()][:200]
    return next(filter(None, (_unknown_header(lines, separator) for separator in header_tables.SEPARATORS)), [])


def looks_like(path: str, is_read: bool = False) -> str:
    """Say what a file that cannot be read seems to be, and what would read it; an empty string if that is unclear.

    A file that can be read, `is_read`, may still be a table or a text of which each line was taken for a word.
    """
    return content_looks_like(_head(path), is_read) if _can_be_read_twice(path) else ""


def not_text(path: str) -> str:
    """Say what a file is whose first bytes show that it is not text: an archive, a PDF or a model; else nothing."""
    head = _head(path) if _can_be_read_twice(path) else b""
    is_other = _is_model(head) or head[:5].decode("latin-1").lower().startswith((_ZIP, _PDF))
    return content_looks_like(head) if is_other else ""


def _is_model(data: bytes) -> bool:
    return data[8:9] == b"{" and b"\0" in data[:8]  # the size of a header, and the header


def explained(error: DataError, hint: str) -> DataError:
    """Return an error about the content of a file, with what the file looks like."""
    return DataError(f"{str(error).removesuffix(ANY_TOOL)}; {hint}") if hint else error


def content_looks_like(data: bytes, is_read: bool = False) -> str:
    """Say the same by the content of a file."""
    if _is_model(data):
        return "this is a perceptag model, or another file of tensors; expected sentences"
    lines = [line for line in _lines(data[:HEAD]) if line.strip()][:200]
    if begins := _by_beginning(lines, is_read):
        return begins
    is_json = bool(lines) and lines[0].lstrip().startswith("{")
    for separator, name in ((",", "commas"), (";", "semicolons"), ("|", "bars")):
        if not is_json and _is_separated(lines, separator):
            return (
                f"this looks like a table separated by {name}, without a header that is known: the first line must "
                f"name the columns, such as word{separator}tag or text{separator}start{separator}end{separator}label; "
                "--text NAME names the column of texts"
            )
        if not is_json and (names := _unknown_header(lines, separator)):
            return (
                f"this looks like a table separated by {name} with the header {', '.join(names)}; expected columns "
                f"such as text{separator}entities or text{separator}start{separator}end{separator}label, or text alone"
                "; --text NAME names the column of the texts"
            )
    is_prose = is_prose_taken_for_words(data) if is_read else _is_prose(lines)
    return RUNNING_TEXT if is_prose else ""


def _unknown_header(lines: Sequence[str], separator: str) -> list[str]:
    """Return the names in the first line if they can be a header, and nearly all rows have as many cells."""
    rows = list(header_tables.cells_of(lines, separator))
    names = [name.strip() for name in rows[0]] if rows else []
    are_names = len(names) > 1 and all(_NAME.fullmatch(name) for name in names)
    fitting = sum(len(row) == len(names) for row in rows)
    return names if are_names and len(rows) > 1 and fitting > 0.9 * len(rows) else []


def _is_separated(lines: Sequence[str], separator: str) -> bool:
    """Return whether lines are rows of as many short cells, at least two; prose with commas is not."""
    rows = list(header_tables.cells_of(lines, separator))
    has_short_cells = not any(len(cell.split()) >= _WORDS for row in rows for cell in row)
    return len(rows) > 1 and len(rows[0]) > 1 and len({len(row) for row in rows}) == 1 and has_short_cells


def is_prose_taken_for_words(data: bytes) -> bool:
    """Return whether a column file is rather running text: paragraphs of one line, each read as a word with columns."""
    lines = [line.strip() for line in _lines(data[:HEAD])]
    is_apart = not any(line and after for line, after in pairwise(lines))
    return is_apart and _is_prose([line for line in lines if line])


def _is_prose(lines: Sequence[str]) -> bool:
    """Return whether lines are long, or of many lengths, as the lines of a column file are not."""
    if not lines or any("\t" in line for line in lines):
        return False
    lengths = [len(line.split()) for line in lines]
    is_varied = max(Counter(lengths).values()) <= len(lengths) / 2 and sum(lengths) >= _WORDS * len(lengths)
    is_long = sum(length > 2 * _WORDS for length in lengths) > len(lengths) / 2
    return is_varied or is_long or sum(map(_is_spoken, lines)) > len(lines) / 2


def _is_spoken(line: str) -> bool:
    """Return whether a line ends as a sentence of three words or more; the last column of a column file has labels.

    >>> [_is_spoken(line) for line in ("They left Oslo.", "Did they leave ?", "Oslo NNP B-LOC", ". . O .")]
    [True, True, False, False]
    """
    words = line.split()
    last = words[-1].rstrip(_CLOSING)
    stem = last.rstrip(_ENDS)
    is_sentence = len(words) > 2 and words[0][0].isalpha() and stem != last
    return is_sentence and (stem[-2:].isalnum() if stem else len(words) >= _WORDS)


def _by_beginning(lines: Sequence[str], is_read: bool) -> str:
    begin = lines[0].lstrip("\ufeff \t").lower() if lines else ""
    if begin.startswith(("{", "[")) and not is_read and not _TOML.match(begin):
        return _json_hint(lines)
    is_markup = begin.startswith(_MARKUP) or (begin.startswith("<") and not is_read)
    looks = {
        "this looks like a zip archive or a spreadsheet; unpack it, or save the sheet as CSV in UTF-8": _ZIP,
        "this looks like a PDF file, which is not read; save its text as UTF-8": _PDF,
        "this looks like XML or HTML, which is not read; convert it to columns or JSON lines": is_markup,
        'this looks like Python; write its list as JSON: json.dump(TRAIN_DATA, open("train.json", "w"))': _PYTHON.match(
            begin
        ),
        "this looks like TOML, as recipes and rules have; --recipe FILE and --rules FILE read them": _TOML.match(begin),
        ONTONOTES: _ONTONOTES,
        f"this looks like the answer of a language model; keep only the JSON between the lines with {_FENCE}": any(
            line.startswith(_FENCE) for line in lines
        ),
    }
    return next((told for told, how in looks.items() if (begin.startswith(how) if isinstance(how, str) else how)), "")


def _json_hint(lines: Sequence[str]) -> str:
    """Say what JSON of no known tool seems to be, by its keys."""
    head = "\n".join(lines[:5])
    keys = set(_KEYS.findall(head))
    if {"messages", "role"} <= keys or "conversations" in keys:
        what = "this looks like chats with a language model, not like labelled texts"
    elif "tokenized_text" in keys:
        what = "this looks like training data of GLiNER, which counts words and includes the last one"
    elif {"start", "end", "label"} <= keys and not _TEXT_KEYS & (keys - {"text"} if "score" in keys else keys):
        what = "this looks like the spans that GLiNER, or a pipeline of transformers, finds, without their text"
    else:
        return "this looks like JSON of no known tool: expected records of tokens and labels, or of a text and spans"
    record = '{"text": "Anna sings", "entities": [{"start": 0, "end": 4, "label": "PER"}]}'
    return f"{what}; expected a record for each text, such as {record}"


def _first_lines(path: str) -> list[str]:
    return _lines(_head(path))


def _lines(head: bytes) -> list[str]:
    text = head.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")[: -1 if len(text) > HEAD // 4 else None]


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
