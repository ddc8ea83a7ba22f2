"""The table of formats, and reading and writing by format or file name."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from perceptag.errors import DataError, PerceptagError, SettingError, brief, nearest
from perceptag.system.compression import without_ending
from perceptag.system.given_file import facts_of, in_encoding
from perceptag.system.output_files import Target
from perceptag.system.plural import plural
from perceptag.text import columns as column_files
from perceptag.text import conllu, crfsuite, jsonl, parquet, plain_text
from perceptag.text.compressed import open_output
from perceptag.text.format import Format, FormatLike, Names
from perceptag.text.lines import Source, refuse_missing
from perceptag.text.number_labels import with_names
from perceptag.text.sentence import Sentence

_ALL = (
    column_files.FORMAT,
    conllu.FORMAT,
    jsonl.FORMAT,
    parquet.FORMAT,
    crfsuite.FORMAT,
    plain_text.TEXT,
    plain_text.INLINE,
)
FORMATS = {format_.name: format_ for format_ in _ALL}
_DEFAULT = column_files.FORMAT
# Endings of column files; .train, .testa and the like are those of the CoNLL shared tasks.
_COLUMNS = (
    *("", ".txt", ".tsv", ".col", ".cols", ".conll", ".tags", ".pos", ".ner", ".chunk", ".out"),
    *(".bio", ".bio2", ".bioes", ".iob", ".iob1", ".iob2", ".iobes", ".bilou", ".bmes"),
    *(".train", ".dev", ".test", ".testa", ".testb"),
)


class SentenceList(Sequence[Sentence]):
    """A sequence of sentences over a reader, which is read at most once.

    A loop gets each sentence as soon as it is read; length, index and a second loop use those that are kept. It is an
    iterator, too, for ``next(sentences)``.
    """

    def __init__(self, reader: Iterator[Sentence]) -> None:
        self._reader = reader
        self._kept: list[Sentence] = []
        self._next = 0
        self._error: PerceptagError | None = None  # every loop ends with it, not only the first

    def __iter__(self) -> Iterator[Sentence]:
        place = 0
        while place < len(self._kept) or self._read_one():
            yield self._kept[place]
            place += 1

    def __next__(self) -> Sentence:
        if self._next >= len(self._kept) and not self._read_one():
            raise StopIteration
        self._next += 1
        return self._kept[self._next - 1]

    def _read_one(self) -> bool:
        if self._error is not None:
            raise self._error
        try:
            for sentence in self._reader:
                self._kept.append(sentence)
                return True
        except PerceptagError as error:
            self._error = error
            raise
        return False

    def _all(self) -> list[Sentence]:
        while self._read_one():
            pass
        return self._kept

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, place: Any) -> Any:
        return self._all()[place]

    def __eq__(self, other: object) -> bool:
        return self._all() == list(other) if isinstance(other, (list, SentenceList)) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as lists

    def __repr__(self) -> str:
        return f"<SentenceList: {plural(len(self._kept), 'sentence')} read so far>"


def detect_format(path: Source | Target) -> str:
    """Return the format of a file extension; ``columns`` if it is not that of CoNLL-U, JSON lines, Parquet or CRFsuite.

    >>> detect_format("train.conllu"), detect_format("eng.train"), detect_format("-")
    ('conllu', 'columns', 'columns')
    """
    return (by_ending(path) or _DEFAULT).name


def by_ending(path: Source | Target) -> Format | None:
    """Return the format of a file extension, ignoring that of compression; None if it is unknown."""
    if not isinstance(path, (str, os.PathLike)) or not isinstance(os.fspath(path), str):
        return None  # a stream, or something that will be refused when it is opened
    ending = PurePath(without_ending(os.fspath(path))).suffix.lower()
    return next((format_ for format_ in FORMATS.values() if ending in format_.endings), None)


def told_by_name(path: str) -> Format | None:
    """Return the format that the name of a new file tells; names without an ending, and .txt, are column files.

    >>> told_by_name("train.txt").name, told_by_name("eng.train").name, told_by_name("train.csv")
    ('columns', 'columns', None)
    """
    ending = PurePath(without_ending(path)).suffix.lower()
    return by_ending(path) or (_DEFAULT if ending in _COLUMNS else None)


def by_name(name: str, argument: str = "format") -> Format:
    """Return the format of this name; `argument` is what an error calls it."""
    if not isinstance(name, str) or name not in FORMATS:
        raise SettingError(f"{argument}: expected {', '.join(FORMATS)}, found {brief(name)}{nearest(name, FORMATS)}")
    return FORMATS[name]


def choose(name: FormatLike, path: Source | Target, argument: str = "format") -> Format:
    """Return the format of this name, or without a name that of the file extension."""
    found = name if isinstance(name, Format) else by_name(detect_format(path) if name in (None, "") else name, argument)
    return with_names(found, facts_of(path))


def read(
    source: Source,
    format: FormatLike = None,  # noqa: A002
    columns: Names | None = None,
    encoding: str = "",
) -> SentenceList:
    """Read sentences in `format`; without it, the name of the file decides (`detect_format`).

    The result is like a list. A sentence is read when it is first asked for, and kept; `stream` keeps none.

    For a column file `columns` names all columns, in order; for other formats it names columns that must be present.
    A function that returns the names for a number of columns is used for column files only. `encoding`: of a file, such
    as ``latin-1``; UTF-8 if none is named.
    """
    source = in_encoding(source, encoding)
    is_path = isinstance(source, (str, os.PathLike))
    sentences = stream(source, format, columns)
    if is_path:
        refuse_missing([str(source)])  # here: who reads later would be told later
    is_table = format is None and is_path and str(source).endswith(".csv")
    return SentenceList(_of_table(sentences) if is_table else sentences)


def _of_table(sentences: Iterator[Sentence]) -> Iterator[Sentence]:
    """Yield sentences of a file whose name is that of a table; an error says what reads tables."""
    try:
        yield from sentences
    except DataError as error:
        hint = "; 'perceptag convert FILE sentences.jsonl' reads tables with a header"
        raise DataError(str(error).removeprefix(f"{error.where}: ") + hint, error.where) from None


def stream(
    source: Source,
    format: FormatLike = None,  # noqa: A002
    columns: Names | None = None,
) -> Iterator[Sentence]:
    """Read sentences as `read` does, one after the other, without keeping any."""
    return choose(format, source).read(source, columns)


def write(
    sentences: Iterable[Sentence],
    target: Target,
    format: str | None = None,  # noqa: A002
    *,
    overwrite: bool = False,
) -> None:
    """Write sentences in `format`; without it, the name of the file decides (`detect_format`).

    An existing file is replaced only if it has this format, or if `overwrite` is true.
    """
    chosen, checked = choose(format, target), _checked(sentences)
    if not overwrite:
        chosen.write(checked, target)
        return
    with open_output(target) as stream:
        chosen.write(checked, stream)


def _checked(sentences: object) -> Iterator[Sentence]:
    """Return sentences that are to be written; refuse anything else before a file is opened, or when it comes."""
    if isinstance(sentences, (str, bytes, Mapping)) or not isinstance(sentences, Iterable):
        raise DataError(f"sentences: expected a list of sentences, found {brief(sentences)}")

    def each() -> Iterator[Sentence]:
        for number, sentence in enumerate(sentences):
            if not isinstance(sentence, Sentence):
                expected = "expected perceptag.Sentence({'form': [...]})"
                raise DataError(f"{expected}, found {brief(sentence)}", f"sentence {number}")
            yield sentence

    return each()
