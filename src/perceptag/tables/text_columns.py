"""From a column of texts to columns of spans, tokens and labels. Each text is a document of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from perceptag.errors import DataError, SettingError, brief
from perceptag.pipeline.document import Document
from perceptag.pipeline.pipeline import Pipeline
from perceptag.pipeline.text_documents import checked_text
from perceptag.tables.kinds import NewColumn
from perceptag.tables.rows import is_missing


@dataclass(frozen=True, slots=True)
class TextColumns:
    """The names of the columns that a text gets; None for one that is not wanted."""

    spans: str | None = "spans"
    tokens: str | None = None
    labels: str | None = None

    def named(self) -> dict[str, str]:
        """Return the wanted columns by their arguments."""
        every = {"spans": self.spans, "tokens": self.tokens, "labels": self.labels}
        return {argument: name for argument, name in every.items() if name is not None}

    def check(self, pipeline: Pipeline, taken: Sequence[str]) -> None:
        """Refuse names that the table has, and spans of a model that marks none."""
        if pipeline.tokenizer is None:
            raise SettingError(
                "text: expected a model with a tokeniser, such as 'en', found one without; 'perceptag pipeline "
                "TOKENIZER MODEL' puts one in front of it"
            )
        named = self.named()
        if not named:
            raise SettingError("spans, tokens, labels: expected the name of one new column or more, found none")
        for argument, name in named.items():
            if not isinstance(name, str) or name in taken or list(named.values()).count(name) > 1:
                has = ", which the table has" if name in taken else ""
                raise SettingError(f"{argument}: expected the name of a new column, found {brief(name)}{has}")
        if "labels" in named:
            _ = pipeline.top  # a tokeniser alone has no labels
        if "spans" in named and all(layer.scheme == "none" for layer in pipeline.layers):
            found = ", ".join(pipeline.names) or "none"
            raise SettingError(
                f"spans: expected a model with a layer that marks spans, found the layers {found}; "
                "spans=None, labels='labels' gives labels"
            )

    def of(self, pipeline: Pipeline, texts: Sequence[Any], column: str, first: int = 0) -> Mapping[str, NewColumn]:
        """Return the new columns for a column of texts, whose first row has the number `first`.

        A row without a text (None, NaN) has None in all of them.
        """
        documents = pipeline.pipe(_present(texts, column, first))
        values: dict[str, list[Any]] = {argument: [] for argument in self.named()}
        for text in texts:
            document = None if is_missing(text) else next(documents)
            for argument, found in values.items():
                found.append(None if document is None else _READ[argument](document, pipeline))
        return {
            self.named()[argument]: NewColumn(found, lists=argument != "spans", spans=argument == "spans")
            for argument, found in values.items()
        }


def _present(texts: Sequence[Any], column: str, first: int) -> Iterator[str]:
    for row, text in enumerate(texts, first):
        where = f"row {row}: column {column!r}"
        if not is_missing(text):
            if not isinstance(text, str):
                hint = "; lists of tokens are what `tokens` is for" if isinstance(text, Sequence) else ""
                raise DataError(f"expected a text, found {brief(text)}{hint}", where)
            yield checked_text(text, where)


_READ: dict[str, Callable[[Document, Pipeline], list[Any]]] = {
    "spans": lambda document, _: [span.to_dict() for span in document.spans],
    "tokens": lambda document, _: [word.text for word in document.words],
    "labels": lambda document, pipeline: [word.labels[pipeline.top.name] for word in document.words],
}
