"""Where training data come from: files in parts, which whoever needs them reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perceptag.cluster.parts import Part, cut, expand, read_part
from perceptag.errors import DataError
from perceptag.text.format import FormatLike
from perceptag.text.sentence import Sentence

PART = 4 << 20  # bytes: some ten thousand tokens, which take a worker less than a second


@dataclass(frozen=True, slots=True)
class Source:
    """Files of sentences, in parts."""

    parts: tuple[Part, ...]
    format: FormatLike = None
    columns: Sequence[str] | None = None

    def read(self, number: int, exact: bool = False) -> list[Sentence]:
        """The sentences of a part. Lines are counted from the beginning of the file only if they are `exact`."""
        return read_part(self.parts[number], self.format, self.columns)

    def first(self) -> Sentence:
        """The first sentence with tokens."""
        for number in range(len(self.parts)):
            for sentence in self.read(number):
                if len(sentence):
                    return sentence
        raise DataError("there is no sentence in the training data", self.parts[0].path if self.parts else "")


def open_source(
    patterns: Sequence[str],
    format: FormatLike = None,  # noqa: A002
    columns: Sequence[str] | None = None,
    size: int = PART,
) -> Source:
    """The source of some files, given by name or by pattern, in parts of about `size` bytes."""
    return Source(tuple(cut(expand(patterns), size)), format, columns)
