"""Settings that a build chooses by the dev data: it trains a layer with each value, and compares the models.

These settings help with some treebanks and hurt with others. The first value stays unless another one is better by more
than the standard error, since dev data is small. A setting in the file of the user is not a choice.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from perceptag.building.language_file import TOKENS
from perceptag.evaluation.comparison import standard_errors
from perceptag.evaluation.scoring import MainScore
from perceptag.models.model import Model

Labels = Sequence[Sequence[str]]

CHOICES: dict[str, tuple[str, tuple[object, ...]]] = {  # by layer: a setting, and its values, the usual one first
    TOKENS: ("tokens.patterns", (True, False)),
    "feats": ("labels.parts", ("", "|")),
}


class LayerSettings(NamedTuple):
    """Settings of a layer to train with."""

    settings: dict[str, Any]
    key: str = ""  # the setting that is tried; empty: there is no choice
    value: object = None

    def __str__(self) -> str:
        """The setting and its value, as a LANG.toml has them."""
        return f"{self.key} = {json.dumps(self.value)}"


def candidates(name: str, settings: Mapping[str, Any]) -> list[LayerSettings]:
    """Return the settings to try for a layer. Learners of the user's choice may lack abilities, so nothing is tried."""
    key, values = CHOICES.get(name, ("", ()))
    if not key or key in settings or "learner" in settings:
        return [LayerSettings(dict(settings))]
    return [LayerSettings({**settings, key: value}, key, value) for value in values]


class TrainedLayer(NamedTuple):
    """A model, and what it gives to the dev data."""

    candidate: LayerSettings
    model: Model
    labels: Labels


def choose(tried: Sequence[TrainedLayer], gold: Labels) -> tuple[Model, str]:
    """Return the model to keep, and what was chosen in words."""
    best = tried[0]
    for other in tried[1:]:
        if standard_errors(gold, best.labels, other.labels) > 1:
            best = other
    score = MainScore(gold, "none").score
    others = [f"{json.dumps(one.candidate.value)}: {score(one.labels):.2f}" for one in tried if one is not best]
    return best.model, f"{best.candidate} (dev accuracy {score(best.labels):.2f}; {', '.join(others)})"
