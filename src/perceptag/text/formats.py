"""Reading and writing by the name of a format or of a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from perceptag.errors import SettingError, brief, nearest
from perceptag.system.writing import Target
from perceptag.text.columns import Names, read_columns, write_columns
from perceptag.text.conllu import read_conllu, write_conllu
from perceptag.text.jsonl import read_jsonl, write_jsonl
from perceptag.text.lines import Source
from perceptag.text.sentence import Sentence

FORMATS = ("columns", "conllu", "jsonl")
_ENDINGS = {".conllu": "conllu", ".jsonl": "jsonl", ".json": "jsonl", ".ndjson": "jsonl"}


def detect_format(path: Source | Target) -> str:
    """Return the format that the ending of the name means: ``conllu``, ``jsonl``, or ``columns`` for all others.

    >>> detect_format("train.conllu"), detect_format("eng.train"), detect_format("-")
    ('conllu', 'columns', 'columns')
    """
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        return "columns"  # a stream, or something that will be refused when it is opened
    return _ENDINGS.get(PurePath(path).suffix.lower(), "columns")


def read(source: Source, format: str | None = None, columns: Names | None = None) -> Iterator[Sentence]:  # noqa: A002
    """Read sentences in `format`; without it, the name of the file decides (`detect_format`).

    For a column file `columns` names all columns, in order; for other formats it names columns that must be present.
    A function that returns the names for a number of columns is used for column files only.
    """
    kind = _checked(format or detect_format(source))
    if kind == "columns":
        return read_columns(source, columns)
    wanted = None if callable(columns) else columns
    return read_conllu(source, wanted) if kind == "conllu" else read_jsonl(source, wanted)


def write(sentences: Iterable[Sentence], target: Target, format: str | None = None) -> None:  # noqa: A002
    """Write sentences in `format`; without it, the name of the file decides (`detect_format`)."""
    match _checked(format or detect_format(target)):
        case "conllu":
            write_conllu(sentences, target)
        case "jsonl":
            write_jsonl(sentences, target)
        case _:
            write_columns(sentences, target)


def _checked(name: str) -> str:
    if not isinstance(name, str) or name not in FORMATS:
        raise SettingError(f"format: expected {', '.join(FORMATS)}, found {brief(name)}{nearest(name, FORMATS)}")
    return name
