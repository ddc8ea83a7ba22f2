"""A chunker made ready to tag and to explain."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from perceptag import _core
from perceptag.chunk_explain import ChunkExplanation, explain
from perceptag.chunk_model import Layers, to_labels, unpack
from perceptag.errors import ModelError
from perceptag.features.attributes import Attribute
from perceptag.model import Model
from perceptag.text.sentence import Sentence


class ChunkTagger:
    """Tags sentences with a chunker; a `perceptag.compiled.Compiled`."""

    def __init__(self, model: Model, attributes: Mapping[str, Attribute] | None = None) -> None:  # noqa: ARG002
        self.model = model
        recipe = model.recipe
        self.categories = model.facts["categories"]
        if not isinstance(self.categories, list) or not all(isinstance(name, str) for name in self.categories):
            raise ModelError("the categories of the model are not a list of names")
        self.encoder, features, self.functions, gazetteer = unpack(
            model.arrays,
            model.facts,
            (recipe.chunker_word_window, recipe.chunker_phrase_window),
            len(self.categories),
            recipe.chunker_degree,
        )
        words, phrases = (decoder(recipe.chunker_decoder, vectors) for vectors in self.functions)
        self.layers = Layers(features, words, phrases, gazetteer, recipe.chunker_context)

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""
        found = self.layers.recognise_all(self.encoder.encode(sentences), threads)
        return [
            to_labels(self.model.labelling, phrases, len(sentence), self.categories)
            for phrases, sentence in zip(found, sentences, strict=True)
        ]

    def explain(self, sentence: Sentence) -> ChunkExplanation:
        """Which phrases were found, which words let them through, and what carried their scores."""
        return explain(self, sentence)

    def known_words(self) -> Container[str] | None:
        """The words of the training data."""
        return self.encoder.vocabularies.word if self.encoder.word == self.encoder.form else None


def decoder(name: str, vectors: _core.SupportVectors) -> _core.Scorer:
    """What scores instances: the kernel, or its expansion into weights of features and pairs."""
    if name == "kernel" or (name == "auto" and vectors.degree > 2):
        return vectors
    return _core.Expansion(vectors)
