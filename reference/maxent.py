"""The maximum-entropy tagger over dictionaries, by its definition.

The tagger of Ratnaparkhi (1996), as in Collins (2002) [W02-1001], section 2.3; section 4.3 compares with it:

    P(t | h) = exp(sum over s of alpha_s phi_s(h, t)) / Z(h)          `probabilities`
    P(y | x) = product over tokens of P(y_t | h_t)                    `log_probability`

h is the input at a token together with the labels before it; in training these are the gold labels. Every token of
the training data is an event. Generalised iterative scaling (Darroch and Ratcliff 1972):

    alpha_s += 1/C * log(count of phi_s in the data / its expectation under the model)       `gis_step`

C is the largest number of features that any event has with any label (`most_active`). Curran and Clark (2003),
"Investigating GIS and Smoothing for Maximum Entropy Taggers", EACL, show that no correction feature is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import exp, log

from reference.perceptron import Allows, Example, Input, Labels, LocalFeature, local_features

Weights = dict[LocalFeature, float]  # a missing feature has weight 0


def probabilities(alpha: Weights, x: Input, before: Sequence[str], labels: Sequence[str]) -> dict[str, float]:
    """Return P(t | h) for every label t of the token after the labels `before`."""
    t = len(before)
    scores = {y: sum(alpha.get(f, 0.0) for f in local_features(x, (*before, y), t)) for y in labels}
    top = max(scores.values())
    total = sum(exp(score - top) for score in scores.values())
    return {y: exp(score - top) / total for y, score in scores.items()}


def log_probability(alpha: Weights, x: Input, y: Sequence[str], labels: Sequence[str]) -> float:
    """log P(y | x)."""
    return sum(log(probabilities(alpha, x, y[:t], labels)[y[t]]) for t in range(len(x)))


def log_likelihood(alpha: Weights, examples: Sequence[Example], labels: Sequence[str]) -> float:
    """Return the log-likelihood of the gold labels of all examples."""
    return sum(log_probability(alpha, x, y, labels) for x, y in examples)


def observed(examples: Sequence[Example], allows: Allows) -> Counter[LocalFeature]:
    """Count how often each feature that has a parameter occurs in the data."""
    return Counter(f for x, y in examples for t in range(len(x)) for f in local_features(x, y, t) if allows(f))


def expected(
    alpha: Weights, examples: Sequence[Example], labels: Sequence[str], allows: Allows
) -> dict[LocalFeature, float]:
    """Return the expected count of each feature if the model drew the labels after gold histories."""
    found: dict[LocalFeature, float] = {}
    for x, gold in examples:
        for t in range(len(x)):
            for y, p in probabilities(alpha, x, gold[:t], labels).items():
                for feature in local_features(x, (*gold[:t], y), t):
                    if allows(feature):
                        found[feature] = found.get(feature, 0.0) + p
    return found


def most_active(examples: Sequence[Example], labels: Sequence[str], allows: Allows) -> int:
    """C: the largest number of features with a parameter, over all events and all labels."""
    return max(
        sum(allows(feature) for feature in local_features(x, (*gold[:t], y), t))
        for x, gold in examples
        for t in range(len(x))
        for y in labels
    )


def gis_step(alpha: Weights, examples: Sequence[Example], labels: Sequence[str], allows: Allows) -> Weights:
    """One iteration of generalised iterative scaling."""
    counts = observed(examples, allows)
    model = expected(alpha, examples, labels, allows)
    C = most_active(examples, labels, allows)
    return {f: alpha.get(f, 0.0) + log(count / model[f]) / C for f, count in counts.items()}


def nbest(alpha: Weights, x: Input, labels: Sequence[str], n: int) -> list[tuple[Labels, float]]:
    """Return the n most probable labellings by enumeration; of equal ones the smaller, read from the last label."""
    every = sorted(product(labels, repeat=len(x)), key=lambda y: [labels.index(label) for label in reversed(y)])
    scored = [(y, log_probability(alpha, x, y, labels)) for y in every]
    return sorted(scored, key=lambda entry: -entry[1])[:n]


def marginals(alpha: Weights, x: Input, labels: Sequence[str]) -> list[dict[str, float]]:
    """Return P(y_t = y | x) for every token and label, by enumeration."""
    found = [dict.fromkeys(labels, 0.0) for _ in x]
    for y in product(labels, repeat=len(x)):
        p = exp(log_probability(alpha, x, y, labels))
        for t, label in enumerate(y):
            found[t][label] += p
    return found
