"""A model with non-local features made ready to tag: whole documents at a time."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

import numpy as np

from perceptag import _core
from perceptag.confidence.margins import Margins
from perceptag.corpus.dataset import Dataset, make_dataset
from perceptag.errors import ModelError, SettingError, brief
from perceptag.features.attributes import Attribute
from perceptag.features.user import UserFeature
from perceptag.models.document.candidate_scorer import CandidateScorer
from perceptag.models.document.features import NonLocal, make_nonlocal
from perceptag.models.document.margins import label_scores
from perceptag.models.document.search import choose, infer, joined, scopes
from perceptag.models.explanation import Explanation, NonLocalContribution
from perceptag.models.linear.explain import explain
from perceptag.models.linear.runtime import Linear
from perceptag.models.linear.tagger import LinearTagger
from perceptag.models.list_memory import require_lists
from perceptag.numeric.arrays import Floats, cut, offsets
from perceptag.store.model import Model
from perceptag.text.documents import as_document
from perceptag.text.sentence import Sentence

SMALL = 1e-6  # in place of a weight that is not above zero


class NonLocalTagger:
    """Tags documents with a model that has non-local features; a `perceptag.models.protocol.Compiled`.

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
        self.judge = _take_judge(model, self.local.linear)
        self.features = _features(model, functions or {})
        self.weights = _weights(model, self.features)

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""
        names = self.model.label_set.names
        ids = [y for document in scopes(sentences, self.model.recipe) for y in self._flat_ids(document, threads)]
        labels = cut([names[y] for y in ids], offsets([len(s) for s in sentences]))
        return [self.model.label_set.to_outer(sentence) for sentence in labels]

    def margins(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels of each sentence, and by how much they win under all features, given the rest of the document."""
        return [m for document in scopes(sentences, self.model.recipe) for m in self._margins(document, threads)]

    def _margins(self, document: Sequence[Sentence], threads: int) -> list[Margins]:
        local, judge = self.local, self.judge
        data, corpus, lists, scores = self._candidates(document, threads)
        candidates = choose(
            self.features, self._sequences(document), lists, self.weights, self.model.recipe.sweeps, scores
        )
        vector = local.linear.vectors[0] if judge.second is None else judge.second
        flat = _core.max_marginals(vector, corpus, local.linear.dictionary, threads).astype(np.float64)
        if judge.second is None:
            flat *= max(judge.score_weight, SMALL)  # minus infinity stays what it is
        L = len(self.model.label_set.names)
        ids, judged = label_scores(candidates, scores, self.weights, flat.reshape(-1, L))
        return local.to_margins(judged, ids, data.begin, local.label_writer(ids, data.begin))

    def _flat_ids(self, document: Sequence[Sentence], threads: int) -> list[int]:
        chosen = self._infer(document, threads)
        return [y for labels in chosen for y in labels.numpy().tolist()]

    def _infer(self, document: Sequence[Sentence], threads: int) -> list[_core.Labels]:
        """The labels of each sequence of a document."""
        _, _, lists, local = self._candidates(document, threads)
        return infer(self.features, self._sequences(document), lists, self.weights, self.model.recipe.sweeps, local)

    def _candidates(
        self, document: Sequence[Sentence], threads: int
    ) -> tuple[Dataset, _core.Corpus, list[_core.NBest], list[Floats]]:
        """The sequences of a document, the n-best lists of each under the local model, and their scores."""
        linear, n = self.local.linear, self.model.recipe.nbest_tagging
        data = make_dataset(document, self.local.columns, computed=self.local.computed)
        begin = data.begin[[0, -1]] if self.local.whole_documents else data.begin
        require_lists(n, linear.vectors[0].labels, begin)
        corpus = linear.encode(data.columns, begin)
        lists = _core.nbest_batch(linear.vectors[0], corpus, n, linear.dictionary, threads)
        return data, corpus, lists, self.judge.score_lists([corpus[i] for i in range(len(corpus))], lists)

    def _sequences(self, document: Sequence[Sentence]) -> Sequence[Sentence]:
        return [joined(document)] if self.local.whole_documents else document

    def explain(self, sentence: Sentence) -> Explanation:
        """Explain a sentence as a document of its own."""
        return self.explain_document([sentence], 0)

    def explain_document(self, document: Sequence[Sentence], number: int) -> Explanation:
        """Explain one sentence of a document: local contributions, and the non-local features of the whole.

        Rivals and margins are those of the local part: by how much it alone prefers the label, or does not.
        """
        if len(scopes(as_document(document), self.model.recipe)) > 1:
            document, number = [document[number]], 0
        chosen = self._infer(as_document(document), 1)
        labels = chosen[0 if self.local.whole_documents else number]
        return replace(
            explain(self.local, document, number, labels), nonlocal_contributions=self._contributions(document, chosen)
        )

    def _contributions(
        self, document: Sequence[Sentence], chosen: Sequence[_core.Labels]
    ) -> tuple[NonLocalContribution, ...]:
        candidates = self.features.candidate_document(self._sequences(document), [[labels] for labels in chosen])
        for s in range(len(chosen)):
            candidates.choose(s, 0)
        numbers = self.features.numbers
        found = [
            NonLocalContribution(name, value, value * float(self.weights[numbers[name]]))
            for name, value in candidates.document().items()
            if name in numbers
        ]
        return tuple(sorted(found, key=lambda c: -abs(c.contribution)))

    def heaviest(self, n: int) -> list[tuple[str, float]]:
        """The non-local features with the largest absolute weights."""
        named = self.features.by_name(self.weights)
        return sorted(named.items(), key=lambda entry: -abs(entry[1]))[:n]

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[list[tuple[list[str], float]]]:
        """The n best labellings of each sequence under the local part of the model."""
        return self.local.nbest(sentences, n, threads)

    def known_words(self) -> Container[str] | None:
        """The words of the training data."""
        return self.local.known_words()


def _take_judge(model: Model, linear: Linear) -> CandidateScorer:
    """What scores candidates besides non-local features; what is left proposes them."""
    vectors = linear.vectors
    reranks = model.facts.get("kind") == "rerank"
    if reranks and len(vectors) == 2:
        linear.vectors = vectors[:1]
        return CandidateScorer(second=vectors[1])
    if len(vectors) != 1:
        raise ModelError("a model with non-local features has one vector of local weights, or two if it re-ranks")
    weight = model.facts.get("score_weight") if reranks else 1.0
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not np.isfinite(weight):
        raise ModelError(f"expected the weight of the first model's score as a number, found {brief(weight)}")
    return CandidateScorer(float(weight))


def _features(model: Model, functions: Mapping[str, UserFeature]) -> NonLocal:
    wanted = model.facts.get("functions", [])
    if not isinstance(wanted, list) or not all(isinstance(name, str) for name in wanted):
        raise ModelError(f"expected the names of non-local functions, found {brief(wanted)}")
    entries = {entry.partition("=")[0]: entry for entry in model.recipe.nonlocal_functions}
    for name in wanted:
        if name not in functions:
            or_import = ", or allow perceptag to import it (--allow-code)" if name in entries else ""
            raise SettingError(
                f"the model uses the non-local function {entries.get(name, name)!r}, which is code of your own: "
                f"give it as functions={{{name!r}: function}}{or_import}"
            )
    try:
        return make_nonlocal(model.recipe, model.label_set, {name: functions[name] for name in wanted})
    except SettingError as error:
        raise ModelError(str(error)) from error


def _weights(model: Model, features: NonLocal) -> Floats:
    values, names = model.arrays.get("nonlocal.weights"), model.facts.get("nonlocal")
    if values is None or values.dtype != np.float64 or values.ndim != 1:
        raise ModelError("expected the weights of non-local features as a vector of float64")
    if not isinstance(names, list) or len(names) != len(values):
        raise ModelError("non-local features and their weights differ in number")
    if not np.isfinite(values).all():
        raise ModelError("a weight is not a finite number")
    for name in names:
        if name not in features.numbers and str(name).partition(":")[0] not in features.functions:
            raise ModelError(f"unknown non-local feature {brief(name)}")
    numbers = [features.number(str(name)) for name in names]
    if len(set(numbers)) != len(numbers):
        raise ModelError("a non-local feature is there twice")
    weights = np.zeros(len(features.numbers))
    weights[numbers] = values
    return weights
