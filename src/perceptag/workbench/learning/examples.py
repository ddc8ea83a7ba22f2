"""Sentences of a project as the loop sees them: plain data that can be sent to another process."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from perceptag.text.sentence import Sentence

MISSING = "_"  # the value of a column that a sentence does not have
COLUMN = "label"  # of the labels, if the project does not call it otherwise


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence without its labels."""

    id: int
    tokens: Sequence[str]
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)  # further ones, by name

    def sentence(self) -> Sentence:
        """Return it as models read it."""
        further = {name: list(values) for name, values in self.columns.items() if name != "form"}
        return Sentence({"form": list(self.tokens), **further}, source=f"sentence {self.id}")

    def filled(self, names: Iterable[str]) -> Text:
        """Return it with all these columns: another file of the project may have had more of them."""
        more = {name: [MISSING] * len(self.tokens) for name in names if name not in self.columns}
        return dataclasses.replace(self, columns={**self.columns, **more}) if more else self


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled sentence. `order` is the number of its first label in the log: training takes examples in this order.

    `in_sample`: it is in the random sample, by which models are judged.
    """

    text: Text
    labels: Sequence[str]
    order: int
    in_sample: bool = False

    def sentence(self, column: str = COLUMN) -> Sentence:
        """Return it as training reads it: the labels are the last column."""
        found = self.text.sentence()
        found.columns.pop(column, None)
        found.columns[column] = list(self.labels)
        return found


def in_order(examples: Iterable[Example]) -> list[Example]:
    """Return examples in the order of training."""
    return sorted(examples, key=lambda example: (example.order, example.text.id))
