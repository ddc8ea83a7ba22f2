"""The perceptron on shards: every shard starts from the same weights, and their changes are mixed.

McDonald, Hall and Mann (2010), "Distributed Training Strategies for the Structured Perceptron", NAACL [N10-1069],
figure 3, with one divisor for each weight:

    w^(i) = the perceptron on a part of shard i, started from w              `learned`
    D_f   = sum over i of (w^(i)_f - w_f)  /  a number of shards             `mixed`
            present: those in which f occurs; touched: those that changed f
    w    += D, rounded to a multiple of a unit

Weights of non-local features, whose names are strings, are mixed in the same way (`run_ascent`). Any document may have
any of them, so for `present` they occur in all shards; their unit is finer.

The average is that of all vectors that all shards visit, one after each example.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from reference import latent
from reference.features import Feature
from reference.nonlocal_perceptron import DocumentExample
from reference.perceptron import Allows, Example, best_labelling, global_features, plus

Weights = dict[Any, Fraction]  # by local feature, or by the name of a non-local one
Part = Sequence[Example]
Documents = Sequence[DocumentExample]


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
        changes = [Fraction(result.get(f, 0)) - w.get(f, Fraction()) for result in results]
        by = len(shards)
        if rule == "touched":
            by = max(1, sum(change != 0 for change in changes))
        elif rule == "present" and not isinstance(f, str) and not f[0].template.is_plain_transition:
            by = sum(f[0] in features for features in shards)
        grid = UNIT_OF_NONLOCAL if isinstance(f, str) else unit
        total[f] = w.get(f, Fraction()) + round(sum(changes, Fraction()) / by / grid) * grid
    return {f: value for f, value in total.items() if value}


UNIT_OF_NONLOCAL = Fraction(1, 2**20)


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
    return _run(rounds, lambda w, part: learned(w, part, labels, allows), rule, features, unit)


def run_ascent(
    rounds: Iterable[Sequence[Documents]],
    n: int,
    margins: tuple[float, float],
    rule: str,
    shards: Sequence[Documents],
    unit: Fraction,
) -> tuple[Weights, list[Weights]]:
    """Return the same for `latent.ascent`, whose documents have all their labels. `margins`: C^a and C^l."""
    features = [{f for x in shard for y in x.labellings for f, _ in _pairs(x.local(y))} for shard in shards]

    def learn(w: Weights, part: Documents) -> list[Weights]:
        return list(latent.ascent([[(x, x.y_star) for x in part]], n, *margins, start=w))  # type: ignore[arg-type]

    return _run(rounds, learn, rule, features, unit)


def _pairs(vector: Iterable[Hashable]) -> Iterable[tuple[Feature, Any]]:
    return vector  # type: ignore[return-value]  # local features are pairs


def _run(
    rounds: Iterable[Sequence[Any]],
    learn: Callable[[Weights, Any], list[Weights]],
    rule: str,
    features: Sequence[set[Feature]],
    unit: Fraction,
) -> tuple[Weights, list[Weights]]:
    w: Weights = {}
    visited: list[Weights] = []
    for parts in rounds:
        found = [learn(w, part) for part in parts if part]
        visited += [vector for vectors in found for vector in vectors]
        w = mixed(w, [vectors[-1] for vectors in found], rule, features, unit)
    return w, visited
