"""Parquet: tables with a sentence in each row, read and written by pyarrow, which is imported when it is needed.

    tokens: list<string>, pos: list<string>, labels: list<string>, …, document_id

Lists of strings have the names that features use; without ``form``, ``tokens`` or ``token`` has the words, and without
``label``, ``labels`` the labels. All other columns are written back as they were read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator

from perceptag.errors import SettingError
from perceptag.system import file_kinds
from perceptag.system.output_files import Target, is_stdout
from perceptag.text.compressed import open_output
from perceptag.text.format import Format, Names
from perceptag.text.lines import Source
from perceptag.text.list_names import LABEL_COLUMNS
from perceptag.text.parquet_layout import from_text, with_entry
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import sentences_of
from perceptag.text.tokens import Passage


def read_parquet(source: Source, columns: Names | None = None) -> Iterator[Sentence]:
    """Read sentences from a file or, for ``-``, standard input, which is held in memory.

    `columns` may name the columns to read, all of which must be there; without it, all lists of strings are read.
    """
    check_installed()
    from perceptag.text.parquet_table import read

    return read(source, None if callable(columns) else columns)


def write_parquet(sentences: Iterable[Sentence], target: Target) -> None:
    """Write sentences to a file, an open binary stream or, for ``-``, standard output; one call writes one file.

    Sentences that were read from Parquet are written with all columns and types of that file.
    """
    check_installed()
    refuse_terminal(target)
    from perceptag.text.parquet_table import write

    with open_output(target, FORMAT.kind) as stream:
        write(sentences, stream)


def refuse_terminal(target: Target) -> None:
    """Refuse to write Parquet to a terminal: it is binary."""
    if is_stdout(target) and sys.stdout.isatty():
        raise SettingError(
            "--output: expected a file for Parquet, which is not text (-o OUT.parquet); found a terminal"
        )


def write_passages(passages: Iterable[Passage], target: Target) -> int:
    """Write consecutive parts of a text; return the number of tokens, as other formats have it, not of words."""
    tokens = 0

    def sentences() -> Iterator[Sentence]:
        nonlocal tokens
        for passage in passages:
            tokens += sum(len(sentence.tokens) for sentence in passage.sentences)
            yield from map(from_text, sentences_of(passage))

    write_parquet(sentences(), target)
    return tokens


def check_installed() -> None:
    """Raise `SettingError` with installation advice if pyarrow is missing."""
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise SettingError(
            "format parquet: the package 'pyarrow' is missing; it comes with the extra 'arrow': "
            "pip install 'perceptag[arrow]'"
        )


FORMAT = Format(
    name="parquet",
    kind=file_kinds.PARQUET,
    endings=(".parquet", ".pq"),
    title="Parquet",
    read=read_parquet,
    write=write_parquet,
    with_values=with_entry,
    label_columns=LABEL_COLUMNS,
    with_entry=with_entry,
    from_text=from_text,
)
