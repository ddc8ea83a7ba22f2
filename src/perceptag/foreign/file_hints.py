"""Say what a file looks like by its first bytes: what it is, and what would read it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

from perceptag.errors import DataError
from perceptag.foreign import table_header
from perceptag.text.formats import by_ending
from perceptag.text.jsonl import ANY_TOOL
from perceptag.text.lines import hold_standard_input, open_input

HEAD = 1 << 16  # bytes that show what a file is
_CONLLU_FIELDS = 10
_MARKUP = ("<html", "<!doctype", "<?xml")
_ZIP = "pk\3\4"
_PDF = "%pdf-"
_FENCE = "```"
_TOML = re.compile(r"\[\[?[a-z][\w.-]*\]\]?\s*(#.*)?$|[a-z][\w.-]* = (\"|'|\[|\{|\d|true|false)")
_NAME = re.compile(r"[^\W\d][\w.#-]*( [\w.#-]+){0,2}")  # of a column
_ONTONOTES = "#begin document"
ONTONOTES = (
    "these are the columns of the CoNLL-2012 shared task (OntoNotes), whose names are in brackets, as (PERSON* and *); "
    "write them as B-PERSON and I-PERSON, in two columns: words and labels"
)
_WORDS = 4  # in a line of running text, at least on average
RUNNING_TEXT = (
    "this looks like running text without labels; "
    "'perceptag annotate PROJECT.ptag --import FILE --labels PER,ORG,LOC' labels it"
)
_ENDS = ".!?…"
_CLOSING = "\"'”’»)"


def can_be_read_twice(path: str) -> bool:
    """Return whether the content of a file can be looked at before it is read; standard input is held for that."""
    if path == "-":
        hold_standard_input()
    return path == "-" or Path(path).is_file()


def head_of(path: str) -> bytes:
    """Return the first bytes of a file, decompressed and in UTF-8."""
    try:
        with open_input(path) as (stream, _):
            return bytes(stream.read(HEAD))
    except OSError:  # a damaged compressed file: the reader says what is wrong, and names the file
        return b""


def own_format(path: str) -> str | None:
    """Return ``conllu`` or ``jsonl`` if the content of a file shows it and its name does not; None: by the name."""
    if not can_be_read_twice(path) or by_ending(path) is not None:
        return None
    lines = [line for line in _first_lines(path) if line.strip()]
    if lines and lines[0].lstrip("\ufeff").startswith('{"'):
        return "jsonl"
    words = [line.split("\t") for line in lines if not line.startswith("#")]
    is_conllu = bool(words) and all(len(row) == _CONLLU_FIELDS for row in words) and words[0][0] in ("1", "1-2", "1-3")
    return "conllu" if is_conllu else None


def unknown_columns(path: str) -> list[str]:
    """Return the names in the header of a table none of which is known; none if a file is not such a table."""
    return header_names(_first_lines(path))


def header_names(given: Sequence[str]) -> list[str]:
    """Return the names in the header of a table, whose first lines are given; none if this is not one."""
    lines = [line for line in given if line.strip()][:200]
    return next(filter(None, (names_in_header(lines, separator) for separator in table_header.SEPARATORS)), [])


def looks_like(path: str, is_read: bool = False) -> str:
    """Say what a file that cannot be read seems to be, and what would read it; an empty string if that is unclear.

    A file that can be read, `is_read`, may still be a table or a text of which each line was taken for a word.
    """
    return content_looks_like(head_of(path), is_read) if can_be_read_twice(path) else ""


def not_text(path: str) -> str:
    """Say what a file is whose first bytes show that it is not text: an archive, a PDF or a model; else nothing."""
    head = head_of(path) if can_be_read_twice(path) else b""
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
    lines = [line for line in lines_of(data[:HEAD]) if line.strip()][:200]
    if begins := _by_beginning(lines, is_read):
        return begins
    is_json = bool(lines) and lines[0].lstrip().startswith("{")
    for separator, name in ((",", "commas"), (";", "semicolons"), ("|", "bars")):
        if not is_json and _is_separated(lines, separator):
            return (
                f"this looks like a table separated by {name}, without a header that is known: the first line must "
                f"name the columns, such as word{separator}tag or text{separator}start{separator}end{separator}label; "
                "--text NAME names the column of texts, --label NAME that of the labels of words; words are in a "
                "column word, token, form or text"
            )
        if not is_json and (names := names_in_header(lines, separator)):
            return (
                f"this looks like a table separated by {name} with the header {', '.join(names)}; expected columns "
                f"such as text{separator}entities or text{separator}start{separator}end{separator}label, or text alone"
                "; --text NAME names the column of the texts"
            )
    is_prose = is_prose_taken_for_words(data) if is_read else _is_prose(lines)
    return RUNNING_TEXT if is_prose else ""


def names_in_header(lines: Sequence[str], separator: str) -> list[str]:
    """Return the names in the first line if they can be a header, and nearly all rows have as many cells."""
    rows = list(table_header.cells_of(lines, separator))
    names = [name.strip() for name in rows[0]] if rows else []
    are_names = len(names) > 1 and all(_NAME.fullmatch(name) for name in names)
    fitting = sum(len(row) == len(names) for row in rows)
    return names if are_names and len(rows) > 1 and fitting > 0.9 * len(rows) else []


def _is_separated(lines: Sequence[str], separator: str) -> bool:
    """Return whether lines are rows of as many short cells, at least two; prose with commas is not."""
    rows = list(table_header.cells_of(lines, separator))
    has_short_cells = not any(len(cell.split()) >= _WORDS for row in rows for cell in row)
    return len(rows) > 1 and len(rows[0]) > 1 and len({len(row) for row in rows}) == 1 and has_short_cells


def is_running_text(data: bytes) -> bool:
    """Return whether the first bytes of a file without a known ending are rather running text than columns."""
    return is_prose_taken_for_words(data) or content_looks_like(data) == RUNNING_TEXT


def is_prose_taken_for_words(data: bytes) -> bool:
    """Return whether a column file is rather running text: paragraphs of one line, each read as a word with columns."""
    lines = [line.strip() for line in lines_of(data[:HEAD])]
    is_apart = not any(line and after for line, after in pairwise(lines))
    return is_apart and _is_prose([line for line in lines if line])


def _is_prose(lines: Sequence[str]) -> bool:
    """Return whether lines are long, or of many lengths, as the lines of a column file are not.

    Lines of which hardly any has another length are rows of columns, however long they are.
    """
    if not lines or any("\t" in line for line in lines):
        return False
    lengths = [len(line.split()) for line in lines]
    usual = max(Counter(lengths).values())
    is_varied = usual <= len(lengths) / 2 and sum(lengths) >= _WORDS * len(lengths)
    is_even = len(lines) > 1 and usual > 0.9 * len(lines)
    is_long = not is_even and sum(length > 2 * _WORDS for length in lengths) > len(lengths) / 2
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
        return "this looks like JSON of no known tool: expected records of tokens and labels, or of a text and spans"
    is_markup = begin.startswith(_MARKUP) or (begin.startswith("<") and not is_read)
    looks = {
        "this looks like a zip archive or a spreadsheet; unpack it, or save the sheet as CSV in UTF-8": _ZIP,
        "this looks like a PDF file, which is not read; save its text as UTF-8": _PDF,
        "this looks like XML or HTML, which is not read; convert it to columns or JSON lines": is_markup,
        "this looks like TOML, as recipes and rules have; --recipe FILE and --rules FILE read them": _TOML.match(begin),
        ONTONOTES: _ONTONOTES,
        f"this looks like the answer of a language model; keep only the JSON between the lines with {_FENCE}": any(
            line.startswith(_FENCE) for line in lines
        ),
    }
    return next((told for told, how in looks.items() if (begin.startswith(how) if isinstance(how, str) else how)), "")


def _first_lines(path: str) -> list[str]:
    return lines_of(head_of(path))


def lines_of(head: bytes) -> list[str]:
    """Return the lines in the first bytes of a file, without one that is cut off."""
    text = head.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")[: -1 if len(text) > HEAD // 4 else None]
