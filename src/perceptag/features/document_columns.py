"""Columns computed from the document of a token, without labels.

They have values for capitalised words only, whose other occurrences often show what they are:

    doc_recurs        the word occurs elsewhere in the document
    doc_lower         it also occurs in lower case
    doc_inside        some other occurrence is not the first word of its sentence
    doc_before        lower-cased words before its other occurrences (several values)
    doc_after         and after them
    doc_name_before   the same neighbours as written, if they are capitalised
    doc_name_after

Templates use them like any other column: ``doc_before[0]``. A sentence outside all marked documents is a document of
its own. `reference.document_columns` defines them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perceptag._core import document_values
from perceptag.arrays import Ints, int_view, offset_view
from perceptag.text.sentence import Sentence

COLUMNS = ("doc_recurs", "doc_lower", "doc_inside", "doc_before", "doc_after", "doc_name_before", "doc_name_after")


@dataclass(frozen=True, slots=True, eq=False)
class DocumentTokens:
    """The words of sentences with their documents. It takes the place of each computed column in tagging."""

    tokens: Sequence[Sequence[str]]  # of each sentence
    begin: Ints  # [sentences + 1] where each sentence begins
    documents: Ints  # [documents + 1] which sentences each document has


@dataclass(frozen=True, slots=True, eq=False)
class NumberedValues:
    """A column as ids: its values in order of appearance, and the id of each token's value."""

    values: Sequence[tuple[str, ...]]  # the same may be there again
    numbers: Ints


def read_documents(sentences: Sequence[Sentence]) -> DocumentTokens:
    """Return the words of some sentences, with their documents."""
    tokens = [s.tokens for s in sentences]
    return DocumentTokens(
        tokens, offset_view(map(len, tokens)), document_offsets([s.starts_document for s in sentences])
    )


def document_offsets(starts: Sequence[bool]) -> Ints:
    """Return the offsets of documents among sentences, given which sentences are marked.

    >>> document_offsets([False, False, True, False, True]).tolist()
    [0, 1, 2, 4, 5]
    """
    first = starts.index(True) if True in starts else len(starts)  # each sentence before it is a document
    marked = (s for s in range(first, len(starts)) if starts[s])
    return int_view([*range(first), *marked, len(starts)])


def numbered_columns(names: Sequence[str], sentences: Sequence[Sentence]) -> dict[str, NumberedValues]:
    """Return several of the columns of some sentences, computed natively."""
    found = read_documents(sentences)
    made = document_values(names, found.tokens, found.documents)
    return {name: NumberedValues(values, numbers) for name, (numbers, values) in zip(names, made, strict=True)}
