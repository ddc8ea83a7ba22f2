"""A model for bidirectional search made ready to tag and to explain."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

import numpy as np

from perceptag import _core
from perceptag.confidence.margins import Margins, MarginsOfScores
from perceptag.corpus.dataset import computed_columns, document_begins, make_dataset
from perceptag.encoding.tag_dictionary import ClosedWords
from perceptag.errors import SettingError
from perceptag.features.attributes import Attribute
from perceptag.features.template import CONTEXT, Template
from perceptag.labels.writer import LabelWriter
from perceptag.models.explanation import Contribution, Explanation, TokenExplanation
from perceptag.models.guided.model import OBSERVATIONS, WORDS, make_layout, unpack
from perceptag.models.guided.order import InferenceOrder, inference_order
from perceptag.models.linear.feature_names import FeatureNames
from perceptag.models.linear.tagger import check_attributes, model_gazetteer, model_templates
from perceptag.store.model import Model
from perceptag.text.sentence import Sentence

_OFFSETS = tuple(CONTEXT.values())


class GuidedTagger:
    """Tags sentences with bidirectional search; a `perceptag.models.protocol.Compiled`."""

    def __init__(self, model: Model, attributes: Mapping[str, Attribute] | None = None) -> None:
        self.model = model
        templates = model_templates(model)
        check_attributes(templates, model.recipe.attributes, attributes or {})
        self.layout = make_layout(templates)
        labels = len(model.label_set.names)
        closed = ClosedWords.checked(model.facts["closed"], labels) if "closed" in model.facts else None
        self.guided = unpack(model.arrays, self.layout, model.label_set, model.recipe, closed, attributes)
        self.computed = computed_columns(model_gazetteer(model))
        self.label_writer = LabelWriter(model.label_set)
        self._margins = MarginsOfScores(model.label_set)
        self.columns = [*self.guided.linear.encoder.columns, *(["form"] if closed else [])]

    def tag(self, sentences: Sequence[Sentence], threads: int = 1) -> list[list[str]]:
        """The labels of each sentence, as the training data writes them."""
        data = make_dataset(sentences, self.columns, computed=self.computed)
        units = document_begins(sentences) if self.model.facts.get("unit") == "document" else data.begin
        return self.label_writer(self.guided.tag(data.columns, units, threads), data.begin)

    def margins(self, sentences: Sequence[Sentence], threads: int = 1) -> list[Margins]:
        """The labels of each sentence, and by how much they won in the actions that gave them."""
        data = make_dataset(sentences, self.columns, computed=self.computed)
        units = document_begins(sentences) if self.model.facts.get("unit") == "document" else data.begin
        guided = self.guided
        corpus = guided.linear.encode(data.columns, units)
        ids, flat = _core.guided_scores(guided.weights, guided.rules, corpus, guided.linear.dictionary, threads)
        scores = flat.reshape(-1, len(self.model.label_set.names))
        return self._margins(scores, ids, data.begin, self.label_writer(ids, data.begin))

    def nbest(
        self,
        sentences: Sequence[Sentence],  # noqa: ARG002 - as every compiled model takes them
        n: int,  # noqa: ARG002
        threads: int = 1,  # noqa: ARG002
    ) -> list[list[tuple[list[str], float]]]:
        """Refused: the hypotheses of a beam are not the best labellings of a sentence."""
        raise SettingError("bidirectional search ranks no labellings of whole sentences; n-best lists need a lattice")

    def start(self, sentence: Sentence) -> tuple[_core.GuidedSearch, _core.Sequence]:
        """A search at its beginning, and the features of the sentence."""
        data = make_dataset([sentence], self.columns, computed=self.computed)
        x = self.guided.linear.encode(data.columns, data.begin)[0]
        search = self.guided.search()
        search.start(x)
        return search, x

    def inference_order(self, sentence: Sentence) -> InferenceOrder:
        """Which token was labelled when."""
        return inference_order(self, sentence)

    def explain(self, sentence: Sentence) -> Explanation:
        """What each feature contributes to the action that labelled a token, and to the best rival label.

        The margin is that of the action: between two labels for one token beside the same known labels.
        """
        search, x = self.start(sentence)
        last = -1
        while (token := search.choose()) >= 0:
            search.accept(token)
            last = token
        actions = sorted(search.actions(last), key=lambda a: a.token) if last >= 0 else []
        names = self.model.label_set.names
        labels = tuple(names[a.label] for a in actions)
        features = FeatureNames(self.guided.linear.encoder)
        details = tuple(self._token(search, x, a, labels, sentence, features) for a in actions)
        return Explanation(tuple(sentence.tokens), labels, sum(d.score for d in details), details)

    def _token(
        self,
        search: _core.GuidedSearch,
        x: _core.Sequence,
        action: _core.Action,
        labels: tuple[str, ...],
        sentence: Sentence,
        features: FeatureNames,
    ) -> TokenExplanation:
        names, t = self.model.label_set.names, action.token
        scores = search.scores(action).astype(np.float64)
        mine = scores[action.label]
        scores[action.label] = -np.inf
        rival = int(scores.argmax())
        alone = len(names) == 1
        listed = self._contributions(x, action, action.label if alone else rival, features)
        return TokenExplanation(
            sentence.tokens[t],
            labels[t],
            float(mine),
            None if alone else names[rival],
            () if alone else (*labels[:t], names[rival], *labels[t + 1 :]),
            None if alone else float(mine - scores[rival]),
            tuple(sorted(listed, key=lambda c: -abs(c.weight - c.rival_weight))),
        )

    def _contributions(
        self, x: _core.Sequence, action: _core.Action, rival: int, features: FeatureNames
    ) -> list[Contribution]:
        words, contexts = self.guided.weights.words, self.guided.weights.contexts
        found = [
            Contribution(
                features.name(WORDS, row), words.value(WORDS, row, action.label), words.value(WORDS, row, rival)
            )
            for row in x.rows(WORDS, action.token).tolist()
        ]
        for number, weight, rival_weight in contexts.contributions(x, action, rival):
            row, template = divmod(number, len(self.layout.contexts))
            seen = features.observation(OBSERVATIONS, row - 1) if row else "bias"
            crossing = self._crossing(self.layout.contexts[template], action)
            found.append(Contribution(f"{seen} * {crossing}", weight, rival_weight))
        return [c for c in found if c.weight or c.rival_weight]

    def _crossing(self, template: Template, action: _core.Action) -> str:
        """The labels of a context as they were: ``y-1=DT y0``."""
        names = self.model.label_set.names
        known = dict(zip(_OFFSETS, action.beside, strict=True))
        return " ".join([*(f"y{offset:+d}={names[known[offset]]}" for offset in template.context), "y0"])

    def known_words(self) -> Container[str] | None:
        """The words of the training data, or None if the model does not look at whole words."""
        encoder = self.guided.linear.encoder
        slot = encoder.slots.get("form", {}).get(())
        return None if slot is None else encoder.vocabularies["form"][slot]
