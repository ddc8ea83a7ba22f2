"""The perceptron for tagging over dictionaries, plain and averaged, as the paper defines it.

Collins (2002), "Discriminative Training Methods for Hidden Markov Models", EMNLP 2002 [W02-1001].

    Phi(x, y)                               `global_features`, section 2.2: how often each local feature occurs, or, for
                                            a feature that is a number, the sum of its amounts
    argmax_z Phi(x, z) . alpha              `best_labelling`
    figure 1, the training algorithm        `visited_weights`: every alpha^{t,i}
    gamma = sum of alpha^{t,i} / nT         `average`, section 2.5, by its literal definition

A local feature is a `Feature` of the input together with the labels it is crossed with, from left to right. The label
before the sentence is ``*``. Labels have a fixed order; of equally good labellings the one with the earlier label is
taken, read from the end of the sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction

from reference import lattice
from reference.features import Feature

START = "*"

Input = Sequence[Sequence[Feature]]  # the features that fire at each token
Labels = tuple[str, ...]
Example = tuple[Input, Labels]
LocalFeature = tuple[Feature, Labels]
Number = int | Fraction
Weights = dict[LocalFeature, Number]  # a missing feature has weight 0
Vector = Mapping[LocalFeature, Number]
Allows = Callable[[LocalFeature], bool]


def local_features(x: Input, y: Sequence[str], t: int) -> Iterator[LocalFeature]:
    """Yield the features of token t, each with the last labels up to t."""
    padded = (START, START, *y[: t + 1])
    for feature in x[t]:
        yield feature, padded[-1 - feature.order :]


def global_features(x: Input, y: Sequence[str]) -> Weights:
    """Phi(x, y): the sum of the local features over all tokens."""
    total: Weights = {}
    for t in range(len(x)):
        for feature, labels in local_features(x, y, t):
            total[feature, labels] = total.get((feature, labels), 0) + feature.amount
    return total


def score(alpha: Weights, x: Input, y: Sequence[str]) -> Number:
    """Phi(x, y) . alpha."""
    return sum(alpha.get(feature, 0) * count for feature, count in global_features(x, y).items())


def best_labelling(alpha: Weights, x: Input, labels: Sequence[str]) -> Labels:
    """Return the labelling of x with the highest score, among all labellings."""
    T, before = range(len(x)), (*labels, START)
    order = max((feature.order for token in x for feature in token), default=0)

    def total(t: int, *ys: str) -> float:
        here = (feature for feature in x[t] if feature.order == len(ys) - 1)
        return float(sum(feature.amount * alpha.get((feature, ys), 0) for feature in here))

    node = [[total(t, y) for y in labels] for t in T]
    edge = trigram = None
    if order > 0:
        edge = [[[total(t, u, y) for y in labels] for u in before] for t in T]
    if order > 1:
        trigram = [[[[total(t, v, u, y) for y in labels] for u in before] for v in before] for t in T]
    scores = lattice.Lattice(len(labels), node, edge, trigram)
    return tuple(labels[y] for y in lattice.viterbi(scores)[0])


def visited_weights(
    passes: Iterable[Sequence[Example]], labels: Sequence[str], allows: Allows = lambda _: True
) -> Iterator[Weights]:
    """Figure 1: yield every weight vector that training visits, one after each example of each pass.

    `passes` holds the examples of each pass in the order of that pass. A feature that `allows` refuses has no
    parameter: it stays at zero (see `supported`).
    """
    alpha: Weights = {}
    for examples in passes:
        for x, y in examples:
            z = best_labelling(alpha, x, labels)
            if z != y:
                alpha = plus(alpha, global_features(x, y), +1, allows)
                alpha = plus(alpha, global_features(x, z), -1, allows)
            yield alpha


def plus(alpha: Weights, phi: Vector, scale: int, allows: Allows = lambda _: True) -> Weights:
    """alpha + scale * phi, as a new vector without zeros."""
    result = dict(alpha)
    for feature, count in phi.items():
        if allows(feature):
            result[feature] = result.get(feature, 0) + scale * count
    return {feature: weight for feature, weight in result.items() if weight}


def average(vectors: Sequence[Weights]) -> dict[LocalFeature, Fraction]:
    """Return gamma: the mean of all vectors that training visited."""
    total: Weights = {}
    for alpha in vectors:
        for feature, weight in alpha.items():
            total[feature] = total.get(feature, 0) + weight
    return {feature: Fraction(weight) / len(vectors) for feature, weight in total.items() if weight}


def supported(examples: Sequence[Example], cutoff: int, support: str) -> Allows:
    """Return which features have a parameter, section 4.3: those that occur at least `cutoff` times in the gold data.

    With support "gold" a feature is counted together with its labels. With "all" it is counted with
    any labels and may then have any labels; transitions without an observation are then never cut off.
    """
    counts = Counter(found for x, y in examples for t in range(len(x)) for found in local_features(x, y, t))
    if support == "gold":
        return lambda found: counts[found] >= max(1, cutoff)
    whatever: Counter[Feature] = Counter()
    for (feature, _), count in counts.items():
        whatever[feature] += count
    return lambda found: found[0].template.is_plain_transition or whatever[found[0]] >= max(1, cutoff)
