"""Compare two models: recipe, labels, features, weights.

Weights of two learners may be on different scales. So changes are compared after the weights of each model were divided
by their root mean square; what is shown are the weights themselves.
"""

from __future__ import annotations

import heapq
import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

from perceptag.models.model import Model
from perceptag.models.protocol import ReadyModel

_TOLD_ELSEWHERE = ("templates", "citation", "description")

_Sorted = TypeVar("_Sorted", tuple[float, str], tuple[float, tuple[str, str]])
Weights = Mapping[tuple[str, str], float]  # (label, feature): weight


class WeightChange(NamedTuple):
    """A weight in both models; 0 in one that does not have the feature."""

    label: str
    feature: str
    a: float
    b: float


@dataclass(frozen=True, slots=True)
class Features:
    """How many features with a weight each model has, and some of those that only one has, the heaviest first."""

    a: int
    b: int
    common: int
    only_a: list[str]
    only_b: list[str]


@dataclass(frozen=True, slots=True)
class ModelDiff:
    """Everything that differs. Features and changes are None if a kind of model has no weights of named features."""

    kinds: tuple[str, str]
    recipe: dict[str, tuple[Any, Any]]  # key: values in a and b
    templates: tuple[list[str], list[str]]  # only in a, only in b
    labels: tuple[list[str], list[str]]
    features: Features | None
    changes: list[WeightChange] | None

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "kinds": list(self.kinds),
            "recipe": {key: {"a": a, "b": b} for key, (a, b) in self.recipe.items()},
            "templates": _sides(self.templates),
            "labels": _sides(self.labels),
            "features": asdict(self.features) if self.features else None,
            "changes": None if self.changes is None else [change._asdict() for change in self.changes],
        }


def diff_models(a: ReadyModel, b: ReadyModel, top: int = 20) -> ModelDiff:
    """Compare two models; at most `top` features of each side and changes are listed, or all if that is 0."""
    mine, other = weights_of(a), weights_of(b)
    both = None if mine is None or other is None else (mine, other)
    return ModelDiff(
        kinds=(_kind(a.model), _kind(b.model)),
        recipe=_recipe(a.model, b.model),
        templates=_only(a.model.facts.get("templates", []), b.model.facts.get("templates", [])),
        labels=_only(a.model.label_set.names, b.model.label_set.names),
        features=_features(*both, top) if both else None,
        changes=heaviest_changes(*both, top) if both else None,
    )


def weights_of(ready: ReadyModel) -> Weights | None:
    """Return all weights of local features, and of non-local ones under an empty label; None if there are none."""
    if "top-weights" not in ready.offers:
        return None
    found = ready.top_weights(sys.maxsize)
    local = {(label, name): weight for label, some in found.by_label.items() for name, weight in some}
    return local | {("", name): weight for name, weight in found.of_documents}


def _kind(model: Model) -> str:
    return str(model.facts.get("kind"))


def _recipe(a: Model, b: Model) -> dict[str, tuple[Any, Any]]:
    mine, other = a.recipe.to_dict(), b.recipe.to_dict()
    keys = [key for key in dict.fromkeys([*mine, *other]) if key not in _TOLD_ELSEWHERE]
    return {key: (mine.get(key), other.get(key)) for key in keys if mine.get(key) != other.get(key)}


def _only(a: Sequence[str], b: Sequence[str]) -> tuple[list[str], list[str]]:
    return [x for x in a if x not in b], [x for x in b if x not in a]


def _sides(pair: tuple[list[str], list[str]]) -> dict[str, list[str]]:
    return {"only_a": pair[0], "only_b": pair[1]}


def _features(a: Weights, b: Weights, top: int) -> Features:
    mine, other = _heaviest(a), _heaviest(b)
    lost, new = mine.keys() - other.keys(), other.keys() - mine.keys()
    only_a = _first(((-mine[name], name) for name in lost), top)
    only_b = _first(((-other[name], name) for name in new), top)
    sides = [[name for _, name in side] for side in (only_a, only_b)]
    return Features(len(mine), len(other), len(mine) - len(lost), *sides)


def _first(items: Iterable[_Sorted], top: int) -> list[_Sorted]:
    """Return the `top` smallest items in order; all if it is 0. To sort all for a few would take most of the time."""
    return heapq.nsmallest(top, items) if top else sorted(items)


def _heaviest(weights: Weights) -> dict[str, float]:
    """Return the features, without the labels before them, each with its largest absolute weight."""
    found: dict[str, float] = {}
    for (_, name), weight in weights.items():
        feature = name.partition(", y-")[0] if ", y-" in name else name
        size = abs(weight)
        if size > found.get(feature, -1.0):
            found[feature] = size
    return found


def heaviest_changes(a: Weights, b: Weights, top: int) -> list[WeightChange]:
    """Return the changes that are the largest compared with the other weights of each model; all if `top` is 0."""
    size_a, size_b = _root_mean_square(a), _root_mean_square(b)

    def changes() -> Iterator[tuple[float, tuple[str, str]]]:
        for key, weight in a.items():
            other = b.get(key)
            if other != weight:
                yield -abs((other or 0.0) / size_b - weight / size_a), key
        for key, weight in b.items():
            if key not in a:
                yield -abs(weight / size_b), key

    return [WeightChange(*key, a.get(key, 0.0), b.get(key, 0.0)) for _, key in _first(changes(), top)]


def _root_mean_square(weights: Weights) -> float:
    squares = sum(weight * weight for weight in weights.values())
    return math.sqrt(squares / len(weights)) if squares else 1.0
