"""What rules say about spans, and the search under them, by trying all labellings.

A labelling contains the span [start, end) of a type if

    chunk labels   `spans` reads exactly this chunk of this type: it begins at `start` and ends before `end`
    other labels   all tokens from `start` to before `end` have this label, whatever the tokens around them have

    force          a labelling that does not contain the span is left out
    forbid         a labelling that contains the span is left out, unless another rule forces the span
    suggest        a labelling that contains the span gets `weight` more
    feature        says nothing to the search

    score(y | rules) = score(y) + sum of the weights of suggested spans that y contains,   y not left out

Best labellings, n-best lists, margins and probabilities are those of this score:

    margins        max { score(y | rules) : y_t = label } - max score(y | rules)
    marginals      p(y) = exp(scale * score(y | rules)) / Z, Z over the labellings that are not left out
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from math import exp, inf

from perceptag.labels.schemes import spans
from perceptag.rules.spans import RuleSpan

Labels = tuple[int, ...]
Score = Callable[[Labels], float]


def contains(labels: Sequence[str], rule: RuleSpan, scheme: str) -> bool:
    """Return whether the labels of a sentence contain the span of a rule."""
    if scheme == "none":
        return all(label == rule.label for label in labels[rule.start : rule.end])
    return (rule.start, rule.end, rule.label) in {(s.start, s.end, s.label) for s in spans(labels, scheme)}


def bonus(labels: Sequence[str], rules: Sequence[RuleSpan], scheme: str) -> float:
    """Return what rules add to the score of the labels of a sentence; minus infinity if they leave it out."""
    total = 0.0
    forced = {(rule.start, rule.end, rule.label) for rule in rules if rule.say == "force"}
    for rule in rules:
        if rule.say == "forbid" and (rule.start, rule.end, rule.label) in forced:
            continue
        found = contains(labels, rule, scheme)
        if (rule.say == "force" and not found) or (rule.say == "forbid" and found):
            return -inf
        if rule.say == "suggest" and found:
            total += rule.weight
    return total


def all_labellings(
    names: Sequence[str], lengths: Sequence[int], rules: Sequence[Sequence[RuleSpan]], scheme: str, score: Score
) -> dict[Labels, float]:
    """Return the score of every labelling of a sequence that is not left out.

    The sequence has one sentence or more, of these `lengths`, each with its rules. `score` is that of the model.
    """
    begin = [sum(lengths[:i]) for i in range(len(lengths) + 1)]
    found = {}
    for labels in product(range(len(names)), repeat=begin[-1]):
        written = [names[y] for y in labels]
        parts = [written[a:b] for a, b in pairwise(begin)]
        total = score(labels) + sum(bonus(part, own, scheme) for part, own in zip(parts, rules, strict=True))
        if total > -inf:
            found[labels] = total
    return found


def max_marginals(scores: dict[Labels, float], T: int, L: int) -> list[list[float]]:
    """Return how far the best labelling with a label at a token is behind the best of all."""
    top = max(scores.values())
    return [
        [max((s for y, s in scores.items() if y[t] == label), default=-inf) - top for label in range(L)]
        for t in range(T)
    ]


def marginals(scores: dict[Labels, float], T: int, L: int, scale: float = 1.0) -> list[list[float]]:
    """Return the probability of every label at every token."""
    top = max(scores.values())
    mass = {y: exp(scale * (s - top)) for y, s in scores.items()}
    total = sum(mass.values())
    return [[sum(m for y, m in mass.items() if y[t] == label) / total for label in range(L)] for t in range(T)]
