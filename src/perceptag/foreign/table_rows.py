"""Rows and cells of tables: quotation marks, line ends inside cells, rules of Markdown, lists inside cells."""

from __future__ import annotations

import ast
import csv
import io
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from perceptag.errors import DataError
from perceptag.system.plural import plural
from perceptag.system.strict_json import NotStrictError, strict_loads
from perceptag.text.lines import double_ends

_SEPARATOR = re.compile(r"\A\"?sep=[,;|\t]\"?[\r\n]+", re.IGNORECASE)
LINE_END = re.compile(r"\r\n|\r|\n")
_RULE = re.compile(r":?-+:?")
_ITEM = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\d+""")
_NUMPY = re.compile(rf"\[\s*((?:{_ITEM.pattern})(?:\s+(?:{_ITEM.pattern}))+)\s*\]")  # an array, without commas
csv.field_size_limit(1 << 26)


class Row(NamedTuple):
    """The cells of a row, and where it begins."""

    where: str
    cells: list[str]

    def get(self, number: int | None) -> str:
        """Return a cell without white space at its ends; that of no column is empty."""
        return "" if number is None else self.cells[number].strip()


def content(text: str) -> str:
    """Return a text from its first line that is not empty, and not ``sep=;``, as Excel has it."""
    return _SEPARATOR.sub("", text.removeprefix("\ufeff").lstrip("\r\n"))


def _first_line(text: str) -> int:
    """Return the number of the line of the header."""
    return len(LINE_END.findall(text[: len(text) - len(content(text))])) + 1


def rows_of(text: str, separator: str, names: Sequence[str], name: str, *, has_words: bool = False) -> Iterator[Row]:
    """Yield the rows below the header of a table; a row without cells is one of empty cells.

    `has_words`: a row is a word, which may be a single quotation mark. Where all lines have the same number of cells,
    such marks are not taken as quotation.
    """
    if has_words and "\r\r\n" in text:
        raise double_ends(name)
    plain = _plain_lines(text, separator, len(names)) if has_words else None
    for number, cells in _quoted_lines(text, separator, name) if plain is None else plain:
        where = f"{name}:{number}"
        written = [cell.strip() for cell in cells if cell.strip()]
        if separator == "|" and written and all(map(_RULE.fullmatch, written)):
            continue  # the rule below the header of a table in Markdown
        if len(cells) != len(names) and written:
            raise DataError(f"expected {plural(len(names), 'cell')} ({', '.join(names)}), found {len(cells)}", where)
        yield Row(where, cells if written else [""] * len(names))


def _plain_lines(text: str, separator: str, width: int) -> list[tuple[int, list[str]]] | None:
    """Return the numbers and the cells of lines below the header; None if one has another number of cells."""
    lines = enumerate(LINE_END.split(content(text)), _first_line(text))
    found = [(number, line.split(separator)) for number, line in lines][1:]
    if not all(len(cells) == width or cells == [""] for _, cells in found):
        return None
    return [(number, [_unquoted(cell) for cell in cells]) for number, cells in found]


def _unquoted(cell: str) -> str:
    is_quoted = len(cell) > 1 and cell[0] == cell[-1] == '"'
    return cell[1:-1].replace('""', '"') if is_quoted else cell


def _quoted_lines(text: str, separator: str, name: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(content(text), newline=""), delimiter=separator)
    above = _first_line(text) - 1
    before, cells = 0, [""]
    try:
        for cells in reader:
            number, before = before + 1, reader.line_num
            if number > 1:
                yield number + above, cells
        if any("\n" in cell or "\r" in cell for cell in cells) and _is_open(text, separator):
            found = "a quotation mark that is not closed before the end of the file"
            raise DataError(f"expected a row, found {found}", f"{name}:{number + above}")
    except csv.Error as error:
        raise DataError(f"expected a table: {error}", f"{name}:{reader.line_num + above}") from None


def _is_open(text: str, separator: str) -> bool:
    """Return whether a text ends inside quotation marks."""
    try:
        deque(csv.reader(io.StringIO(content(text), newline=""), delimiter=separator, strict=True), maxlen=0)
    except csv.Error as error:
        return "end of data" in str(error)
    return False


def literal(cell: str, where: str) -> Any:
    """Return the list or object that a cell spells in JSON, in Python or as an array of NumPy; None if it does not."""
    if cell[:1] not in ("[", "{", "("):
        return None
    if items := _NUMPY.fullmatch(cell):
        return [ast.literal_eval(item) for item in _ITEM.findall(items[1])]
    try:
        return strict_loads(cell)
    except NotStrictError as error:
        raise DataError(str(error), where) from None
    except (ValueError, RecursionError):
        pass  # Python writes it in another way
    try:
        return _as_lists(ast.literal_eval(cell))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None


def _as_lists(value: Any) -> Any:
    """Replace tuples by lists."""
    if isinstance(value, dict):
        return {key: _as_lists(one) for key, one in value.items()}
    return [_as_lists(one) for one in value] if isinstance(value, (list, tuple)) else value
