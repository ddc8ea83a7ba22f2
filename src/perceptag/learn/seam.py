"""All names that the loop of a user's linear learner may need, in one module.

The table "The seam" in docs/internals/adding-a-learner.md says what each of them does.
"""

from __future__ import annotations

from perceptag._core import (
    Labels,
    NBest,
    Sequence,
    TagDictionary,
    Weights,
    gram,
    nbest,
    squared_distance,
    viterbi,
    viterbi_with_cost,
)
from perceptag.learn.costs import COSTS, on_grid
from perceptag.learn.learner import COMMON, Errors, Learner, Pass, Setting, State, differing

__all__ = [
    "COMMON",
    "COSTS",
    "Errors",
    "Labels",
    "Learner",
    "NBest",
    "Pass",
    "Sequence",
    "Setting",
    "State",
    "TagDictionary",
    "Weights",
    "differing",
    "gram",
    "nbest",
    "on_grid",
    "squared_distance",
    "viterbi",
    "viterbi_with_cost",
]
