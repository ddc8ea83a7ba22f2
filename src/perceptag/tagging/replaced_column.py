"""Check that a column which tagging would overwrite holds labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from perceptag.errors import DataError
from perceptag.labels.label_set import LabelSet
from perceptag.labels.schemes import belongs
from perceptag.text import Sentence
from perceptag.text.format import Format

EXAMPLES = 3  # of values that are not labels, in the message


class ReplacedColumn(NamedTuple):
    """The column that takes the labels of a model."""

    name: str
    label_set: LabelSet
    format: Format  # of the input

    def check(self, sentences: Sequence[Sentence]) -> None:
        """Refuse to replace values most of which are not labels: words, say, of text with two of them on a line.

        A few labels that the model does not know are allowed, and so is a column filled with one value.
        """
        values = [value for s in sentences for value in s.columns.get(self.name, ())]
        found = [value for value in dict.fromkeys(values) if any(map(str.isalnum, value))]  # "_" stands for nothing
        unknown = [value for value in found if not self._is_label(value)]
        if 2 * len(unknown) <= len(found) or len(found) == 1 < len(values):
            return
        examples = ", ".join(map(repr, unknown[:EXAMPLES]))
        raise DataError(
            f"the labels would replace column {self.name!r}, but {len(unknown)} of its {len(found)} values are not "
            f"labels of the model, such as {examples}; {self._way_out()}, --replace replaces it all the same",
            where=sentences[0].source,
        )

    def _is_label(self, value: str) -> bool:
        """Whether the model has this label, or chunks of any type, some of which it may have been told to ignore."""
        return value in self.label_set.names or (self.label_set.outer != "none" and belongs(value, "IOBES"))

    def _way_out(self) -> str:
        if not self.format.names_columns:
            return f"--columns can give the column another name than {self.name!r}, which keeps it"
        return "--label NAME puts the labels into another column"


def checked(groups: Iterable[list[Sentence]], column: ReplacedColumn) -> Iterator[list[Sentence]]:
    """The same batches; the first with a token is judged before it is tagged."""
    is_judged = False
    for group in groups:
        if not is_judged and any(map(len, group)):
            column.check(group)
            is_judged = True
        yield group
