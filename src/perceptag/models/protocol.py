"""What a model that is ready to tag can do."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from perceptag.confidence.margins import Margins
from perceptag.features.attributes import Attribute
from perceptag.features.user import UserFeature
from perceptag.text.sentence import Sentence


class Compiled(Protocol):
    """A model made ready to tag: read-only, shared by any number of threads."""

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[list[tuple[list[str], float]]]:
        """The n best labellings of each sequence with their scores, the best first.

        A sequence is a sentence, or a document where the model takes whole documents (`unit`).
        """

    def explain(self, sentence: Sentence) -> Any:
        """Why a sentence gets its labels."""

    def known_words(self) -> Container[str] | None:
        """The words of the training data, or None if the model does not know them."""


@runtime_checkable
class ExplainsDocuments(Protocol):
    """A compiled model that can explain a sentence where it stands."""

    def explain_document(self, document: Sequence[Sentence], number: int) -> Any:
        """Why sentence `number` of a document, counted from 0, gets its labels."""


@runtime_checkable
class HasMargins(Protocol):
    """A compiled model that knows by how much its labels win, better than its n-best lists can tell."""

    def margins(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels that `tag` gives, and by how much they win, in the units of the model."""


Attributes = Mapping[str, Attribute]
Functions = Mapping[str, UserFeature]
