"""The declaration of a file format. `perceptag.text.formats` has the table of all formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from perceptag.errors import SettingError
from perceptag.system.file_kinds import TEXT, FileKind
from perceptag.system.output_files import Target
from perceptag.text.lines import Source
from perceptag.text.sentence import Sentence

Names: TypeAlias = "Sequence[str] | Callable[[int], Sequence[str]]"  # of columns, or what names a number of them


def refuse_values(sentence: Sentence, name: str, values: Sequence[str | None]) -> Sentence:
    """Refuse a further value for each token."""
    del sentence, values
    expected = "columns, conllu, jsonl or parquet"
    raise SettingError(f"--to: expected {expected}, which can hold the {name} of a token; found another")


@dataclass(frozen=True)
class Format:
    """A file format: how it is read and written, and what the command line must know about it."""

    name: str  # for --format and --to
    read: Callable[[Source, Names | None], Iterator[Sentence]]
    write: Callable[[Iterable[Sentence], Target], None]
    with_values: Callable[[Sentence, str, Sequence[str | None]], Sentence] = refuse_values  # one more for each token
    endings: tuple[str, ...] = ()  # of names of files, in small letters
    title: str = ""  # its name in messages
    comment: str = ""  # a line that begins with this is not a token; see `perceptag.text.columns`
    names_columns: bool = True  # the file names its columns; otherwise their order decides
    columns: tuple[str, ...] = ()  # all columns that it can have; empty: any
    label_columns: tuple[str, ...] = ()  # where labels usually are, the likeliest first; empty: in the last column
    with_entry: Callable[[Sentence, str, object], Sentence] | None = None  # any JSON value for the whole sentence
    with_labels: Callable[[Sentence, str, Sequence[str]], Sentence] | None = None  # where there is no column for them
    from_text: Callable[[Sentence], Sentence] | None = None  # a sentence of running text, with offsets
    with_comments: Callable[[Sentence, Iterable[str]], Sentence] | None = None  # lines before the sentence
    kind: FileKind = TEXT  # how its files begin; what else is there is not replaced
    shows_last: bool = False  # of the columns, only the words and the last one are written
    unit: str = ""  # the unit of a text file, "paragraph" or "line"; empty: it is not read as text


FormatLike: TypeAlias = "str | Format | None"  # its name, or the format itself; None: by the name of the file
