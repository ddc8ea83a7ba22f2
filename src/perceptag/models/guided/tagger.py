"""A model for bidirectional search made ready to tag and to explain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

from perceptag import _core
from perceptag.arrays import Ints, cut, offsets
from perceptag.features.dataset import Dataset
from perceptag.labels.given import Given
from perceptag.models.explanation import Explanation
from perceptag.models.guided.explain import ActionExplainer, note_steps
from perceptag.models.guided.model import make_layout, make_rules, unpack_weights
from perceptag.models.guided.rule_masks import Found, Masks, RuleMasks, without_rules
from perceptag.models.inference_order import InferenceOrder
from perceptag.models.linear.explain import with_rule_shares
from perceptag.models.linear.feature_model import FeatureModel
from perceptag.models.linear.packing import model_templates
from perceptag.models.margins import Margins
from perceptag.models.model import Model
from perceptag.models.protocol import Attributes, Ranked
from perceptag.models.span_rules import holds
from perceptag.text.documents import as_document, split_documents
from perceptag.text.sentence import Sentence, has_rules


class GuidedTagger(FeatureModel):
    """Tags sentences with bidirectional search."""

    offers = frozenset({"given", "rules", "nbest", "explain", "explain-given", "order", "outside-score"})

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
        if has_rules(sentences):
            model, held = self.under_rules(sentences)
            return model.label_ids(held, threads)
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
        if has_rules(sentences):
            model, held = self.under_rules(sentences)
            sequences = self.reader.sequences(sentences)
            return [self._kept(*each)[:n] for each in zip(model.nbest(held, n, threads), sequences, strict=True)]
        beam = self.most_candidates

        def search(corpus: _core.Corpus, _: Dataset) -> list[_core.NBest]:
            return self._hypotheses(corpus, threads)

        # Hypotheses that differ inside the model (E-NP, I-NP) may be the same labelling outside.
        return [_distinct(found)[:n] for found in self.ranked(sentences, beam, self.weights.words, search)]

    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels of each sentence, and by how much they won in the actions that gave them."""
        if has_rules(sentences):
            model, held = self.under_rules(sentences)
            return model.margins_of_batch(held, threads)
        data = self.reader.read(sentences)
        corpus = self.encoder.encode(data.columns, data.units)
        ids, flat = _core.guided_scores(self.weights, self.rules, corpus, self.encoder.dictionary, threads)
        scores = flat.reshape(-1, len(self.model.label_set.names))
        return self.to_margins(scores, ids, data.begin, self.label_writer(ids, data.begin))

    def explain(self, document: Sequence[Sentence]) -> list[Explanation]:
        """What each feature contributes to the action that labelled a token, and to the best rival label."""
        if has_rules(document):
            model, held = self.under_rules(as_document(document))
            return with_rule_shares(model.explain(held), document, self.rule_searches)
        explainer = ActionExplainer(self.weights, self.layout.contexts, self.model.label_set, self.feature_names)
        return [
            explanation
            for x, sequence in self._sequences(document)
            for explanation in explainer.explain(self._search(), x, sequence)
        ]

    def inference_orders(self, document: Sequence[Sentence]) -> list[InferenceOrder]:
        """When each token was labelled, for each sequence of one document: its sentences, or the whole document."""
        if has_rules(document):
            model, held = self.under_rules(as_document(document))
            return model.inference_orders(held)
        names = self.model.label_set.names
        return [
            note_steps(self._search(), x, [token for sentence in sequence for token in sentence.tokens], names)
            for x, sequence in self._sequences(document)
        ]

    # --- under rules: the same search without labels that break them; constrained, not exact ---

    def under_rules(self, sentences: Sequence[Sentence]) -> tuple[GuidedTagger, list[Sentence]]:
        """The model and the sentences for a search that keeps to the rules about them."""
        masks: Masks = []
        for scope in split_documents(sentences) if self.looks_at_documents() else [[s] for s in sentences]:
            masks += self._masks(scope)
        return self._within(without_rules(sentences), masks)

    @cached_property
    def rule_masks(self) -> RuleMasks:
        """What turns rules into the labels that tokens may have."""
        return RuleMasks(self.model.label_set)

    def _masks(self, scope: Sequence[Sentence]) -> Masks:
        if not has_rules(scope):
            return [[self.rule_masks.every] * len(sentence) for sentence in scope]
        plain, begin = without_rules(scope), offsets([len(s) for s in scope])

        def search(masks: Masks) -> Found | None:
            if not all(mask for own in masks for mask in own):
                return None
            model, held = self._within(plain, masks)
            data = model.reader.read(held)
            found = model._hypotheses(model.encoder.encode(data.columns, data.units), threads=1)
            ids = [int(y) for best in found for y in best.labels[0]]
            if any(y not in mask for y, mask in zip(ids, chain(*masks), strict=True)):
                return None
            return sum(best.score(0) for best in found), cut(ids, begin)

        return self.rule_masks.settle(scope, search)

    def _within(self, sentences: Sequence[Sentence], masks: Masks) -> tuple[GuidedTagger, list[Sentence]]:
        from perceptag.models.given import restrict_to

        model, held = restrict_to(self, sentences, masks, self.rule_masks.every, words=True)
        assert isinstance(model, GuidedTagger)
        return model, held

    def _hypotheses(self, corpus: _core.Corpus, threads: int) -> list[_core.NBest]:
        """What the beams end with, the best first."""
        weights, dictionary = self.weights, self.encoder.dictionary
        return _core.guided_nbest(weights, self.rules, corpus, dictionary, self.most_candidates, threads)

    def _kept(self, ranked: Ranked, sequence: Sequence[Sentence]) -> Ranked:
        """The hypotheses without forbidden spans."""
        begin, scheme = offsets([len(s) for s in sequence]), self.model.label_set.outer
        return [
            (labels, score)
            for labels, score in ranked
            if not any(
                rule.say == "forbid" and holds(own, rule, scheme)
                for own, sentence in zip(cut(labels, begin), sequence, strict=True)
                for rule in sentence.rules
            )
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
