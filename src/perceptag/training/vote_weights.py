"""The weight of rules that suggest labels, chosen on dev data.

All of them get the same weight, in the unit of `perceptag.models.span_rules.margin_unit`. Each weight of the grid is
tried, and the one with the best score of the tags is kept; of equal ones the smallest.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Sequence
from typing import NamedTuple

from perceptag.errors import SettingError
from perceptag.evaluation.scoring import MainScore
from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel
from perceptag.models.span_rules import with_rules
from perceptag.rules.rules import Rules
from perceptag.rules.spans import RuleSpan
from perceptag.text.sentence import Sentence

GRID = (0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)

Matched = Sequence[Sequence[RuleSpan]]  # of each sentence


class OpenVotes:
    """Rules for the labels of a model in training, some of which leave their weight open.

    What they say about the dev data is found, and checked, before the training.
    """

    def __init__(self, rules: Rules, dev: Sequence[Sentence] | None) -> None:
        self.names = [rule.name for rule in rules.rules if rule.is_open]
        if not self.names:
            raise SettingError(
                f"--rules: expected rules for another column than the labels to learn, {rules.column!r}, or some with "
                'say = "suggest" and without a weight, which is then chosen; `column` in the rule file names the column'
            )
        if not dev:
            raise SettingError(f"--rules: expected --dev data, to choose the weight of rule {self.names[0]!r} on")
        self.rules, self.dev = rules, dev
        self.matched = rules.constraints(dev)

    def chosen_for(self, ready: ReadyModel, model: Model, threads: int = 1) -> tuple[Model, str]:
        """Choose the weight; return the model with the choice in its manifest, and the choice in words.

        `model`: the one that is ready, calibrated.
        """
        found = choose_weight(ready, self.dev, self.matched, names=self.names, model=model, threads=threads)
        about = {"weight": found.weight, "of": self.names, "tried": [[w, score] for w, score in found.tried.items()]}
        manifest = {**model.manifest, "rules": {**model.manifest.get("rules", {}), **about}}
        without, best = found.tried[0.0], found.tried[found.weight]
        told = f"weight = {found.weight:g} is the best on dev data: {best:.2f}, without these rules {without:.2f}"
        return dataclasses.replace(model, manifest=manifest), f"rules {', '.join(self.names)}: {told}"


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
    scores = MainScore(labels.gold(dev), labels.outer)
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
