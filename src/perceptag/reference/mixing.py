"""The perceptron on shards: every shard starts from the same weights, and their changes are mixed.

McDonald, Hall and Mann (2010), "Distributed Training Strategies for the Structured Perceptron", NAACL [N10-1069],
figure 3, with one divisor for each weight:

    w^(i) = the perceptron on a part of shard i, started from w              `learned`
    D_f   = sum over i of (w^(i)_f - w_f)  /  a number of shards             `mixed`
            uniform: all; present: those in which f occurs; touched: those that changed f
    w    += D, rounded to a multiple of a unit

The average is that of all vectors that all shards visit, one after each example.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from perceptag.reference.features import Feature
from perceptag.reference.perceptron import Allows, Example, LocalFeature, best_labelling, global_features, plus

Weights = dict[LocalFeature, Fraction]
Part = Sequence[Example]


def learned(w: Weights, part: Part, labels: Sequence[str], allows: Allows) -> list[Weights]:
    """Return the vectors after each example of a part, starting from w."""
    visited = []
    for x, y in part:
        z = best_labelling(w, x, labels)  # type: ignore[arg-type]  # fractions are as good as integers
        if z != y:
            w = plus(w, global_features(x, y), +1, allows)  # type: ignore[arg-type, assignment]
            w = plus(w, global_features(x, z), -1, allows)  # type: ignore[arg-type, assignment]
        visited.append(w)
    return visited


def mixed(w: Weights, results: Sequence[Weights], rule: str, shards: Sequence[set[Feature]], unit: Fraction) -> Weights:
    """Return the weights after a mixing. `shards`: the features that occur in each shard."""
    total = dict(w)
    for f in {f for result in results for f in (result.keys() | w.keys())}:
        changes = [result.get(f, Fraction()) - w.get(f, Fraction()) for result in results]
        by = len(shards)
        if rule == "touched":
            by = max(1, sum(change != 0 for change in changes))
        elif rule == "present" and not f[0].template.is_plain_transition:
            by = sum(f[0] in features for features in shards)
        total[f] = w.get(f, Fraction()) + round(sum(changes, Fraction()) / by / unit) * unit
    return {f: value for f, value in total.items() if value}


def run(
    rounds: Iterable[Sequence[Part]],
    labels: Sequence[str],
    rule: str,
    shards: Sequence[Sequence[Example]],
    unit: Fraction,
    allows: Allows = lambda _: True,
) -> tuple[Weights, list[Weights]]:
    """Return the last weights and all visited vectors. `rounds`: the parts of all shards between mixings."""
    features = [{f for x, _ in shard for token in x for f in token} for shard in shards]
    w: Weights = {}
    visited: list[Weights] = []
    for parts in rounds:
        found = [learned(w, part, labels, allows) for part in parts if part]
        visited += [vector for vectors in found for vector in vectors]
        w = mixed(w, [vectors[-1] for vectors in found], rule, features, unit)
    return w, visited
