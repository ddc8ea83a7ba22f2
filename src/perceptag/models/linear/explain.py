"""Why a tagger chose its labels: exact contributions of every feature, and the best rival.

The score of a labelling is a sum of weights. For each token the contributions to the score of its label are
listed, beside what the same features give to the best rival: the label at this token in the best labelling of
the whole sentence that differs there. The margin is the difference of the two labellings' scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from perceptag import _core
from perceptag.corpus.dataset import make_dataset
from perceptag.encoding.encoder import Encoder
from perceptag.errors import SettingError
from perceptag.features.template import CROSSINGS
from perceptag.models.linear.runtime import PLAIN_EDGE
from perceptag.text.documents import as_document
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    from perceptag.models.linear.tagger import LinearTagger


@dataclass(frozen=True, slots=True)
class Contribution:
    """One feature at one token: its weight for the chosen label and for the rival."""

    feature: str
    weight: float
    rival_weight: float


@dataclass(frozen=True, slots=True)
class TokenExplanation:
    """One token: its label, the rival, and what speaks for each."""

    token: str
    label: str
    score: float  # sum of the contributions
    rival: str | None  # None: no other label is possible here
    rival_labels: tuple[str, ...]  # of its sentence
    margin: float | None
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class NonLocalContribution:
    """One feature of the whole document: its value, and what it adds to the score, which is value times weight."""

    feature: str
    value: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """A labelled sentence, explained token by token."""

    tokens: tuple[str, ...]
    labels: tuple[str, ...]
    score: float  # of its tokens
    details: tuple[TokenExplanation, ...]
    nonlocal_contributions: tuple[NonLocalContribution, ...] = ()  # of the document, where the model has such features

    def to_dict(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)


class Search(Protocol):
    """How the labellings of a model are found and compared."""

    def best(self, corpus: _core.Corpus, number: int) -> _core.Labels:
        """The best labelling of one of the sequences."""

    def without(self, x: _core.Sequence, t: int, label: int) -> _core.Labels | None:
        """The best labelling of x with another label at t, or None if there is no other."""

    def score(self, x: _core.Sequence, labels: _core.Labels) -> float:
        """What labellings are compared by."""


@dataclass(frozen=True, slots=True)
class GlobalSearch:
    """A `Search` for the highest sum of weights."""

    weights: _core.Weights
    dictionary: _core.TagDictionary | None

    def best(self, corpus: _core.Corpus, number: int) -> _core.Labels:
        """The best labelling of one of the sequences."""
        return _core.viterbi(self.weights, corpus[number], self.dictionary)

    def without(self, x: _core.Sequence, t: int, label: int) -> _core.Labels | None:
        """The best labelling of x with another label at t."""
        return _core.viterbi_without(self.weights, x, t, label, self.dictionary)

    def score(self, x: _core.Sequence, labels: _core.Labels) -> float:
        """The sum of the weights."""
        return self.weights.score(x, labels)


def explain(
    tagger: LinearTagger,
    document: Sequence[Sentence],
    number: int,
    labels: _core.Labels | None = None,
    search: Search | None = None,
) -> Explanation:
    """Explain the labels of one sentence of a document: the best ones, or those given for all of its sequence."""
    linear = tagger.linear
    if len(linear.vectors) > 1:
        raise SettingError(
            "a model whose weight vectors vote has no single score to explain; train with weights=averaged"
        )
    data = make_dataset(as_document(document), tagger.columns, computed=tagger.computed)
    if tagger.whole_documents:
        begin, sequence, place = data.begin[[0, -1]], 0, range(*data.begin[number : number + 2].tolist())
    else:
        begin, sequence, place = data.begin, number, range(len(document[number]))
    corpus = linear.encode(data.columns, begin)
    x = corpus[sequence]
    search = search or GlobalSearch(linear.vectors[0], linear.dictionary)
    best = labels if labels is not None else search.best(corpus, sequence)
    names = tagger.model.label_set.names
    features = FeatureNames(linear.encoder)
    details = []
    for t, token in zip(place, document[number].tokens, strict=True):
        rival = search.without(x, t, best[t])
        margin = search.score(x, best) - search.score(x, rival) if rival is not None else None
        details.append(_token(linear.vectors[0], x, t, best, rival, margin, names, features, token, place))
    return Explanation(
        tuple(document[number].tokens),
        tuple(names[best[t]] for t in place),
        sum(detail.score for detail in details),
        tuple(details),
    )


def _token(
    weights: _core.Weights,
    x: _core.Sequence,
    t: int,
    best: _core.Labels,
    rival: _core.Labels | None,
    margin: float | None,
    names: tuple[str, ...],
    features: FeatureNames,
    token: str,
    place: range,
) -> TokenExplanation:
    mine = _contributions(weights, x, t, best)
    other = _contributions(weights, x, t, rival) if rival is not None else mine
    listed = tuple(
        Contribution(features.name(block, row), weight, rival_weight)
        for (block, row, weight), (_, _, rival_weight) in zip(mine, other, strict=True)
        if weight or rival_weight
    )
    return TokenExplanation(
        token,
        names[best[t]],
        sum(weight for _, _, weight in mine),
        names[rival[t]] if rival is not None else None,
        tuple(names[rival[k]] for k in place) if rival is not None else (),
        margin,
        tuple(sorted(listed, key=lambda c: -abs(c.weight - c.rival_weight))),
    )


def _contributions(
    weights: _core.Weights, x: _core.Sequence, t: int, labels: _core.Labels
) -> list[tuple[int, int, float]]:
    """(block, row, weight) of everything that scores at token t."""
    found = []
    for block in range(5):
        order = block if block < PLAIN_EDGE else block - PLAIN_EDGE + 1
        if not weights.rows(block):
            continue
        code = label_code(labels, t, order, weights.labels)
        rows = x.rows(order, t).tolist() if block < PLAIN_EDGE else [0]
        found += [(block, row, weights.value(block, row, code)) for row in rows]
    return found


def label_code(labels: _core.Labels, t: int, order: int, L: int) -> int:
    """The number of a combination of labels: (y-2 * (L+1) + y-1) * L + y0, the start being L."""
    code = 0
    for back in range(order, 0, -1):
        code = code * (L + 1) + (labels[t - back] if t >= back else L)
    return code * L + labels[t]


class FeatureNames:
    """The text of any feature of a model, by block and row."""

    def __init__(self, encoder: Encoder) -> None:
        assert encoder.index is not None
        self._where: dict[tuple[int, int], tuple[int, int]] = {}
        self._values = []
        for i, template in enumerate(encoder.templates):
            values, rows = encoder.index.list(i)
            self._values.append(values.reshape(len(rows), len(template.fields)))
            self._where |= {(template.order, row): (i, k) for k, row in enumerate(rows.tolist())}
        self._templates = encoder.templates
        self._padding = encoder.padding
        self._words = [[list(encoder.vocabulary(f)) for f in template.fields] for template in encoder.templates]

    def name(self, block: int, row: int) -> str:
        """Such as ``form[0]=dog`` or ``bias * y-1 y0``."""
        if block >= PLAIN_EDGE:
            return f"bias * {CROSSINGS[block - PLAIN_EDGE + 1]}"
        crossing = f" * {CROSSINGS[block]}" if block else ""
        return self.observation(block, row) + crossing

    def observation(self, block: int, row: int) -> str:
        """What a feature sees, without the labels that it is crossed with: ``form[0]=dog`` or ``bias``."""
        i, k = self._where[block, row]
        template = self._templates[i]
        parts = [
            f"{field}={self._value(i, j, int(value))}"
            for j, (field, value) in enumerate(zip(template.fields, np.atleast_1d(self._values[i][k]), strict=True))
        ]
        return " ".join(parts) or "bias"

    def _value(self, template: int, field: int, number: int) -> str:
        if number < self._padding:
            return f"<s{number + 1}>"
        if number < 2 * self._padding:
            return f"</s{number - self._padding + 1}>"
        return self._words[template][field][number - 2 * self._padding]
