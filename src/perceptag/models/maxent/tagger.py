"""A maximum-entropy model made ready to tag and to explain."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from perceptag import _core
from perceptag.arrays import Ints
from perceptag.errors import ModelError
from perceptag.features.dataset import Dataset
from perceptag.labels.given import Given
from perceptag.models.explanation import Explanation
from perceptag.models.linear.decoder import require_lattice
from perceptag.models.linear.explain import Explainer, explain_best, explain_given
from perceptag.models.linear.feature_model import FeatureModel
from perceptag.models.linear.marginals import by_name, join_pairs, needed_pairs, pair_batches
from perceptag.models.linear.packing import model_snapshots, model_templates, unpack_weights
from perceptag.models.linear.top_weights import heaviest
from perceptag.models.margins import LENGTH, Margins, margins_of_lists
from perceptag.models.maxent.search import NO_LIMITS, LocalSearch, limits_of
from perceptag.models.model import Model
from perceptag.models.protocol import Attributes, Ranked, TopWeights
from perceptag.models.span_rules import checked_ids, checked_lists
from perceptag.text.documents import as_document
from perceptag.text.sentence import Sentence


class MaxentTagger(FeatureModel):
    """Tags sentences by the probability of their labellings.

    Only the search knows what a scheme forbids: probabilities are over all labels.
    """

    offers = frozenset(
        {"given", "rules", "suggest", "nbest", "explain", "explain-given", "marginals", "top-weights", "outside-score"}
    )

    def __init__(self, model: Model, attributes: Attributes | None = None) -> None:
        super().__init__(model, attributes, model_templates(model))
        limits = limits_of(model.recipe, model.label_set)
        self.search = LocalSearch(self.weights, limits, self.encoder.dictionary, model.recipe.own["maxent.beam"])

    def unpack_weights(self) -> None:
        """Make the weights."""
        model = self.model
        if model_snapshots(model) != 1:
            raise ModelError("facts.snapshots: expected one weight vector in a maximum-entropy model, found more")
        [self.weights] = unpack_weights(model.arrays, self.encoder.base, len(model.label_set.names))
        self.weights.prepare()

    def set_outside_score(self, score: float) -> None:
        """Add a score to the label O at every token, before probabilities are normalised."""
        self.weights.prefer(self.model.label_set.names.index("O"), score)

    def label_ids(self, sentences: Sequence[Sentence], threads: int = 1) -> Ints:
        data = self.reader.read(sentences)
        require_lattice(self.weights, data.units, self._bytes_of_a_column())
        corpus = self.encoder.encode(data.columns, data.units)
        if not data.ruled:
            return self.search.tag(corpus, threads)
        return checked_ids(self._constrained(data).decode(corpus, threads), data)

    def _constrained(self, data: Dataset) -> _core.ConstrainedSearch:
        """The search under the rules of sentences, which is exact even if the recipe sets a beam."""
        return self.rule_searches.search(self.weights, self.search.dictionary, data, self.search.limits)

    def restricted(self, allowed: Sequence[str], with_words: bool) -> FeatureModel:
        """The same model for sentences with a column of labels that are allowed."""
        model = super().restricted(allowed, with_words)
        assert isinstance(model, MaxentTagger)
        model.search = dataclasses.replace(self.search, dictionary=model.encoder.dictionary)
        return model

    def score_of(self, x: _core.Sequence, labels: _core.Labels) -> float:
        """The logarithm of the probability."""
        return self.search.score(x, labels)

    def _bytes_of_a_column(self) -> int:
        """Memory of the search for a token: three vectors, and for each state a way, a code and a place."""
        states: int = self.weights.labels ** max(1, self.weights.order)
        return 72 + 48 * min(self.search.beam or states, states)

    def margins_of_batch(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels of each sentence, and by how much they win in its n-best list."""
        lists, labels = self.nbest(sentences, LENGTH, threads), self.tag(sentences, threads)
        lengths = [[len(s) for s in sequence] for sequence in self.reader.sequences(sentences)]
        return margins_of_lists(lengths, labels, lists, self.model.label_set.outer)

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[Ranked]:
        """The n best labellings of each sequence with the logarithms of their probabilities, the best first.

        With a beam, the search may miss better labellings, and may find fewer than n.
        """

        def search(corpus: _core.Corpus, data: Dataset) -> list[_core.NBest]:
            if not data.ruled:
                return self.search.nbest(corpus, n, threads)
            return checked_lists(self._constrained(data).nbest(corpus, n, threads), data)

        return self.ranked(sentences, n, self.weights, search)

    def marginals(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[dict[str, float]]]:
        """For every token the probability of each label, as the data writes labels; with a beam, an approximation.

        They come from the model alone: constraints and the tag dictionary only limit which labellings are chosen.
        Under rules they are exact, and those of the labellings that satisfy the rules.
        """
        parts = pair_batches(sentences, self.weights.labels)
        return [tokens for batch in parts for tokens in self._marginals(batch, threads)]

    def _marginals(self, sentences: Sequence[Sentence], threads: int) -> list[list[dict[str, float]]]:
        pairs, data = needed_pairs(self.label_writer), self.reader.read(sentences)
        corpus, L = self.encoder.encode(data.columns, data.units), self.weights.labels
        if data.ruled:
            search = self.rule_searches.search(self.weights, None, data, NO_LIMITS)
            found = search.marginals(corpus, 1.0, True, threads).reshape(-1, L + 1, L)
        else:
            found = self.search.pairs(corpus, threads)
        if pairs is None:
            return by_name(self.model.label_set.names, found.sum(axis=1), data.begin)
        names, table = pairs
        return by_name(names, join_pairs(found, table, data.begin, len(names)), data.begin)

    def explain(self, document: Sequence[Sentence]) -> list[Explanation]:
        """What each feature contributes to the labels of each sentence.

        The margin is the difference in log P to the best labelling with another label there.
        """
        return explain_best(self.explainer(), self, as_document(document))

    def explain_given(self, document: Sequence[Sentence], given: Sequence[Given]) -> list[Explanation]:
        """The same for the labels of `tag_given`; rivals are the best of all labellings, whatever is given."""
        return explain_given(self.explainer(), self, document, given)

    def explainer(self) -> Explainer:
        """What explains labels."""
        return Explainer(self.weights, self.search, self.model.label_set, self.feature_names)

    def top_weights(self, n: int) -> TopWeights:
        return TopWeights(heaviest([self.weights], self.feature_names, self.model.label_set.names, n), [])
