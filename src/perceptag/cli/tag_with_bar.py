"""Label sentences in memory, with a bar on the terminal.

With a bar the work is done in batches, so that it moves. Batches change no label: they cut no document that a model
looks at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from perceptag.cli.bar import Bar, is_wanted
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.pipeline import Pipeline
from perceptag.text import Sentence
from perceptag.text.documents import batches

if TYPE_CHECKING:
    from perceptag.models.margins import Margins

AT_ONCE = 20_000  # tokens, which take less time than a bar needs to appear


def tag_all(opened: Pipeline, sentences: Sequence[Sentence], threads: int, what: str = "tagging") -> list[list[str]]:
    """The labels of the last layer. The columns that it reads are put into the sentences by the layers below."""
    found: list[list[str]] = []
    for batch in _watched(sentences, what, whole_documents=opened.looks_at_documents()):
        opened.add_lower(batch, threads)
        found += opened.top.ready.tag(batch, threads)
    return found


def margins_of_all(ready: ReadyModel, sentences: Sequence[Sentence], threads: int) -> list[Margins]:
    """The labels of a model, and by how much they win."""
    parts = _watched(sentences, "measuring margins", whole_documents=True)
    return [margins for batch in parts for margins in ready.margins(batch, threads)]


def _watched(sentences: Sequence[Sentence], what: str, *, whole_documents: bool) -> Iterator[Sequence[Sentence]]:
    """Yield batches while a bar shows how many sentences are done; without a bar, all sentences at once."""
    parts: Iterable[Sequence[Sentence]] = [sentences]
    if is_wanted():
        parts = batches(sentences, AT_ONCE, whole_documents)
    with Bar(what, len(sentences), "sentences") as bar:
        for batch in parts:
            yield batch
            bar.done += len(batch)
