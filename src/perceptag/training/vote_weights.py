"""The weight of rules that suggest labels, chosen on dev data.

All of them get the same weight, in the unit of `perceptag.models.span_rules.margin_unit`. Each weight of the grid is
tried, and the one with the best score of the tags is kept; of equal ones the smallest.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Sequence
from typing import NamedTuple

from perceptag.evaluation.scoring import MainScore
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.models.span_rules import with_rules
from perceptag.rules.spans import RuleSpan
from perceptag.text.sentence import Sentence

GRID = (0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)

Matched = Sequence[Sequence[RuleSpan]]  # of each sentence


class ChosenWeight(NamedTuple):
    """The best weight, and the score on dev data, in per cent, of every weight that was tried."""

    weight: float
    tried: dict[float, float]


def choose_weight(
    ready: ReadyModel,
    dev: Sequence[Sentence],
    rules: Matched,
    *,
    names: Container[str] | None = None,
    grid: Sequence[float] = GRID,
    model: Model | None = None,
    threads: int = 1,
) -> ChosenWeight:
    """Choose the weight of rules by F1 of spans on dev data, or by accuracy if labels are not spans.

    `rules`: what they say about each sentence; `names`: the rules whose weight is chosen, by default all that suggest;
    `model`: the same model, if it was calibrated since it was made ready.
    """
    labels = ready.model.label_set
    scores = MainScore([labels.gold(sentence) for sentence in dev], labels.outer)
    tried = {}
    for weight in grid:
        ruled = with_rules(ready, dev, weighted(rules, weight, names), model)
        tried[weight] = scores.score(ready.tag(ruled, threads))
    return ChosenWeight(max(tried, key=lambda weight: (tried[weight], -weight)), tried)


def weighted(rules: Matched, weight: float, names: Container[str] | None = None) -> list[list[RuleSpan]]:
    """Return the rules with this weight for those that suggest labels, or for those of them with these names."""
    return [
        [
            dataclasses.replace(rule, weight=weight)
            if rule.say == "suggest" and (names is None or rule.rule in names)
            else rule
            for rule in own
        ]
        for own in rules
    ]
