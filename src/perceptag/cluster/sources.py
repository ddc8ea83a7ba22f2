"""Training files, split into parts that workers read on demand."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace

from perceptag.cluster.parts import CUTTABLE, FilePart, cut, expand, opened, read_part
from perceptag.errors import DataError
from perceptag.text.borders import lines_before
from perceptag.text.format import FormatLike
from perceptag.text.formats import choose
from perceptag.text.lines import PartStream
from perceptag.text.sentence import Sentence

PART = 4 << 20  # bytes: some ten thousand tokens, which take a worker about a second


@dataclass(frozen=True, slots=True)
class Source:
    """Files of sentences, in parts."""

    parts: tuple[FilePart, ...]
    format: FormatLike = None
    columns: Sequence[str] | None = None
    expected: tuple[str, ...] = ()  # the columns of files that do not name them, once they are known

    def expecting(self, columns: Sequence[str]) -> Source:
        """The same source, in which all files must have these columns unless they name their own."""
        return replace(self, expected=tuple(columns))

    def read(self, number: int, exact: bool = False) -> list[Sentence]:
        """The sentences of a part. Lines are counted from the beginning of the file only if they are `exact`."""
        part = self.parts[number]
        return self._read_exactly(part) if exact else read_part(part, self.format, self._columns(part))

    def _columns(self, part: FilePart) -> Sequence[str] | None:
        names_own = choose(self.format, part.path).names_columns
        return self.columns or (None if names_own else self.expected or None)

    def _read_exactly(self, part: FilePart) -> list[Sentence]:
        form = choose(self.format, part.path)
        with opened(part, form) as source:
            before = lines_before(part.path, source.begin) if isinstance(source, PartStream) else 0
        with opened(part, form, line=1 + before) as source:
            return list(form.read(source, self._columns(part)))

    def first(self) -> Sentence:
        """The first sentence with tokens."""
        return self._first()[1]

    def first_part(self) -> int:
        """The number of the first part that has tokens."""
        return self._first()[0]

    def _first(self) -> tuple[int, Sentence]:
        for number, part in enumerate(self.parts):
            form = choose(self.format, part.path)
            with opened(part, form) as source:
                for sentence in form.read(source, self.columns):
                    if len(sentence):
                        return number, sentence
        raise DataError("there is no sentence in the training data", self.parts[0].path if self.parts else "")


def open_source(
    patterns: Sequence[str],
    format: FormatLike = None,  # noqa: A002
    columns: Sequence[str] | None = None,
    size: int = 0,
) -> Source:
    """The source of some files, given by name or by pattern, in parts of about `size` bytes; 0: as many as is usual.

    Files of a format that cannot be cut are parts by themselves.
    """
    parts = [
        part
        for path in expand(patterns)
        for part in cut([path], size or PART if choose(format, path).name in CUTTABLE else sys.maxsize)
    ]
    return Source(tuple(parts), format, columns)
