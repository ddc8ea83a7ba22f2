"""Shards: parts of the data that are learned separately, and rules for mixing their weights.

Read first: reference/mixing.py; machinery: models/linear/mixing.py, models/document/global_weights.py,
cpp/include/perceptag/linear/mixing.hpp

McDonald, Hall and Mann (2010), "Distributed Training Strategies for the Structured Perceptron", NAACL [N10-1069]:
every shard starts from the same weights, learns from its own examples, and the results are mixed. There the change of
a weight is the mean over all shards, once in a pass. Few shards see a rare feature, so its weight
moves too little. Departures:

    touched     the sum of the changes of a weight, divided by the number of shards that changed it
    present     the same, divided by the number of shards in which the feature occurs
    MIXES       this often in a pass

What is proved. For `present`, let n_f be the number of shards with feature f, u a vector of norm 1 that separates the
data by γ, R the largest norm of a difference of feature vectors, and K the number of all mistakes. Then
K ≤ (Σ_f n_f u_f²) R²/γ². A mistake raises Σ_f n_f u_f w_f by γ or more, as a shard moves only features that it has; by
convexity, mixing does not raise the sum of squares by more than R² for each mistake. The bound lies between that of
the serial perceptron (all n_f = 1) and that of uniform mixing (S R²/γ²). For `touched` there is no such proof: its
divisor changes from one mixing to the next. Hence the guard in `rule_now`.

Weights of non-local features (`ascent`) are mixed in the same way, next to those of local ones. Any document may have
any of them, so for `present` they count as present in all shards.

A shard is a contiguous range of units: documents, or sentences that are in no document. Of n units, shard s of S has
those from n*s//S up to n*(s+1)//S, so its worker reads nothing else.

The number of shards belongs to the recipe, because it changes the model. Threads, processes and machines do not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from perceptag.arrays import ranges
from perceptag.learn.learner import shuffled

RISES = 3  # passes with more mistakes than the pass before, after which `touched` is not trusted any more
MIXES = 16  # how often in a pass what shards changed is mixed
UNIT = 1 / 64  # mixed weights are multiples of it, where steps are whole numbers


def rule_now(mistakes: Sequence[int]) -> str:
    """Return the rule for the next pass: `touched` becomes `present` once mistakes have risen three times in a row.

    >>> rule_now([9, 5, 6, 7]), rule_now([9, 5, 6, 7, 8, 2])
    ('touched', 'present')
    """
    rises = 0
    for before, after in pairwise(mistakes):
        rises = rises + 1 if after > before else 0
        if rises == RISES:
            return "present"
    return "touched"


def parts_of_pass(examples: Sequence[int], seed: int | None, epoch: int, shard: int) -> list[list[int]]:
    """Return the examples of a shard in the order of a pass, cut into as many parts as there are mixings.

    `seed`: that of the order; None: as in the data. `shard` is counted from 0.

    >>> parts_of_pass(range(17), None, epoch=1, shard=0)[-2:]
    [[14], [15, 16]]
    """
    order = range(len(examples)) if seed is None else shuffled(len(examples), seed, epoch, shard + 1)
    ordered = [examples[i] for i in order]
    return [ordered[part.start : part.stop] for part in ranges(len(ordered), MIXES)]
