"""A maximum-entropy model made ready to tag and to explain."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

from perceptag.corpus.dataset import document_begins, make_dataset
from perceptag.errors import ModelError
from perceptag.features.attributes import Attribute
from perceptag.models.explanation import Explanation
from perceptag.models.linear.explain import explain
from perceptag.models.linear.marginals import by_name, join_pairs, needed_pairs, pair_batches
from perceptag.models.linear.tagger import LinearTagger
from perceptag.models.maxent.search import LocalSearch, limits_of
from perceptag.store.model import Model
from perceptag.text.sentence import Sentence


class MaxentTagger:
    """Tags sentences by the probability of their labellings; a `perceptag.models.protocol.Compiled`."""

    def __init__(self, model: Model, attributes: Mapping[str, Attribute] | None = None) -> None:
        self.model = model
        self.local = LinearTagger(replace(model, recipe=replace(model.recipe, constrain=False)), attributes)
        linear = self.local.linear
        if len(linear.vectors) != 1:
            raise ModelError("a maximum-entropy model has one weight vector")
        limits = limits_of(model.recipe, model.label_set)
        self.search = LocalSearch(linear.vectors[0], limits, linear.dictionary, model.recipe.maxent_beam)

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""
        local = self.local
        data = make_dataset(sentences, local.columns, computed=local.computed)
        units = document_begins(sentences) if local.whole_documents else data.begin
        local.linear.require_lattice(units, self._bytes_of_a_column())
        return local.label_writer(self.search.tag(local.linear.encode(data.columns, units), threads), data.begin)

    def _bytes_of_a_column(self) -> int:
        """What the search keeps for a token: three vectors, and for each state a way, a code and a place, with room."""
        weights = self.local.linear.vectors[0]
        states: int = weights.labels ** max(1, weights.order)
        return 72 + 48 * min(self.search.beam or states, states)

    def nbest(self, sentences: Sequence[Sentence], n: int, threads: int = 1) -> list[list[tuple[list[str], float]]]:
        """The n best labellings of each sequence with the logarithms of their probabilities, the best first.

        With a beam there may be better ones, and fewer than n where there are more.
        """
        return self.local.with_scores(sentences, n, lambda corpus: self.search.nbest(corpus, n, threads))

    def marginals(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[dict[str, float]]]:
        """For every token the probability of each label, as the data writes labels; with a beam, of what it keeps.

        They are those of the model alone: constraints and tag dictionary, which choose labellings, play no part.
        """
        parts = pair_batches(sentences, self.search.weights.labels)
        return [tokens for batch in parts for tokens in self._marginals(batch, threads)]

    def _marginals(self, sentences: Sequence[Sentence], threads: int) -> list[list[dict[str, float]]]:
        local, pairs = self.local, needed_pairs(self.local)
        data = make_dataset(sentences, local.columns, computed=local.computed)
        units = document_begins(sentences) if local.whole_documents else data.begin
        found = self.search.pairs(local.linear.encode(data.columns, units), threads)
        if pairs is None:
            return by_name(self.model.label_set.names, found.sum(axis=1), data.begin)
        names, table = pairs
        return by_name(names, join_pairs(found, table, data.begin, len(names)), data.begin)

    def explain(self, sentence: Sentence) -> Explanation:
        """What each feature contributes to the labels of a sentence.

        The margin is the difference in log P to the best labelling with another label there.
        """
        return self.explain_document([sentence], 0)

    def explain_document(self, document: Sequence[Sentence], number: int) -> Explanation:
        """The same for one sentence of a document, counted from 0."""
        return explain(self.local, document, number, search=self.search)

    def known_words(self) -> Container[str] | None:
        """The words of the training data, or None if the model does not look at whole words."""
        return self.local.known_words()
