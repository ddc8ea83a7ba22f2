"""Why a model over a lattice chose its labels: exact contributions of every feature, and the best rival.

The score of a labelling is a sum of weights. For each token the contributions to the score of its label are
listed, next to what the same features give to the best rival: the label at this token in the best labelling of
the whole sequence that differs there. The margin is the difference of the two labellings' scores.

All rivals are found by one search, whose cost grows with the length of the sequence. But each rival is a labelling of
the whole sequence, so that all of them take room that grows with its square: sequences of more than `LONGEST_COMPARED`
tokens are explained without rivals.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from operator import itemgetter
from typing import NamedTuple, Protocol

from perceptag import _core
from perceptag.arrays import cut, np
from perceptag.labels.given import Given
from perceptag.labels.label_parts import LabelParts
from perceptag.labels.label_set import LabelSet
from perceptag.labels.span_labels import span_types
from perceptag.models.explanation import LONGEST_COMPARED, Contribution, Explanation, TokenExplanation
from perceptag.models.linear.decoder import require_tokens
from perceptag.models.linear.feature_model import FeatureModel
from perceptag.models.linear.feature_names import FeatureNames, counted
from perceptag.models.span_rules import RuleSearches
from perceptag.system.plural import plural
from perceptag.text.documents import as_document
from perceptag.text.sentence import Sentence

NODES = 0  # the block of features that look at one label
_BYTES_OF_A_STATE = 16  # in the search for rivals: a score and pointers in both directions, for each token


class Rival(NamedTuple):
    """The best labelling of a sequence with another label at a token, and how much worse it is."""

    labels: _core.Labels
    margin: float
    begin: int  # the first token where it differs from the labels that are explained
    end: int  # the one after the last


# First word, length, type, row and weight of the features of the spans of a labelling, from left to right.
FiredSpans = Sequence[tuple[int, int, int, int, float]]
Rivals = Sequence[tuple[_core.Labels, float, int, int] | None]  # for each token of a sequence what a `Rival` has


class Search(Protocol):
    """How the labellings of a model are found and compared."""

    def best(self, corpus: _core.Corpus) -> list[_core.Labels]:
        """The best labelling of each sequence."""

    def rivals(self, x: _core.Sequence, labels: _core.Labels) -> Rivals:
        """For each token the best labelling of x with another label there, or None if there is no other."""


def explain_given(
    explainer: Explainer, model: FeatureModel, document: Sequence[Sentence], given: Sequence[Given]
) -> list[Explanation]:
    """Explain the best labels that agree with those given. Rivals are the best of all labellings."""
    from perceptag.models.given import ids_given  # few users need it

    sentences = as_document(document)
    data, ids = model.reader.read(sentences), chain(*ids_given(model, sentences, given))
    chosen = [_core.Labels(np.array(own, np.int32)) for own in cut(list(ids), data.units)]
    return explainer.explain(model.encoder.encode(data.columns, data.units), model.reader.sequences(sentences), chosen)


def explain_best(explainer: Explainer, model: FeatureModel, sentences: Sequence[Sentence]) -> list[Explanation]:
    """Explain the labels that the model gives. Under rules, rivals are still the best of all labellings."""
    data = model.reader.read(sentences)
    corpus, sequences = model.encoder.encode(data.columns, data.units), model.reader.sequences(sentences)
    if not data.ruled:
        return explainer.explain(corpus, sequences)
    chosen = [_core.Labels(np.array(own, np.int32)) for own in cut(model.label_ids(sentences).tolist(), data.units)]
    return with_rule_shares(explainer.explain(corpus, sequences, chosen), sentences, model.rule_searches)


def with_rule_shares(
    explained: Sequence[Explanation], sentences: Sequence[Sentence], searches: RuleSearches
) -> list[Explanation]:
    """Return the explanations with what rules say, at the first token of each span that the labels have."""
    return [_with_rules(e, s, searches) if s.rules else e for e, s in zip(explained, sentences, strict=True)]


def _with_rules(explained: Explanation, sentence: Sentence, searches: RuleSearches) -> Explanation:
    details = list(explained.details)
    for rule in searches.holding(sentence, [d.label for d in details]):
        first = details[rule.start]
        listed = (Contribution(f"rule {rule.rule} {rule.say}s {rule.label}", rule.weight, 0.0), *first.contributions)
        margin = None if first.margin is None else first.margin + rule.weight
        details[rule.start] = replace(first, score=first.score + rule.weight, margin=margin, contributions=listed)
    return replace(explained, score=sum(d.score for d in details), details=tuple(details))


@dataclass(frozen=True, slots=True)
class GlobalSearch:
    """A `Search` for the highest sum of weights."""

    weights: _core.Weights
    dictionary: _core.TagDictionary | None

    def best(self, corpus: _core.Corpus) -> list[_core.Labels]:
        sequences = [corpus[i] for i in range(len(corpus))]
        require_tokens(self.weights, max(map(len, sequences), default=0))
        return [_core.viterbi(self.weights, x, self.dictionary) for x in sequences]

    def rivals(self, x: _core.Sequence, labels: _core.Labels) -> Rivals:
        """For each token the best labelling of x with another label there."""
        require_tokens(self.weights, len(x), _BYTES_OF_A_STATE * self.weights.labels ** max(1, self.weights.order))
        return _core.rivals(self.weights, x, labels, self.dictionary)[0]


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains labels by the weights and the search of a model, and names for labels and features."""

    weights: _core.Weights
    search: Search
    label_set: LabelSet
    features: FeatureNames
    parts: LabelParts | None = None

    def explain(
        self,
        corpus: _core.Corpus,
        sequences: Sequence[Sequence[Sentence]],
        chosen: Sequence[_core.Labels] | None = None,
    ) -> list[Explanation]:
        """Explain the labels of every sentence of some sequences: the best ones, or those that were `chosen`."""
        best = self.search.best(corpus) if chosen is None else chosen
        found = []
        for i, (sequence, labels) in enumerate(zip(sequences, best, strict=True)):
            begin, compared = 0, self._compare(corpus[i], labels)
            spans = self._fired_spans(corpus[i], labels)
            for sentence in sequence:
                place = range(begin, begin + len(sentence))
                found.append(self._sentence(corpus[i], labels, spans, compared, sentence, place))
                begin += len(sentence)
        return found

    def _compare(self, x: _core.Sequence, labels: _core.Labels) -> Sequence[Rival | None]:
        """For each token the best labelling with another label there, and by how much the labels win."""
        if len(x) > LONGEST_COMPARED:
            return [None] * len(x)
        return [rival and Rival(*rival) for rival in self.search.rivals(x, labels)]

    def _sentence(
        self,
        x: _core.Sequence,
        labels: _core.Labels,
        spans: FiredSpans,
        rivals: Sequence[Rival | None],
        sentence: Sentence,
        place: range,
    ) -> Explanation:
        """Explain one sentence, which is the part `place` of a sequence."""
        names = [self.label_set.names[labels[t]] for t in place]
        details = tuple(
            self._token(x, labels, spans, rivals[t], t, token, self._rival_labels(rivals[t], names, place))
            for t, token in zip(place, sentence.tokens, strict=True)
        )
        outer = self.label_set.to_outer(names)
        return Explanation(tuple(sentence.tokens), tuple(outer), sum(d.score for d in details), details)

    def _rival_labels(self, rival: Rival | None, names: Sequence[str], place: range) -> tuple[str, ...]:
        """Name the labels of a sentence in a rival. Most are the same, so they are copied and not looked up."""
        if rival is None:
            return ()
        begin = min(max(rival.begin, place.start), place.stop)
        end = max(min(rival.end, place.stop), begin)
        own = map(self.label_set.names.__getitem__, rival.labels.numpy()[begin:end].tolist())
        return (*names[: begin - place.start], *own, *names[end - place.start :])

    def _token(
        self,
        x: _core.Sequence,
        labels: _core.Labels,
        of_spans: FiredSpans,
        rival: Rival | None,
        t: int,
        token: str,
        rival_labels: tuple[str, ...],
    ) -> TokenExplanation:
        names = self.label_set.names
        mine = self.weights.fired(x, labels, t)
        other = self.weights.fired(x, rival.labels, t) if rival else mine
        listed = [
            Contribution(
                counted(self.features.name(block, row), amount), weight, rival_weight, self.features.meaning(block, row)
            )
            for (block, row, weight, amount), (_, _, rival_weight, _) in zip(mine, other, strict=True)
            if (weight or rival_weight) and not (self.parts and block == NODES)
        ]
        listed += self._by_parts(x, labels[t], rival.labels[t] if rival else labels[t], t)
        spans = self._spans(of_spans, self._fired_spans(x, rival.labels) if rival else of_spans, t)
        return TokenExplanation(
            token,
            names[labels[t]],
            sum(weight for _, _, weight, _ in mine) + sum(one.weight for one in spans),
            names[rival.labels[t]] if rival else None,
            rival_labels,
            rival.margin if rival else None,
            tuple(sorted(listed + spans, key=lambda c: -abs(c.weight - c.rival_weight if rival else c.weight))),
        )

    def _fired_spans(self, x: _core.Sequence, labels: _core.Labels) -> FiredSpans:
        """The features of all spans of a labelling, from left to right."""
        return self.weights.fired_spans(x, labels) if self.weights.has_spans else []

    def _spans(self, mine: FiredSpans, other: FiredSpans, t: int) -> list[Contribution]:
        """What features of whole spans give to the span that begins at t, and to the one that the rival has there."""
        given: dict[tuple[int, int, int], list[float]] = {}
        for k, fired in enumerate((mine, other)):
            begin, end = (bisect_left(fired, first, key=itemgetter(0)) for first in (t, t + 1))
            for _, length, kind, row, weight in fired[begin:end]:
                given.setdefault((length, kind, row), [0.0, 0.0])[k] += weight
        if not given:
            return []
        types, named = span_types(self.label_set.names), self.features.spans.names
        return [
            Contribution(f"span {types[kind]}, {plural(length, 'word')}: {named[row]}", weight, rival_weight)
            for (length, kind, row), (weight, rival_weight) in given.items()
            if weight or rival_weight
        ]

    def _by_parts(self, x: _core.Sequence, label: int, rival: int, t: int) -> list[Contribution]:
        """What each feature gives to each part of the label and of the rival, and to the whole labels."""
        if self.parts is None:
            return []
        given: dict[tuple[int, str, float], list[float]] = {}
        for k, y in enumerate((label, rival)):
            for row, part, weight, amount in self.weights.fired_parts(x, y, t):
                given.setdefault((row, self._part_name(part), amount), [0.0, 0.0])[k] += weight
        found = []
        for (row, name, amount), (weight, rival_weight) in given.items():
            if weight or rival_weight:
                feature = counted(self.features.name(NODES, row), amount)
                meaning = self.features.meaning(NODES, row)
                titles = f"{name}: {feature}", f"{name}: {meaning}" if meaning else ""
                found.append(Contribution(titles[0], weight, rival_weight, titles[1]))
        return found

    def _part_name(self, number: int) -> str:
        """A part, or "whole" for a whole label: the lists of a token are about two labels, which it names."""
        assert self.parts is not None
        return "whole" if number < self.parts.labels else self.parts.names[number - self.parts.labels]
