"""Why a chunker found its phrases: the words that allowed each one, and what contributed to its score.

A score is a sum over support vectors, and each kernel is a sum over features and pairs of features. Both sums are
listed, the largest shares first. Scores are those of an average vector: votes divided by decisions. Shares of features
are exact for degrees 1 and 2: the weight of a pair is split evenly between its two features. For higher degrees only
support vectors are listed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from perceptag import _core
from perceptag.arrays import whole_number
from perceptag.features.plain_words import phrase_in_words, stored_phrase_in_words
from perceptag.labels.label_set import LabelSet
from perceptag.learn.chunker import Phrase
from perceptag.models.chunker.feature_names import ChunkFeatureNames
from perceptag.models.chunker.margins import nbest
from perceptag.models.chunker.model import Functions, Layers, to_labels
from perceptag.models.chunker.phrase_rules import NO_RULES, PhraseRules
from perceptag.models.explanation import Tabled
from perceptag.system.table import Table

LISTED = 10


@dataclass(frozen=True, slots=True)
class Share:
    """The contribution of a feature or a support vector to a score.

    A support vector is named by the features it shares with x.
    """

    name: str
    value: float
    meaning: str = ""  # the same in plain words, if there are any


@dataclass(frozen=True, slots=True)
class WordReason:
    """What the first layer says about one word."""

    token: str
    begin: float  # > 0: may begin a phrase
    inside: float  # > 0: may continue one


@dataclass(frozen=True, slots=True)
class PhraseReason:
    """One phrase: its scores by category, the words that allowed it, and what contributed to its category."""

    start: int
    end: int  # not included
    text: str
    label: str
    scores: dict[str, float]
    words: tuple[WordReason, ...]
    features: tuple[Share, ...]
    support_vectors: tuple[Share, ...]


@dataclass(frozen=True, slots=True)
class ChunkExplanation(Tabled):
    """A labelled sentence: every word as the first layer sees it, every phrase with its reasons."""

    tokens: tuple[str, ...]
    labels: tuple[str, ...]
    score: float
    words: tuple[WordReason, ...]
    phrases: tuple[PhraseReason, ...]

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return asdict(self)

    def _tables(self, token: int | None, top: int, raw: bool = False) -> list[tuple[str, Table]]:
        """The sentence as the first layer sees it, then each phrase; or only the phrase that a token is in."""
        t = None if token is None else whole_number("token", token, 1, len(self.tokens))
        top = whole_number("top", top or 0, 0)
        chosen = [phrase for phrase in self.phrases if t is None or phrase.start < t <= phrase.end]
        head = f"score {self.score:.2f}; words above 0 may begin or continue a phrase"
        return [(head, self._overview()), *(_of_phrase(phrase, top, raw) for phrase in chosen)]

    def _overview(self) -> Table:
        table = Table(["", "token", "label", "begin", "inside"], numbers=(0, 3, 4))
        for t, (word, label) in enumerate(zip(self.words, self.labels, strict=True), 1):
            table.add(str(t), word.token, label, f"{word.begin:+.2f}", f"{word.inside:+.2f}")
        return table


def _of_phrase(phrase: PhraseReason, top: int, raw: bool) -> tuple[str, Table]:
    """A title with the scores of a phrase, and what contributed to them."""
    scores = ", ".join(f"{label} {score:+.2f}" for label, score in phrase.scores.items())
    table = Table(["", "what", phrase.label or "phrase"], numbers=(2,), bars=2)
    for kind, shares in (("feature", phrase.features), ("like", phrase.support_vectors)):
        for i, share in enumerate(shares[: top or None]):
            name = share.name if raw else share.meaning or share.name
            table.add(kind if i == 0 else "", name, f"{share.value:+.2f}")
    return f"{phrase.text}: {scores}", table


@dataclass(frozen=True, slots=True)
class ChunkExplainer:
    """Explains phrases by the layers of a chunker, the functions behind them, and names for features."""

    layers: Layers
    functions: Functions
    label_set: LabelSet
    categories: Sequence[str]
    names: ChunkFeatureNames

    def explain(self, x: _core.ChunkSentence, tokens: Sequence[str], rules: PhraseRules = NO_RULES) -> ChunkExplanation:
        """Explain the phrases of one sentence, with the kernel itself; under rules, those that they leave or force."""
        seen = self.layers.recognise(x)
        score, phrases = nbest(self.layers, x, 1, rules)[0] if rules else (seen.score, seen.phrases)
        decisions, unit = (max(1.0, function.clock) for function in self.functions)
        words = tuple(
            WordReason(token, begin / decisions, inside / decisions)
            for token, begin, inside in zip(tokens, seen.begin, seen.inside, strict=True)
        )
        reasons = tuple(
            _with_rules(self._phrase(x, seen, phrase, tokens, words), rules.names.get(phrase, ())) for phrase in phrases
        )
        labels = to_labels(self.label_set, phrases, len(tokens), self.categories)
        return ChunkExplanation(tuple(tokens), tuple(labels), score / unit, words, reasons)

    def _phrase(
        self,
        x: _core.ChunkSentence,
        seen: _core.Recognition,
        phrase: Phrase,
        tokens: Sequence[str],
        words: tuple[WordReason, ...],
    ) -> PhraseReason:
        (s, e, k), phrases = phrase, self.functions[1]
        instance = np.sort(self.layers.instance(x, seen, s, e))
        scores = (phrases.score(instance) / max(1.0, phrases.clock)).tolist()
        return PhraseReason(
            s,
            e + 1,
            " ".join(tokens[s : e + 1]),
            self.categories[k],
            dict(zip(self.categories, scores, strict=True)),
            words[s : e + 1],
            feature_shares(phrases, instance, k, self.names),
            vector_shares(phrases, instance, k, self.names),
        )


def _with_rules(reason: PhraseReason, rules: Sequence[tuple[str, float]]) -> PhraseReason:
    """Return the reason with what rules say about the phrase, before its features."""
    if not rules:
        return reason
    return replace(reason, features=(*(Share(name, value) for name, value in rules), *reason.features))


def feature_shares(
    vectors: _core.SupportVectors, x: npt.NDArray[np.int32], column: int, names: ChunkFeatureNames
) -> tuple[Share, ...]:
    """What each feature of x adds to a score; together with the bias they are the score."""
    if vectors.degree > 2:
        return ()
    position = {int(f): i for i, f in enumerate(x)}
    shares = np.zeros(len(x))
    bias, unit = 0.0, max(1.0, vectors.clock)
    for row in range(len(vectors)):
        a = vectors.coefficient(row, column)
        bias += a
        common = [position[f] for f in vectors.row(row).tolist() if f in position] if a else []
        # (m + 1)² - 1 = m·(m + 2), and m + 1 - 1 = m: the same share for each of the m features in common.
        shares[common] += a * (len(common) + 2 if vectors.degree == 2 else 1)
    listed = [(names.name(int(f)), float(v / unit)) for f, v in zip(x, shares, strict=True)]
    largest = sorted(listed, key=lambda share: (-abs(share[1]), share[0]))[:LISTED]
    return (Share("bias", bias / unit), *(Share(name, value, phrase_in_words(name)) for name, value in largest))


def vector_shares(
    vectors: _core.SupportVectors, x: npt.NDArray[np.int32], column: int, names: ChunkFeatureNames
) -> tuple[Share, ...]:
    """The support vectors that add most to a score, named by their phrases where those are known."""
    unit = max(1.0, vectors.clock)
    values = [
        (vectors.coefficient(row, column) * vectors.kernel(x, row) / unit, row)
        for row in range(len(vectors))
        if vectors.coefficient(row, column)
    ]
    values.sort(key=lambda pair: (-abs(pair[0]), pair[1]))
    named = [(names.describe(vectors.row(row).tolist()), value) for value, row in values[:LISTED]]
    return tuple(Share(name, value, stored_phrase_in_words(name)) for name, value in named)
