"""A sentence: named columns of strings with their source; the column of predicted labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from perceptag.errors import DataError, brief

if TYPE_CHECKING:
    from perceptag.rules.spans import RuleSpan


class SentenceLayout:
    """Content of a file besides the tokens, to be written back: e.g. comments and multiword lines of CoNLL-U."""

    __slots__ = ()

    def line_of(self, token: int) -> int:
        """Return the number of lines between the first token and token number `token`; 0 where they have no lines."""
        del token
        return 0


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
    rules: tuple[RuleSpan, ...] = field(default=(), compare=False, repr=False)  # models keep to them
    document_name: str = field(default="", compare=False, repr=False)  # of the document that starts here, if known

    def __len__(self) -> int:
        for values in self.columns.values():
            return len(values)
        return 0

    @property
    def tokens(self) -> list[str]:
        """The column ``form``, or else the first column; without columns an empty list."""
        return self.columns["form"] if "form" in self.columns else next(iter(self.columns.values()), [])

    def where(self, token: int = 0) -> str:
        """Return the place of token number `token`, for error messages."""
        if not self.line:
            return f"{self.source}, token {token}" if self.source else f"token {token}"
        below = token if self.layout is None else self.layout.line_of(token)
        return f"{self.source}:{self.line + below}"


def from_tokens(tokens: Sequence[str]) -> Sentence:
    """Make a sentence of plain tokens; the only column is ``form``."""
    if isinstance(tokens, str):
        raise DataError(f"expected a list of strings, found {brief(tokens)}")
    return Sentence({"form": list(tokens)})


class LabelColumn(NamedTuple):
    """Puts labels in their old place if there is one, else where the training data had them, else at the end."""

    name: str
    trained: Sequence[str]  # the columns of the training data, this one among them

    def names(self, columns: Sequence[str]) -> list[str]:
        """Return the columns of labelled sentences that had `columns` before.

        >>> LabelColumn("pos", ["form", "pos", "chunk"]).names(["form", "chunk"])
        ['form', 'pos', 'chunk']
        """
        if self.name in columns:
            return list(columns)
        if self.trained[-1] != self.name and [*columns] == [c for c in self.trained if c != self.name]:
            return list(self.trained)
        return [*columns, self.name]

    def add(self, sentence: Sentence, labels: list[str]) -> Sentence:
        """Return a sentence with its labels."""
        columns = sentence.columns
        if self.name in columns or self.trained[-1] == self.name:  # nearly always
            columns[self.name] = labels
        else:
            sentence.columns = {n: labels if n == self.name else columns[n] for n in self.names([*columns])}
        return sentence


def with_last(sentence: Sentence, column: str) -> Sentence:
    """Return a sentence whose last column is the one that is named."""
    others = {name: values for name, values in sentence.columns.items() if name != column}
    return replace(sentence, columns={**others, column: sentence.columns[column]})


def words_first(sentence: Sentence) -> Sentence:
    """Return a sentence whose first column has the words, as column files have them."""
    if next(iter(sentence.columns), "") != "form" and "form" in sentence.columns:
        return replace(sentence, columns={"form": sentence.columns["form"], **sentence.columns})
    return sentence


def has_rules(sentences: Sequence[Sentence]) -> bool:
    """Return whether rules say anything about some sentence."""
    return any(sentence.rules for sentence in sentences)
