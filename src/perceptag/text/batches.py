"""Group sentences into batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from perceptag.text import Sentence
from perceptag.text.documents import iter_documents


def batches(sentences: Iterable[Sentence], tokens: int, whole_documents: bool = False) -> Iterator[list[Sentence]]:
    """Group sentences into batches of at least `tokens` tokens. With `whole_documents` no document is cut."""
    batch: list[Sentence] = []
    size = 0
    for part in iter_documents(sentences) if whole_documents else ([sentence] for sentence in sentences):
        batch += part
        size += sum(map(len, part))
        if size >= tokens:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
