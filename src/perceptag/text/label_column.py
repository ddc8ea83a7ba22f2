"""The column of predicted labels, and its position among the other columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from perceptag.text.sentence import Sentence


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
