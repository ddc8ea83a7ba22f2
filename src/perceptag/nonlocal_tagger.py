"""A model with non-local features made ready to tag: whole documents at a time."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from perceptag import _core
from perceptag.ascent import infer, joined
from perceptag.dataset import make_dataset
from perceptag.errors import ModelError, SettingError
from perceptag.explain import Contribution, Explanation, explain
from perceptag.features.attributes import Attribute
from perceptag.features.document import split_documents
from perceptag.linear_tagger import LinearTagger
from perceptag.model import Model
from perceptag.nonlocal_ import Floats, NonLocal, UserFeature, make_nonlocal
from perceptag.text.sentence import Sentence


class NonLocalTagger:
    """Tags documents with a model that has non-local features; a `perceptag.compiled.Compiled`.

    Sentences are grouped by their document marks; one that belongs to no marked document stands alone.
    """

    def __init__(
        self,
        model: Model,
        attributes: Mapping[str, Attribute] | None = None,
        functions: Mapping[str, UserFeature] | None = None,
    ) -> None:
        self.model = model
        self.local = LinearTagger(model, attributes)
        recipe = model.recipe
        _check_functions(model, functions or {})
        self.features = make_nonlocal(recipe, model.labelling, functions or {})
        self.weights = _weights(model, self.features)

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""
        labelling = self.model.labelling
        names = [[labelling.names[y] for y in ids] for ids in self._tag_ids(sentences, threads)]
        return [labelling.to_outer(labels) for labels in names]

    def _tag_ids(self, sentences: Sequence[Sentence], threads: int) -> list[list[int]]:
        found: list[list[int]] = []
        for document, lists in self._lists(sentences, threads):
            sweeps = self.model.recipe.sweeps
            chosen = infer(self.features, document, lists, self.weights, sweeps)
            found += [labels.numpy().tolist() for labels in chosen]
        if self.model.facts.get("unit") == "document":
            flat = iter([y for ids in found for y in ids])
            found = [[next(flat) for _ in range(len(s))] for s in sentences]
        return found

    def _lists(self, sentences: Sequence[Sentence], threads: int) -> Iterator[tuple[list[Sentence], list[_core.NBest]]]:
        """Documents with the n-best lists of their sequences."""
        linear, n = self.local.linear, self.model.recipe.nbest_tagging
        for document in split_documents(sentences):
            data = make_dataset(document, self.local.columns, computed=self.local.computed)
            whole = self.model.facts.get("unit") == "document"
            begin = data.begin[[0, -1]] if whole else data.begin
            corpus = linear.encode(data.columns, begin)
            lists = _core.nbest_batch(linear.vectors[0], corpus, n, linear.dictionary, threads)
            yield ([joined(document)] if whole else document), lists

    def explain(self, sentence: Sentence) -> Explanation:
        """Explain a sentence as a document of its own."""
        return self.explain_document([sentence])[0]

    def explain_document(self, document: Sequence[Sentence]) -> list[Explanation]:
        """Explain all sentences of a document: local contributions, and the non-local features of the whole."""
        ids = self._tag_ids(document, 1)
        labellings = [_core.Labels(np.array(y, np.int32)) for y in ids]
        stage = self.features.stage(document, [[labels] for labels in labellings])
        for s in range(len(document)):
            stage.choose(s, 0)
        numbers = self.features.numbers
        contributions = tuple(
            Contribution(name, float(value * self.weights[numbers[name]]), 0.0)
            for name, value in stage.document().items()
            if numbers[name] < len(self.weights)
        )
        shared = tuple(sorted(contributions, key=lambda c: -abs(c.weight)))
        return [
            replace(explain(self.local, sentence, labels), nonlocal_contributions=shared)
            for sentence, labels in zip(document, labellings, strict=True)
        ]

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[list[tuple[list[str], float]]]:
        """The n best labellings of each sentence under the local part of the model."""
        return self.local.nbest(sentences, n, threads)

    def known_words(self) -> Container[str] | None:
        """The words of the training data."""
        return self.local.known_words()


def _weights(model: Model, features: NonLocal) -> Floats:
    values, names = model.arrays.get("nonlocal.weights"), model.facts.get("nonlocal")
    if values is None or values.dtype != np.float64 or not isinstance(names, list) or len(names) != len(values):
        raise ModelError("non-local features and their weights differ in number")
    if not np.isfinite(values).all():
        raise ModelError("a weight is not a finite number")
    numbers = [features.number(str(name)) for name in names]
    weights = np.zeros(len(features.numbers))
    weights[numbers] = values
    return weights


def _check_functions(model: Model, functions: Mapping[str, UserFeature]) -> None:
    for entry in model.recipe.nonlocal_functions:
        name = entry.partition("=")[0]
        if name not in functions:
            raise SettingError(
                f"the model uses the non-local function {entry!r}, which is code of your own: give it as "
                f"functions={{{name!r}: function}}, or allow perceptag to import it (--allow-code)"
            )
