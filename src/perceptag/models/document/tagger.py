"""A model with non-local features made ready to tag: whole documents at a time.

Margins: candidates count with all their features, given what is chosen in the other sequences of the document. If no
candidate has a label, the best labelling of the local part that has it counts, with the non-local features of the
chosen one.
"""

from __future__ import annotations

import copy
from array import array
from collections.abc import Container, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

from perceptag import _core
from perceptag._core import best_by_label
from perceptag.arrays import NO_INTS, Floats, Ints, cut, int_view, np, offset_view
from perceptag.errors import ModelError, SettingError, brief
from perceptag.features.dataset import Dataset
from perceptag.features.document_columns import read_documents
from perceptag.features.fixed_encoder import TokenTypes, TypedColumns
from perceptag.features.user_functions import UserFeature
from perceptag.labels.schemes import belongs
from perceptag.learn import catalogue
from perceptag.models.document.features import CandidateDocument, NonLocal, make_nonlocal
from perceptag.models.document.global_weights import CandidateScorer
from perceptag.models.document.search import (
    DocumentDecoder,
    choose,
    chosen_labels,
    is_sentence_alone,
    joined,
    ranking,
    scopes,
)
from perceptag.models.linear.tagger import LinearTagger
from perceptag.models.list_memory import require_lists
from perceptag.models.model import HEAVIEST, Model, heavy, view_of
from perceptag.models.protocol import Attributes, Functions, Ranked, ReadyModel, TopWeights
from perceptag.recipe.usercode import missing_code
from perceptag.text.documents import as_document, batches
from perceptag.text.sentence import Sentence, has_rules

if TYPE_CHECKING:
    from perceptag.labels.given import Given
    from perceptag.models.explanation import Explanation, NonLocalContribution
    from perceptag.models.margins import Margins

SMALL = 1e-6  # replaces a weight that is not above zero
BATCH = 20_000  # tokens that are tagged at once
FEW_LISTED_LABELS = 4_000_000  # that always fit into memory


class Candidates(NamedTuple):
    """The sequences of a document, their n-best lists under the local model, and the scores of the candidates."""

    data: Dataset
    corpus: _core.Corpus
    lists: list[_core.NBest]
    scores: list[Floats]  # of the candidates in each list


class NonLocalTagger(ReadyModel):
    """Tags documents with a model that has non-local features.

    Sentences are grouped by their document marks; a sentence outside all marked documents is a document of its own.
    """

    offers = frozenset(
        {"given", "rules", "suggest", "nbest", "explain", "explain-given", "top-weights", "outside-score"}
    )

    def __init__(self, model: Model, attributes: Attributes | None = None, functions: Functions | None = None) -> None:
        self.model = model
        self.local = LinearTagger(model, attributes)
        if len(self.local.vectors) != 1:
            raise ModelError(
                "facts.snapshots: expected one vector of local weights with non-local features, found more"
            )
        self.reader = self.local.reader
        self.label_order = self.local.label_order
        self.scorer = self.make_scorer()
        self.features = _features(model, functions or {})
        self._weights = _weights(model, self.features)
        n = model.recipe.own["nbest_tagging"]
        self.decoder = DocumentDecoder(self.local.decoder, self.features, self._weights, n)

    @cached_property
    def weights(self) -> Floats:
        """The weights of the non-local features, by their numbers."""
        return np.asarray(self._weights)

    def make_scorer(self) -> CandidateScorer:
        """What scores candidates besides non-local features: here, the local part of the model."""
        return CandidateScorer()

    def set_outside_score(self, score: float) -> None:
        """Add a score to the label O at every token, in the local part of the model."""
        self.local.set_outside_score(score)
        self.decoder.forget()
        if self.scorer.second is not None:
            self.scorer.second.prefer(self.model.label_set.names.index("O"), score)

    def looks_at_documents(self) -> bool:
        """Always true: the labels of a sentence may depend on other sentences of its document."""
        return True

    def input_columns(self) -> list[str]:
        return self.local.input_columns()

    def known_words(self) -> Container[str] | None:
        return self.local.known_words()

    # --- tagging ---

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        if not self._is_native or has_rules(sentences):
            ids = self.label_ids(sentences, threads)
            return self.local.label_writer(ids, offset_view(map(len, sentences)))
        found: list[list[str]] = []
        for batch in batches(sentences, BATCH, whole_documents=True):
            found += self.local.label_writer(self._native_ids(batch, threads), offset_view(map(len, batch)))
        return found

    def label_ids(self, sentences: Sequence[Sentence], threads: int = 1) -> Ints:
        if self._is_native and not has_rules(sentences):
            parts = [self._native_ids(batch, threads) for batch in batches(sentences, BATCH, whole_documents=True)]
            return np.concatenate([np.zeros(0, np.int32), *parts])
        found = [y for document in self._scopes(sentences) for y in self._flat_ids(document, threads)]
        return np.array(found, np.int32)

    @property
    def _is_native(self) -> bool:
        """Whether the core knows all features, and candidates have the scores of the local model."""
        plain = self.scorer.second is None and self.scorer.score_weight == 1
        return plain and self.features.own and not self.features.functions

    def _native_ids(self, sentences: Sequence[Sentence], threads: int) -> Ints:
        if self._is_sentence_alone:
            sentences = [replace(sentence, starts_document=False) for sentence in sentences]
        columns, encoder, documents = self.reader.values(sentences), self.local.encoder, read_documents(sentences)
        closed, found = encoder.find_closed(columns), encoder.look_up(columns, documents)
        return self._decode(found, self.reader.units(sentences), documents.documents, closed, threads)

    @property
    def takes_column_text(self) -> bool:  # type: ignore[override]  # a plain attribute of the other kinds
        """Whether labels of a file follow natively, and can be written there."""
        return self._is_native and self.local.takes_column_text

    def tag_column_text(self, text: _core.ColumnText, names: Sequence[str]) -> tuple[Sequence[str], Ints]:
        begin = cast("Ints", text.begin)  # a view of memory, which the core takes as it takes an array
        documents = int_view(range(len(begin))) if self._is_sentence_alone else cast("Ints", text.documents)
        found = self.local.encoder.look_up_text(text, names, documents, with_words=True)
        ids = self._decode(found, begin, documents, NO_INTS, threads=1)
        return self.local.label_writer.names, self.local.label_writer.numbers(ids, begin)

    @property
    def takes_typed_text(self) -> bool:  # type: ignore[override]
        """Whether labels of sentences of known documents follow natively."""
        return self._is_native and self.local.takes_typed_text

    def tag_types(
        self, columns: TypedColumns, begin: Ints, threads: int = 1, documents: Ints | None = None
    ) -> tuple[Sequence[str], Ints]:
        if documents is None or self._is_sentence_alone:
            documents = int_view(range(len(begin)))
        found = self.local.encoder.look_up_types(columns, begin, documents, with_words=True)
        ids = self._decode(found, begin, documents, NO_INTS, threads)
        return self.local.label_writer.names, self.local.label_writer.numbers(ids, begin)

    def _decode(self, found: TokenTypes, units: Ints, documents: Ints, closed: Ints, threads: int) -> Ints:
        """The labels of sequences; `documents` says which sentences documents have."""
        if self.reader.unit == "document":
            documents = int_view(range(len(units)))
        self._require(units, documents)
        return self.decoder.tag(found, units, documents, closed, self.local.encoder, threads)

    def _require(self, units: Ints, documents: Ints) -> None:
        """Refuse a document whose lists would not fit into memory."""
        n, L = self.most_candidates, self.local.vectors[0].labels
        if int(units[-1]) * n <= FEW_LISTED_LABELS:
            return
        every = np.asarray(units)
        for first, last in pairwise(documents.tolist()):
            require_lists(n, L, every[first : last + 1] - every[first])

    def tag_given(self, sentences: Sequence[Sentence], given: Sequence[Given], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, from candidates that agree with the labels that are given."""
        from perceptag.models.given import tag_given  # few users need it: tagging starts without it

        return tag_given(self, sentences, given, threads)

    def restricted(self, allowed: Sequence[str], with_words: bool) -> NonLocalTagger:
        """The same model, restricted to the labels in a column of the sentences.

        `allowed` lists the values of that column.
        """
        model = copy.copy(self)
        local = self.local.restricted(allowed, with_words)
        assert isinstance(local, LinearTagger)
        model.local, model.reader = local, local.reader
        return model

    def total_score(self, sentences: Sequence[Sentence], ids: Ints) -> float:  # noqa: ARG002
        """0: documents are not searched for the highest score, but for one that no single sentence improves."""
        return 0.0

    def _scopes(self, sentences: Sequence[Sentence]) -> list[list[Sentence]]:
        return scopes(sentences, self.model.recipe, _problem(self.model))

    @property
    def _is_sentence_alone(self) -> bool:
        """Whether non-local features see one sentence at a time."""
        return is_sentence_alone(self.model.recipe, _problem(self.model))

    def _flat_ids(self, document: Sequence[Sentence], threads: int) -> list[int]:
        found = self.candidates(document, threads)
        chosen = self._infer(document, found)
        return [y for labels in chosen for y in labels.numpy().tolist()]

    def candidates(self, document: Sequence[Sentence], threads: int = 1) -> Candidates:
        """The sequences of a document, with the n best labellings of each under the local model."""
        local, n = self.local, self.model.recipe.own["nbest_tagging"]
        data = self.reader.read(document)
        require_lists(n, local.vectors[0].labels, data.units)
        corpus = local.encoder.encode(data.columns, data.units)
        lists = local.lists(corpus, data, n, threads)
        scores = self.scorer.score_lists([corpus[i] for i in range(len(corpus))], lists)
        if data.ruled:
            scores = self._with_votes(document, lists, scores)
        return Candidates(data, corpus, lists, scores)

    def _with_votes(
        self, document: Sequence[Sentence], lists: Sequence[_core.NBest], scores: Sequence[Floats]
    ) -> list[Floats]:
        """The scores of candidates with the weights of suggested spans, which count the same in every model."""
        searches, scorer = self.local.rule_searches, self.scorer
        counted = scorer.score_weight if scorer.second is None else 0.0  # how much of them is in the scores already
        return [
            own + (1 - counted) * np.array([searches.bonus(sequence, ids) for ids in best.labels])
            for sequence, best, own in zip(self.reader.sequences(document), lists, scores, strict=True)
        ]

    def _infer(self, document: Sequence[Sentence], found: Candidates) -> list[_core.Labels]:
        """The labels of each sequence of a document."""
        return chosen_labels(self._choose(document, found))

    def _choose(self, document: Sequence[Sentence], found: Candidates) -> CandidateDocument:
        return choose(self.features, self._sequences(document), found.lists, self.weights, found.scores)

    def _sequences(self, document: Sequence[Sentence]) -> Sequence[Sentence]:
        return [joined(document)] if self.reader.unit == "document" else document

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[Ranked]:
        """The n best of the candidates that `tag` chooses from, under all features, given the rest of the document."""
        return [ranked for document in self._scopes(sentences) for ranked in self._ranked(document, n, threads)]

    @property
    def most_candidates(self) -> int:  # type: ignore[override]  # a plain attribute of the other kinds
        """How many labellings of a sequence it chooses from."""
        return int(self.model.recipe.own["nbest_tagging"])

    def _ranked(self, document: Sequence[Sentence], n: int, threads: int) -> list[Ranked]:
        found = self.candidates(document, threads)
        chosen = self._choose(document, found)
        lists = []
        for s, (sequence, local) in enumerate(zip(self.reader.sequences(document), found.scores, strict=True)):
            best = ranking(chosen, s, local, self.weights)[:n]
            ids = [chosen.candidates[s][k].numpy() for k, _ in best]
            lists.append(self.local.with_scores(sequence, ids, [score for _, score in best]))
        return lists

    # --- how sure it is, and why ---

    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels of each sentence, and by how much they win under all features, given the rest of the document."""
        return [m for document in self._scopes(sentences) for m in self._margins(document, threads)]

    def _margins(self, document: Sequence[Sentence], threads: int) -> list[Margins]:
        local, scorer = self.local, self.scorer
        found = self.candidates(document, threads)
        data, corpus, _, scores = found
        candidates = self._choose(document, found)
        vector = local.vectors[0] if scorer.second is None else scorer.second
        flat = local.max_marginals(vector, corpus, data, threads).astype(np.float64)
        if scorer.second is None:
            flat *= max(scorer.score_weight, SMALL)  # minus infinity stays minus infinity
        L = len(self.model.label_set.names)
        ids, judged = label_scores(candidates, scores, self.weights, flat.reshape(-1, L))
        return local.to_margins(judged, ids, data.begin, local.label_writer(ids, data.begin))

    def explain(self, document: Sequence[Sentence]) -> list[Explanation]:
        """Explain every sentence of a document: local contributions, and the non-local features of the whole.

        Rivals and margins are those of the local part alone, so a margin may be negative.
        """
        from perceptag.models.linear.explain import with_rule_shares  # tagging starts without it

        found: list[Explanation] = []
        for part in map(as_document, self._scopes(as_document(document))):
            candidates = self.candidates(part)
            explained = self._explain(part, candidates.corpus, self._infer(part, candidates))
            found += with_rule_shares(explained, part, self.local.rule_searches) if has_rules(part) else explained
        return found

    def explain_given(self, document: Sequence[Sentence], given: Sequence[Given]) -> list[Explanation]:
        """The same for the labels of `tag_given`."""
        from perceptag.models.given import ids_given

        found: list[Explanation] = []
        for part in map(as_document, self._scopes(as_document(document))):
            ids = list(chain(*ids_given(self, part, given[len(found) : len(found) + len(part)])))
            data = self.reader.read(part)
            corpus = self.local.encoder.encode(data.columns, data.units)
            chosen = [_core.Labels(np.array(own, np.int32)) for own in cut(ids, data.units)]
            found += self._explain(part, corpus, chosen)
        return found

    def _explain(
        self, document: Sequence[Sentence], corpus: _core.Corpus, chosen: Sequence[_core.Labels]
    ) -> list[Explanation]:
        """Explain the labels of sentences that non-local features see at once."""
        explained = self.local.explainer().explain(corpus, self.reader.sequences(document), chosen)
        whole = self._contributions(document, chosen)
        return [replace(explanation, nonlocal_contributions=whole) for explanation in explained]

    def _contributions(
        self, document: Sequence[Sentence], chosen: Sequence[_core.Labels]
    ) -> tuple[NonLocalContribution, ...]:
        from perceptag.models.explanation import NonLocalContribution

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

    def top_weights(self, n: int) -> TopWeights:
        """The heaviest local weights of each label, and the non-local features with the largest absolute weights."""
        named = self.features.by_name(self.weights)
        heaviest = sorted(named.items(), key=lambda entry: -abs(entry[1]))[:n]
        return TopWeights(self.local.top_weights(n).by_label, heaviest)


def _problem(model: Model) -> str:
    """The view of the data that its learner had; the model says it only where the learner is not perceptag's."""
    ours = catalogue().get(model.recipe.learner)
    return ours.problem if ours else str(model.facts.get("problem", ""))


def _features(model: Model, functions: Mapping[str, UserFeature]) -> NonLocal:
    for label in model.label_set.names:
        if model.label_set.inner != "none" and not belongs(label, model.label_set.inner):
            raise ModelError(f"labels: expected labels of {model.label_set.inner}, found {brief(label)}")
    wanted = model.facts.get("functions", [])
    if not isinstance(wanted, list) or not all(isinstance(name, str) for name in wanted):
        raise ModelError(f"facts: expected the names of non-local functions, found {brief(wanted)}")
    entries = model.recipe.own["nonlocal.functions"]
    for name in wanted:
        if name not in functions:
            raise missing_code("function", name, entries)
    try:
        return make_nonlocal(model.recipe, model.label_set, {name: functions[name] for name in wanted})
    except SettingError as error:
        raise ModelError(str(error)) from error


def _weights(model: Model, features: NonLocal) -> Floats:
    names = model.facts.get("nonlocal")
    try:
        values: Sequence[float] = view_of(model.arrays, "nonlocal.weights", "float64").tolist()
    except ModelError:
        message = "weights of non-local features: expected a vector of float64, found another array"
        raise ModelError(message) from None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ModelError(f"facts.nonlocal: expected the names of non-local features, found {brief(names)}")
    if len(names) != len(values):
        raise ModelError("non-local features: expected one weight for each, found another number")
    if not all(abs(weight) <= HEAVIEST for weight in values):  # false for NaN
        raise heavy("nonlocal.weights")
    for name in names:
        if name not in features.numbers and name.partition(":")[0] not in features.functions:
            raise ModelError(f"unknown non-local feature {brief(name)}")
    numbers = [features.number(name) for name in names]
    if len(set(numbers)) != len(numbers):
        raise ModelError("facts.nonlocal: expected different names, found one of them twice")
    weights = array("d", bytes(8 * len(features.numbers)))
    for number, weight in zip(numbers, values, strict=True):
        weights[number] = weight
    return cast("Floats", memoryview(weights))


def label_scores(
    document: CandidateDocument, local: Sequence[Floats], weights: Floats, marginals: Floats
) -> tuple[Ints, Floats]:
    """The chosen labels of a document, and the scores of all labels: int32[tokens], float64[tokens, L].

    `local` are the local scores of the candidates of its sequences, `marginals` the max-marginals of the local part.
    """
    chosen, scores = [np.zeros(0, np.int32)], [np.zeros((0, marginals.shape[1]))]
    begin = 0
    for s, (candidates, own) in enumerate(zip(document.candidates, local, strict=True)):
        beyond = document.scores(s, weights)[: len(own)]
        mine = candidates[document.chosen[s]].numpy()
        unlisted = marginals[begin : begin + len(mine)] + own.max() + beyond[document.chosen[s]]
        listed = best_by_label(candidates, own + beyond, marginals.shape[1]).reshape(unlisted.shape)
        chosen.append(mine)
        scores.append(np.where(np.isfinite(listed), listed, unlisted))
        begin += len(mine)
    return np.concatenate(chosen), np.concatenate(scores)
