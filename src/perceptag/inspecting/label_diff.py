"""Find where two models label the same sentences differently, and which of them is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from perceptag.evaluation import Comparison, compare
from perceptag.labels.schemes import Span, detect_scheme
from perceptag.review.regions import Region, regions, units

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
