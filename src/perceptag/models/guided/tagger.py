"""A model for bidirectional search made ready to tag and to explain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.labels.given import Given
from perceptag.models.explanation import Explanation
from perceptag.models.guided.explain import ActionExplainer, note_steps
from perceptag.models.guided.model import make_layout, make_rules, unpack_weights
from perceptag.models.inference_order import InferenceOrder
from perceptag.models.linear.feature_model import FeatureModel
from perceptag.models.linear.packing import model_templates
from perceptag.models.margins import Margins
from perceptag.models.model import Model
from perceptag.models.protocol import Attributes, Ranked
from perceptag.text.documents import as_document
from perceptag.text.sentence import Sentence


class GuidedTagger(FeatureModel):
    """Tags sentences with bidirectional search."""

    offers = frozenset({"given", "nbest", "explain", "explain-given", "order", "outside-score"})

    def __init__(self, model: Model, attributes: Attributes | None = None) -> None:
        self.layout = make_layout(model_templates(model))
        super().__init__(model, attributes, self.layout.encoded())
        self.rules = make_rules(model.recipe)

    def unpack_weights(self) -> None:
        """Make the weights of words and of label contexts."""
        arrays, labels, constrain = self.model.arrays, self.model.label_set, self.model.recipe.constrain
        self.weights = unpack_weights(arrays, self.encoder.base, self.layout, labels, constrain)
        self.weights.words.prepare()

    def set_outside_score(self, score: float) -> None:
        """Add a score to every action that gives a token the label O."""
        self.weights.words.prefer(self.model.label_set.names.index("O"), score)

    def label_ids(self, sentences: Sequence[Sentence], threads: int = 1) -> Ints:
        """The ids of the labels of all tokens."""
        data, encoder = self.reader.read(sentences), self.encoder
        found, closed = encoder.look_up(data.columns), encoder.find_closed(data.columns)
        words = encoder.dictionary, found.tables, found.ids, data.units, closed
        return _core.guided_tag(encoder.index, self.weights, self.rules, *words, threads)

    @property
    def most_candidates(self) -> int:  # type: ignore[override]  # a plain attribute of the other kinds
        """How many hypotheses the beam keeps."""
        return int(self.model.recipe.own["beam"])

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[Ranked]:
        """The hypotheses in the beam of the finished search with their scores, the best first; `n` at most.

        They are not the best labellings of a sentence: the beam keeps few, and of those with the same two labels at
        either end only the best.
        """
        beam = self.most_candidates

        def search(corpus: _core.Corpus) -> list[_core.NBest]:
            return _core.guided_nbest(self.weights, self.rules, corpus, self.encoder.dictionary, beam, threads)

        # Hypotheses that differ inside the model (E-NP, I-NP) may be the same labelling outside.
        return [_distinct(found)[:n] for found in self.ranked(sentences, beam, self.weights.words, search)]

    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels of each sentence, and by how much they won in the actions that gave them."""
        data = self.reader.read(sentences)
        corpus = self.encoder.encode(data.columns, data.units)
        ids, flat = _core.guided_scores(self.weights, self.rules, corpus, self.encoder.dictionary, threads)
        scores = flat.reshape(-1, len(self.model.label_set.names))
        return self.to_margins(scores, ids, data.begin, self.label_writer(ids, data.begin))

    def explain(self, document: Sequence[Sentence]) -> list[Explanation]:
        """What each feature contributes to the action that labelled a token, and to the best rival label."""
        explainer = ActionExplainer(self.weights, self.layout.contexts, self.model.label_set, self.feature_names)
        return [
            explanation
            for x, sequence in self._sequences(document)
            for explanation in explainer.explain(self._search(), x, sequence)
        ]

    def inference_orders(self, document: Sequence[Sentence]) -> list[InferenceOrder]:
        """When each token was labelled, for each sequence of one document: its sentences, or the whole document."""
        names = self.model.label_set.names
        return [
            note_steps(self._search(), x, [token for sentence in sequence for token in sentence.tokens], names)
            for x, sequence in self._sequences(document)
        ]

    # --- with labels that are given: the same search without the labels that do not agree with them ---

    def explain_given(self, document: Sequence[Sentence], given: Sequence[Given]) -> list[Explanation]:
        """What each feature contributes to the actions, if some labels are given."""
        model, held = self._restricted(document, given)
        return [
            replace(e, labels=tuple(y))
            for e, y in zip(model.explain(held), self.tag_given(document, given), strict=True)
        ]

    def inference_orders_given(self, document: Sequence[Sentence], given: Sequence[Given]) -> list[InferenceOrder]:
        """When each token was labelled, if some labels are given."""
        model, held = self._restricted(document, given)
        return model.inference_orders(held)

    def _restricted(self, document: Sequence[Sentence], given: Sequence[Given]) -> tuple[GuidedTagger, list[Sentence]]:
        from perceptag.models.given import restrict

        model, held = restrict(self, as_document(document), given)
        assert isinstance(model, GuidedTagger)
        return model, held

    def _sequences(self, document: Sequence[Sentence]) -> Iterator[tuple[_core.Sequence, list[Sentence]]]:
        """The sequences of one document, whatever its marks: their features and their sentences."""
        sentences = as_document(document)
        data = self.reader.read(sentences)
        corpus = self.encoder.encode(data.columns, data.units)
        return ((corpus[i], sequence) for i, sequence in enumerate(self.reader.sequences(sentences)))

    def _search(self) -> _core.GuidedSearch:
        """A search of its own, to go through step by step."""
        return _core.GuidedSearch(self.weights, self.rules, self.encoder.dictionary)


def _distinct(ranked: Ranked) -> Ranked:
    """Keep the first of equal labellings."""
    first: dict[tuple[str, ...], float] = {}
    for labels, score in ranked:
        first.setdefault(tuple(labels), score)
    return [(list(labels), score) for labels, score in first.items()]
