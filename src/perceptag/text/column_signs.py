"""Signs that a file has columns, although its name stands for running text: marks, fields, labels, one word a line."""

from __future__ import annotations

import re

ENOUGH = 10  # lines that tell; fewer may be anything
MOST = 200  # lines that are looked at
MARK = "-DOCSTART-"
_LABEL = re.compile(r"O|[BIESLU]-\S+")


def surely_columns(text: str) -> str:
    """Return what shows that the beginning of a file is not running text, with the format that fits; or ""."""
    lines = _lines(text)
    if lines and lines[0].split()[0] == MARK:
        return f"{MARK}, which marks documents in files of columns; --format columns reads them"
    fields = [line.split("\t") for line in lines if not line.startswith("#")]
    if fields and all(len(row) == 10 and row[0][:1].isdigit() for row in fields):
        return "ten fields, as in CoNLL-U; --format conllu reads them"
    rows = [line.split() for line in lines]
    is_labelled = all(len(row) == len(rows[0]) > 1 and _LABEL.fullmatch(row[-1]) for row in rows)
    if len(rows) >= ENOUGH and is_labelled:
        return f"{len(rows[0])} fields on each line, the last of them a label; --format columns reads them"
    return ""


def has_word_lines(text: str) -> bool:
    """Return whether each line at the beginning of a file is a single word, as in a file with one column."""
    lines = _lines(text)
    return len(lines) >= ENOUGH and all(len(line.split()) == 1 for line in lines)


def _lines(text: str) -> list[str]:
    """Return the first lines that are not blank; the last one may be incomplete."""
    return [line for line in text.splitlines()[:MOST] if line.strip()]
