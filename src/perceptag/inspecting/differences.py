"""Compare two models: recipe, labels, features and weights, and where they label the same sentences differently.

Weights of two learners may be on different scales. So changes are compared after the weights of each model were divided
by their root mean square; what is shown are the weights themselves.
"""

from __future__ import annotations

import heapq
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple, TypeVar

from perceptag.evaluation import Comparison, compare
from perceptag.inspecting.regions import Region, regions, units
from perceptag.labels.schemes import Span, detect_scheme
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


BETTER, WORSE, UNCLEAR = "better", "worse", "neither right"


class Changed(NamedTuple):
    """Tokens `start` to `end` of a sentence with other labels, and what is right there if that is known."""

    sentence: int
    start: int
    end: int
    a: tuple[Span, ...]
    b: tuple[Span, ...]
    right: tuple[Span, ...] | None
    verdict: str  # empty if it is not known what is right


@dataclass(frozen=True, slots=True)
class LabelDiff:
    """All changes; with the right labels also how many are better and worse, and a paired test."""

    sentences: int
    tokens: int
    unit: str  # spans or tokens
    changed: list[Changed]
    pairs: list[tuple[str, str, int]]  # label of a, label of b, times
    verdicts: dict[str, int]
    comparison: Comparison | None

    def to_dict(self) -> dict[str, Any]:
        """A dictionary for JSON."""
        return {
            "sentences": self.sentences,
            "tokens": self.tokens,
            "unit": self.unit,
            "changes": len(self.changed),
            "verdicts": self.verdicts,
            "pairs": [{"a": a, "b": b, "times": times} for a, b, times in self.pairs],
            "comparison": self.comparison.to_dict() if self.comparison else None,
            "changed": [_as_dict(changed) for changed in self.changed],
        }


def diff_labels(
    a: Sequence[Sequence[str]],
    b: Sequence[Sequence[str]],
    gold: Sequence[Sequence[str]] | None = None,
    *,
    seed: int = 0,
) -> LabelDiff:
    """Compare the labels of two models; `gold` are the right ones, if they are known."""
    of_spans = detect_scheme(a if gold is None else gold) != "none"
    read = [_units(labels, of_spans) for labels in (a, b, *([] if gold is None else [gold]))]
    changed = [
        _changed(n, region, read[2][n] if gold is not None else None)
        for n, (mine, other) in enumerate(zip(read[0], read[1], strict=True))
        for region in regions(mine, other)
    ]
    pairs = Counter((_names(change.a), _names(change.b)) for change in changed)
    verdicts = Counter(change.verdict for change in changed if change.verdict)
    return LabelDiff(
        sentences=len(a),
        tokens=sum(map(len, a)),
        unit="spans" if of_spans else "tokens",
        changed=changed,
        pairs=sorted(((*pair, times) for pair, times in pairs.items()), key=lambda row: (-row[2], row)),
        verdicts={} if gold is None else {name: verdicts[name] for name in (BETTER, WORSE, UNCLEAR)},
        comparison=None if gold is None else compare(gold, a, b, seed=seed),
    )


def _units(labels: Sequence[Sequence[str]], of_spans: bool) -> list[list[Span]]:
    scheme = detect_scheme(labels) if of_spans else "none"
    return [units(sentence, "IOB2" if of_spans and scheme == "none" else scheme) for sentence in labels]


def _changed(sentence: int, region: Region, gold: Sequence[Span] | None) -> Changed:
    place = sentence, region.start, region.end, region.given, region.suggested
    if gold is None:
        return Changed(*place, None, "")
    right = tuple(span for span in gold if span.start < region.end and region.start < span.end)
    sides = [set(side) == set(right) for side in (region.given, region.suggested)]
    return Changed(*place, right, BETTER if sides[1] else WORSE if sides[0] else UNCLEAR)


def _names(spans: Sequence[Span]) -> str:
    return " ".join(span.label for span in spans) or "O"


def _as_dict(changed: Changed) -> dict[str, Any]:
    sides = {"a": changed.a, "b": changed.b, "right": changed.right}
    listed = {name: None if side is None else [asdict(span) for span in side] for name, side in sides.items()}
    return (
        {"sentence": changed.sentence, "start": changed.start, "end": changed.end}
        | listed
        | {"verdict": changed.verdict}
    )
