"""Why a tagger chose its labels: exact contributions of every feature, and the best rival.

The score of a labelling is a sum of weights. For each token the contributions to the score of its label are
listed, beside what the same features give to the best rival: the label at this token in the best labelling of
the whole sentence that differs there. The margin is the difference of the two labellings' scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from perceptag import _core
from perceptag.corpus.dataset import make_dataset
from perceptag.errors import SettingError
from perceptag.models.explanation import Contribution, Explanation, TokenExplanation
from perceptag.models.linear.feature_names import FeatureNames
from perceptag.models.linear.weights import PLAIN_EDGE
from perceptag.text.documents import as_document
from perceptag.text.sentence import Sentence

if TYPE_CHECKING:
    from perceptag.models.linear.tagger import LinearTagger


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
