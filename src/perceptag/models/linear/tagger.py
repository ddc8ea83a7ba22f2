"""A linear model made ready to tag and to explain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from perceptag import _core
from perceptag.arrays import Ints, cut, np, offset_view
from perceptag.errors import DataError, NotOfferedError
from perceptag.features.dataset import Dataset
from perceptag.labels.label_parts import parts_of
from perceptag.models.linear.decoder import LinearDecoder, vote
from perceptag.models.linear.feature_model import FeatureModel
from perceptag.models.linear.packing import model_snapshots, model_templates, unpack_weights
from perceptag.models.linear.span_packing import load_span_weights
from perceptag.models.model import AnyArrays, Model
from perceptag.models.protocol import ABILITIES, Attributes, Ranked, TopWeights
from perceptag.text.documents import as_document
from perceptag.text.sentence import Sentence, has_rules

if TYPE_CHECKING:  # what only some uses need is imported by them, so that tagging starts quickly
    from perceptag.features.fixed_encoder import TypedColumns
    from perceptag.labels.given import Given
    from perceptag.labels.schemes import Span
    from perceptag.models.explanation import Explanation
    from perceptag.models.linear.explain import Explainer
    from perceptag.models.linear.marginals import Marginals
    from perceptag.models.margins import Margins, PartScore, Scores

_ONE_VECTOR = frozenset({"nbest", "explain", "explain-given", "probabilities"})  # not where several vectors vote
_UNWRITABLE = frozenset(" \t\n\r\0\ufeff")  # a plain line cannot hold a label with one of these


class LinearTagger(FeatureModel):
    """Tags sentences with a linear model: with one weight vector, or with several that vote."""

    def __init__(self, model: Model, attributes: Attributes | None = None) -> None:
        super().__init__(model, attributes, model_templates(model))
        self.margins_are_log_odds = model.is_probabilistic and len(self.vectors) == 1
        self.offers = frozenset({"given", "rules", "suggest", "top-weights", "outside-score"})
        self.offers |= _ONE_VECTOR if len(self.vectors) == 1 else frozenset()
        self.offers |= {"parts"} if self.parts else frozenset()
        self.offers |= {"marginals", "span-marginals"} if self.margins_are_log_odds else frozenset()

    def not_offered(self, ability: str) -> NotOfferedError:
        if ability not in _ONE_VECTOR:
            return super().not_offered(ability)
        single = "models trained with weights = 'averaged'"
        return NotOfferedError.by("a model whose weight vectors vote", ABILITIES[ability].what, single)

    def unpack_weights(self) -> None:
        """Make the weight vectors and the search under them."""
        vectors = self.unpack_vectors(self.model.arrays, model_snapshots(self.model))
        self.decoder = LinearDecoder(self.encoder, vectors)
        self.label_order = max(1, vectors[0].order)

    def unpack_vectors(self, arrays: AnyArrays, number: int = 1) -> list[_core.Weights]:
        """Weight vectors for the features of the model, under the constraints of its recipe."""
        labels = self.model.label_set
        recipe = self.model.recipe
        self.parts = parts_of(labels.names, recipe.labels_parts, recipe.labels_pairs)
        vectors = unpack_weights(arrays, self.encoder.base, len(labels.names), number, self.parts)
        load_span_weights(arrays, self.encoder.base, labels, vectors[0])
        if self.model.recipe.constrain:
            mask = labels.mask()
            for weights in vectors:
                weights.constrain(*mask)
        return vectors

    def set_outside_score(self, score: float) -> None:
        for weights in self.vectors:
            weights.prefer(self.model.label_set.names.index("O"), score)

    def labels_by_outside_score(
        self, sentences: Sequence[Sentence], threads: int = 1
    ) -> Callable[[float], list[list[str]]]:
        if len(self.vectors) > 1 or self.model.is_probabilistic or self.looks_at_documents() or not len(sentences):
            return super().labels_by_outside_score(sentences, threads)
        from perceptag.models.linear.outside_scores import OutsideScores

        return OutsideScores(self, sentences, threads).labels

    @property
    def vectors(self) -> Sequence[_core.Weights]:
        """The weight vectors."""
        return self.decoder.vectors

    def label_ids(self, sentences: Sequence[Sentence], threads: int = 1) -> Ints:
        return self.ids_of(self.reader.read(sentences), threads)

    def ids_of(self, data: Dataset, threads: int = 1) -> Ints:
        """The same for sentences that were read."""
        if not data.ruled:
            return np.asarray(self.decoder.tag(data.columns, data.units, threads, self.encoder))
        from perceptag.models.span_rules import checked_ids

        corpus = self.encoder.encode(data.columns, data.units, threads)
        labelings = [checked_ids(self.constrained(w, data).decode(corpus, threads), data) for w in self.vectors]
        return labelings[0] if len(labelings) == 1 else vote(labelings, data.units)

    def constrained(self, weights: _core.Weights, data: Dataset) -> _core.ConstrainedSearch:
        """The search under the rules of sentences."""
        return self.rule_searches.search(weights, self.encoder.dictionary, data)

    def score_of(self, x: _core.Sequence, labels: _core.Labels) -> float:
        """The sum of the weights; 0 where several vectors vote, since a vote has no score."""
        return self.vectors[0].score(x, labels) if len(self.vectors) == 1 else 0.0

    # --- lists, words by their types, and column text ---

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        if has_rules(sentences):
            return super().tag(sentences, threads)
        found = self.tag_lists([sentence.columns for sentence in sentences], threads)
        if found is None:
            columns, units = self.reader.values(sentences), self.reader.units(sentences)
            ids = self.decoder.tag(columns, units, threads, self.encoder)
            found = self.label_writer(ids, offset_view(map(len, sentences)))
        return found

    def tag_lists(
        self, sentences: list[Any], threads: int = 1, numbers_are_features: bool | None = None
    ) -> list[list[str]] | None:
        is_plain = self.takes_types and self.encoder.dictionary is None and len(self.vectors) == 1
        if not is_plain or not self.reader.columns or not sentences:
            return None
        try:
            return self.decoder.tag_lists(sentences, self.label_writer, threads, numbers_are_features)
        except DataError:  # sentences know the place of what is wrong, and name it
            return None

    @property
    def takes_types(self) -> bool:  # type: ignore[override]  # a plain attribute of the other kinds
        """Whether it uses only columns of the data, each token by itself, and labels follow from a table."""
        return self._labels_follow_tokens and self.reader.given == list(self.reader.columns)

    @property
    def _labels_follow_tokens(self) -> bool:
        return self.encoder.closed is None and self.reader.unit == "sentence" and self.label_writer.is_by_table

    @property
    def takes_typed_text(self) -> bool:  # type: ignore[override]
        """Whether the same holds for sentences of known documents; columns may be computed from them."""
        return self._labels_follow_tokens

    def tag_types(
        self, columns: TypedColumns, begin: Ints, threads: int = 1, documents: Ints | None = None
    ) -> tuple[Sequence[str], Ints]:
        ids = self.decoder.tag_types(columns, begin, threads, documents)
        return self.label_writer.names, self.label_writer.numbers(ids, begin)

    @property
    def takes_column_text(self) -> bool:  # type: ignore[override]
        """Whether the same holds for a file, and its labels can be written there; columns may be computed."""
        return self._labels_follow_tokens and not any(_UNWRITABLE & set(name) for name in self.label_writer.names)

    def tag_column_text(self, text: _core.ColumnText, names: Sequence[str]) -> tuple[Sequence[str], Ints]:
        ids, begin = self.decoder.tag_text(text, names), cast("Ints", text.begin)  # views of memory
        return self.label_writer.names, self.label_writer.numbers(ids, begin)

    # --- how sure it is ---

    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels of each sentence, and by how much they win; where weight vectors vote, on average.

        For models that were trained to give probabilities, the margins are log-odds.
        """
        data = self.reader.read(sentences)
        ids = self.ids_of(data, threads)
        labels = self.label_writer(ids, data.begin)
        if self.margins_are_log_odds:
            from perceptag.models.linear.marginals import marginal_margins

            return marginal_margins(self.probabilities(), sentences, ids, labels, threads)
        return self.to_margins(self.mean_max_marginals(data, threads), ids, data.begin, labels)

    def mean_max_marginals(self, data: Dataset, threads: int) -> Scores:
        """What `max_marginals` gives as [tokens, L]; the mean where weight vectors vote."""
        corpus, L = self.encoder.encode(data.columns, data.units), len(self.model.label_set.names)
        scores = [self.max_marginals(w, corpus, data, threads).reshape(-1, L) for w in self.vectors]
        return scores[0] if len(scores) == 1 else np.mean(scores, axis=0)

    def part_scores(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[list[PartScore]]]:
        from perceptag.models.linear.part_margins import part_margins

        self.require("parts")
        assert self.parts is not None
        data = self.reader.read(sentences)
        ids = self.ids_of(data, threads)
        return cut(part_margins(self.parts, self.mean_max_marginals(data, threads), ids), data.begin)

    def max_marginals(self, weights: _core.Weights, corpus: _core.Corpus, data: Dataset, threads: int = 1) -> Scores:
        """How far the best labelling with a label at a token is behind the best of all: flat [tokens, L]."""
        if data.ruled:
            return self.constrained(weights, data).max_marginals(corpus, threads)
        return _core.max_marginals(weights, corpus, self.encoder.dictionary, threads)

    def probabilities(self, temperature: float = 1.0) -> Marginals:
        """A distribution over labellings, proportional to exp(score / temperature), whatever the learner."""
        from perceptag.models.linear.marginals import Marginals

        self.require("probabilities")
        weights = self.vectors[0]
        return Marginals(weights, self.reader, self.encoder, self.label_writer, self.constrained, temperature)

    def marginals(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[dict[str, float]]]:
        """For every token the probability of each label, if the model was trained to give probabilities."""
        self.require("marginals")
        return self.probabilities().of_tokens(sentences, threads)

    def span_marginals(
        self, sentences: Sequence[Sentence], wanted: Sequence[Sequence[Span]], threads: int = 1
    ) -> list[list[float]]:
        """For every sentence the probability of each of the wanted spans, under the same condition."""
        self.require("span-marginals")
        return self.probabilities().of_spans(sentences, wanted, threads)

    # --- what one weight vector can do, and several that vote cannot ---

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[Ranked]:
        """The n best labellings of each sequence with their scores, the best first."""
        self.require("nbest")
        return self.ranked(sentences, n, self.vectors[0], lambda corpus, data: self.lists(corpus, data, n, threads))

    def lists(self, corpus: _core.Corpus, data: Dataset, n: int, threads: int = 1) -> list[_core.NBest]:
        """The n best labellings of each sequence, by ids."""
        weights = self.vectors[0]
        if not data.ruled:
            return _core.nbest_batch(weights, corpus, n, self.encoder.dictionary, threads)
        from perceptag.models.span_rules import checked_lists

        return checked_lists(self.constrained(weights, data).nbest(corpus, n, threads), data)

    def explain(self, document: Sequence[Sentence]) -> list[Explanation]:
        """What each feature contributes to the labels of each sentence, and the margin to the best rival."""
        from perceptag.models.linear.explain import explain_best

        return explain_best(self.explainer(), self, as_document(document))

    def explain_given(self, document: Sequence[Sentence], given: Sequence[Given]) -> list[Explanation]:
        """The same for the labels of `tag_given`; rivals are the best of all labellings, whatever is given."""
        from perceptag.models.linear.explain import explain_given

        self.require("explain-given")
        return explain_given(self.explainer(), self, document, given)

    def explainer(self) -> Explainer:
        """Explains labels; only for models with one weight vector."""
        from perceptag.models.linear.explain import Explainer, GlobalSearch

        self.require("explain")
        weights = self.vectors[0]
        search = GlobalSearch(weights, self.encoder.dictionary)
        return Explainer(weights, search, self.model.label_set, self.feature_names, self.parts)

    def top_weights(self, n: int) -> TopWeights:
        """The heaviest weights of each label; the mean where several vectors vote."""
        from perceptag.models.linear.top_weights import heaviest

        return TopWeights(heaviest(self.vectors, self.feature_names, self.model.label_set.names, n, self.parts), [])
