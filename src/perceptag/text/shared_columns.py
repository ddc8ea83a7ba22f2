"""The columns that all sentences have.

Column files and Parquet have the same columns in all sentences. JSON lines and the files of a project need not: some
sentences may have tags of words, others none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from perceptag.text.sentence import Sentence

SAME_COLUMNS = ("columns", "parquet")  # formats whose sentences have the same columns
LABEL = "label"  # the column of labels in files that do not have the one of the project


@dataclass(frozen=True, slots=True)
class SharedColumns:
    """The columns that all sentences have, in the order of the first sentence."""

    names: tuple[str, ...]
    lost: dict[str, str]  # the other columns, each with a file in which it is missing

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> SharedColumns:
        """Look at all sentences."""
        first, lost = None, dict[str, str]()
        for sentence in sentences:
            first = first or sentence
            lost |= {name: sentence.source for name in first.columns if name not in sentence.columns}
            lost |= {name: first.source for name in sentence.columns if name not in first.columns}
        return cls(tuple(name for name in (first.columns if first else ()) if name not in lost), lost)

    def only(self, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
        """Yield sentences with these columns alone."""
        for sentence in sentences:
            columns = {name: sentence.columns[name] for name in self.names}
            yield sentence if [*columns] == [*sentence.columns] else replace(sentence, columns=columns)

    def told(self) -> str:
        """Say which columns were left out, and why.

        >>> SharedColumns(("form",), {"pos": "b.jsonl", "chunk": "b.jsonl", "lemma": "a.csv"}).told()
        'left out: pos, chunk (not in all sentences of b.jsonl), lemma (not in all sentences of a.csv)'
        """
        files = dict.fromkeys(self.lost.values())
        names = {file: ", ".join(name for name, where in self.lost.items() if where == file) for file in files}
        return f"left out: {', '.join(f'{names[file]} (not in all sentences of {file})' for file in files)}"


def with_labels_in(sentences: Iterable[Sentence], column: str) -> Iterator[Sentence]:
    """Yield sentences whose labels are in one column, also where they are in the usual one."""
    for sentence in sentences:
        if column in sentence.columns:
            yield sentence
        else:
            columns = {column if name == LABEL else name: values for name, values in sentence.columns.items()}
            yield replace(sentence, columns=columns)
