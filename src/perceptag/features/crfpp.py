"""Convert CRF++ template files.

    U02:%x[0,0]            -> form[0]
    U05:%x[-1,0]/%x[0,0]   -> form[-1] form[0]
    B                      -> bias * y-1 y0
    B01:%x[0,1]            -> pos[0] * y-1 y0

CRF++ refers to columns by number. Our templates use names, so the names of the data's columns are needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from perceptag.errors import DataError, SettingError
from perceptag.features.template import MAX_OFFSET, Field, Template, check_readable
from perceptag.text.lines import read_text

_MACRO = re.compile(r"%x\[(-?\d{1,9}),(\d{1,9})\]")


def read_templates(lines: Iterable[str], columns: Sequence[str], source: str = "template") -> list[Template]:
    """Read the lines of a CRF++ template file. Lines that give the same features are kept once.

    >>> [str(t) for t in read_templates(["U1:%x[0,0]/%x[1,1]", "", "B"], ["form", "pos"])]
    ['form[0] pos[1]', 'bias * y-1 y0']
    """
    templates: dict[Template, None] = {}
    known = frozenset(columns)
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            template = _template(text, columns, f"{source}:{number}")
            _check_readable([template], known, f"{source}:{number}")
            templates[template] = None
    return list(templates)


def _check_readable(templates: Sequence[Template], columns: Collection[str], where: str) -> None:
    try:
        check_readable(templates, columns)
    except SettingError as error:
        raise DataError(str(error), where) from error


def _template(text: str, columns: Sequence[str], where: str) -> Template:
    kind, pattern = text[0], text.partition(":")[2]
    if kind not in "UB":
        raise DataError(f"expected a line that starts with U or B, found {text!r}", where)
    if "%" in _MACRO.sub("", pattern):
        raise DataError(f"expected macros of the form %x[row,column], found {pattern!r}", where)
    fields = tuple(_field(int(row), int(column), columns, where) for row, column in _MACRO.findall(pattern))
    return Template(fields, (-1,) if kind == "B" else ())


def _field(row: int, column: int, columns: Sequence[str], where: str) -> Field:
    if column >= len(columns):
        raise DataError(f"%x[{row},{column}]: expected one of {len(columns)} columns ({', '.join(columns)})", where)
    if abs(row) > MAX_OFFSET:
        raise DataError(f"%x[{row},{column}]: expected a row from -{MAX_OFFSET} to {MAX_OFFSET}", where)
    return Field(columns[column], (), row)


def read_file(path: str, columns: Sequence[str], read: Callable[[str], str] = read_text) -> list[Template]:
    """Read a CRF++ template file for data with these columns."""
    templates = read_templates(read(path).split("\n"), columns, path)
    if not templates:
        raise DataError("expected at least one template, a line that starts with U or B; found none", path)
    _check_readable(templates, columns, path)
    return templates
