"""Training files, split into parts that workers read on demand."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from perceptag.cluster.parts import CUTTABLE, FilePart, cut, expand, opened, read_part, text_of, unpack
from perceptag.errors import DataError
from perceptag.text.borders import lines_before
from perceptag.text.format import FormatLike, Names
from perceptag.text.formats import choose
from perceptag.text.lines import PartStream
from perceptag.text.sentence import Sentence

PART = 4 << 20  # bytes: some ten thousand tokens, which take a worker about a second


@dataclass(frozen=True, slots=True)
class Source:
    """Files of sentences, in parts."""

    parts: tuple[FilePart, ...]
    format: FormatLike = None
    columns: Names | None = None
    expected: tuple[str, ...] = ()  # the columns of files that do not name them, once they are known
    whole_documents: bool = False  # whether no part ends within a document

    def expecting(self, columns: Sequence[str], whole_documents: bool = False) -> Source:
        """The same source, in which all files must have these columns unless they name their own."""
        return replace(self, expected=tuple(columns), whole_documents=whole_documents)

    def unpacked(self, folder: Path) -> Source:
        """The same source with compressed files of text in parts, too; their texts are in a folder."""
        parts: list[FilePart] = []
        for number, part in enumerate(self.parts):
            can_be_cut = choose(self.format, part.path).name in CUTTABLE
            parts += unpack(part, folder / f"part-text-{number}", PART) if can_be_cut else [part]
        return replace(self, parts=tuple(parts))

    def read(self, number: int, exact: bool = False) -> list[Sentence]:
        """The sentences of a part. Lines are counted from the beginning of the file only if they are `exact`."""
        part = self.parts[number]
        if exact:
            return self._read_exactly(part)
        return read_part(part, self.format, self._columns(part), whole_documents=self.whole_documents)

    def _columns(self, part: FilePart) -> Names | None:
        names_own = choose(self.format, part.path).names_columns
        return self.columns or (None if names_own else self.expected or None)

    def _read_exactly(self, part: FilePart) -> list[Sentence]:
        form = choose(self.format, part.path)
        with opened(part, form, self.whole_documents) as source:
            before = lines_before(text_of(part), source.begin) if isinstance(source, PartStream) else 0
        with opened(part, form, self.whole_documents, line=1 + before) as source:
            return list(form.read(source, self._columns(part)))

    def first(self) -> Sentence:
        """The first sentence with tokens."""
        return self._first()[1]

    def first_part(self) -> int:
        """The number of the first part that has tokens."""
        return self._first()[0]

    def _first(self) -> tuple[int, Sentence]:
        for number, sentence in self._stream():
            if len(sentence):
                return number, sentence
        raise DataError("there is no sentence in the training data", self.parts[0].path if self.parts else "")

    def _stream(self) -> Iterator[tuple[int, Sentence]]:
        """All sentences, each with the number of its part."""
        for number, part in enumerate(self.parts):
            form = choose(self.format, part.path)
            with opened(part, form, self.whole_documents) as source:
                yield from ((number, sentence) for sentence in form.read(source, self.columns))

    def tokens(self, most: int) -> int:
        """How many tokens there are; of more than `most`, only so many are read."""
        found = 0
        for _, sentence in self._stream():
            found += len(sentence)
            if found > most:
                break
        return found


def open_source(
    patterns: Sequence[str],
    format: FormatLike = None,  # noqa: A002
    columns: Names | None = None,
    size: int = 0,
) -> Source:
    """The source of some files, given by name or by pattern, in parts of about `size` bytes; 0: as many as is usual.

    Files of a format that cannot be cut are parts by themselves.
    """
    parts = [part for path in expand(patterns) for part in _cut(path, format, size or PART)]
    return Source(tuple(parts), format, columns)


def _cut(path: str, format: FormatLike, size: int) -> list[FilePart]:  # noqa: A002
    return cut([path], size if choose(format, path).name in CUTTABLE else sys.maxsize)
