"""A sentence: named columns of strings with their source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from perceptag.errors import DataError, brief


class SentenceLayout(Protocol):
    """What a format must write back in addition to the tokens, e.g. comments and multiword lines of CoNLL-U."""

    def line_of(self, token: int) -> int:
        """Return how many lines below the first token token number `token` is."""


@dataclass(slots=True)
class Sentence:
    """Columns of equal length, e.g. ``{"form": ["The", "dog"], "pos": ["DT", "NN"]}``.

    Readers fill `layout`, and only the writer of the same format uses it. Two sentences are equal when their
    columns and `starts_document` are, wherever they were read.
    """

    columns: dict[str, list[str]]
    source: str = field(default="", compare=False)  # a file, or for sentences from Python "sentence 3"
    line: int = field(default=0, compare=False)  # of the first token, counted from 1; 0 when there is no file
    starts_document: bool = False
    layout: SentenceLayout | None = field(default=None, compare=False, repr=False)

    def __len__(self) -> int:
        for values in self.columns.values():
            return len(values)
        return 0

    @property
    def tokens(self) -> list[str]:
        """The column ``form``, or else the first column."""
        return self.columns["form"] if "form" in self.columns else next(iter(self.columns.values()))

    def where(self, token: int = 0) -> str:
        """Say where token number `token` comes from, for an error message."""
        if not self.line:
            return f"{self.source}, token {token}" if self.source else f"token {token}"
        below = token if self.layout is None else self.layout.line_of(token)
        return f"{self.source}:{self.line + below}"


def from_tokens(tokens: Sequence[str]) -> Sentence:
    """Make a sentence of plain tokens; the only column is ``form``."""
    if isinstance(tokens, str):
        raise DataError(f"expected a list of strings, found {brief(tokens)}")
    return Sentence({"form": list(tokens)})
