"""From a model to something that runs: the kinds of model, by name."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Protocol

from perceptag.chunk_tagger import ChunkTagger
from perceptag.errors import ModelError
from perceptag.features.attributes import Attribute
from perceptag.linear_tagger import LinearTagger
from perceptag.model import Model
from perceptag.text.sentence import Sentence


class Compiled(Protocol):
    """A model made ready to tag: read-only, shared by any number of threads."""

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""

    def explain(self, sentence: Sentence) -> Any:
        """Why a sentence gets its labels."""

    def known_words(self) -> Container[str] | None:
        """The words of the training data, or None if the model does not know them."""


KINDS: dict[str, Callable[[Model, Mapping[str, Attribute] | None], Compiled]] = {
    "linear": LinearTagger,
    "chunker": ChunkTagger,
}


def compile_model(model: Model, attributes: Mapping[str, Attribute] | None = None) -> Compiled:
    """Make a model ready to tag. `attributes` holds the functions of the user that it names."""
    kind = model.facts.get("kind")
    if kind not in KINDS:
        raise ModelError(f"unknown kind of model {kind!r}; this version knows {', '.join(KINDS)}")
    return KINDS[kind](model, attributes)
