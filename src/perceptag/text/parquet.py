"""Parquet: tables of sentences, in one of two layouts.

    a sentence in each row   tokens: list<string>, pos: list<string>, labels: list<string>, …, document_id
    a token in each row      sentence_id, form: string, pos: string, label: string, …, document_id

Columns of text have the names that features use; `perceptag.text.parquet_columns` has the other names that are taken
for them. What is not text, and what the user leaves out, is written back as it was read. The package pyarrow is
imported when a file is read or written.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace

from perceptag.errors import SettingError
from perceptag.system import file_kinds
from perceptag.system.output_files import Target, is_stdout
from perceptag.text import jsonl
from perceptag.text.compressed import open_output
from perceptag.text.format import Format, Names
from perceptag.text.lines import Source
from perceptag.text.list_names import LABEL_COLUMNS
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.sentence import Sentence
from perceptag.text.text_layout import sentences_of
from perceptag.text.tokens import Passage

ENDINGS = (".parquet", ".pq")


class RowGroups(str):
    """The name of a file of which only some row groups are read."""

    groups: range

    def __new__(cls, path: str, groups: range) -> RowGroups:
        """Row groups of a file that has a sentence in each row."""
        made = super().__new__(cls, path)
        made.groups = groups
        return made


def row_groups(path: str) -> int:
    """Return how many row groups a file has that can be read separately: 1 unless a row is a sentence."""
    check_installed()
    from perceptag.text.parquet_reader import ParquetSource

    opened = ParquetSource(path)
    return 1 if opened.choose(None).by_token else opened.row_groups


def read_parquet(source: Source, columns: Names | None = None) -> Iterator[Sentence]:
    """Read sentences from a file or, for ``-``, standard input, row group by row group.

    `columns` may name the columns to read, all of which must be there; without it, all columns of text are read.
    Standard input and streams that cannot go back are held in memory.
    """
    check_installed()
    from perceptag.text.parquet_reader import ParquetSource

    opened = ParquetSource(source)
    opened.choose(None if callable(columns) else columns)
    return opened.sentences()


def write_parquet(sentences: Iterable[Sentence], target: Target) -> None:
    """Write sentences to a file, an open binary stream or, for ``-``, standard output; one call writes one file.

    Sentences that were read from Parquet are written in the layout and with the types of that file, and with all
    columns that were not read. Others are written with a sentence in each row.
    """
    check_installed()
    refuse_terminal(target)
    from perceptag.text.parquet_writer import write_to

    with open_output(target, FORMAT.kind) as stream:
        write_to(sentences, stream)


def refuse_terminal(target: Target) -> None:
    """Refuse to write Parquet to a terminal: it is binary."""
    if is_stdout(target) and sys.stdout.isatty():
        raise SettingError(
            "--output: expected a file for Parquet, which is not text (-o OUT.parquet); found a terminal"
        )


def with_entry(sentence: Sentence, key: str, value: object) -> Sentence:
    """Return the sentence with a value for the non-text column `key`."""
    layout = sentence.layout if isinstance(sentence.layout, ParquetLayout) else ParquetLayout()
    return replace(sentence, layout=replace(layout, record={**layout.record, key: value}))


def from_text(sentence: Sentence) -> Sentence:
    """Return a sentence of running text with its text, word offsets and multiword tokens."""
    layout = jsonl.from_text(sentence).layout
    assert isinstance(layout, jsonl.JsonLayout)
    given = {key: value for key, value in (layout.record or {}).items() if key not in ("tokens", "document")}
    entries = {"text": "", "offsets": [], "multiword": [], "paragraph": False} | given
    return replace(sentence, layout=ParquetLayout(record=entries))


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
    endings=ENDINGS,
    title="Parquet",
    read=read_parquet,
    write=write_parquet,
    with_values=with_entry,
    label_columns=LABEL_COLUMNS,
    with_entry=with_entry,
    from_text=from_text,
)
