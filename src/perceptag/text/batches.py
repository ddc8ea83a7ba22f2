"""Group sentences into batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perceptag.text import Sentence
from perceptag.text.documents import iter_documents


def batches(sentences: Iterable[Sentence], tokens: int, whole_documents: bool = False) -> Iterator[list[Sentence]]:
    """Group sentences into batches of at least `tokens` tokens. With `whole_documents` no document is cut."""
    return joined_parts(iter_documents(sentences) if whole_documents else ([s] for s in sentences), tokens)


def joined_parts(parts: Iterable[list[Sentence]], tokens: int) -> Iterator[list[Sentence]]:
    """Put parts together, such as documents, into batches of at least `tokens` tokens."""
    batch: list[Sentence] = []
    size = 0
    for part in parts:
        batch += part
        size += sum(map(len, part))
        if size >= tokens:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
