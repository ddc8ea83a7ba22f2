"""The figures of the CoNLL 2018 shared task for a pipeline, from raw text and from gold tokens."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from perceptag.building.names import AS_WRITTEN, NAMES, NamesData, measure_names
from perceptag.evaluation.shared_task import compared, is_right
from perceptag.pipeline.pipeline import Pipeline
from perceptag.text.sentence import Sentence

RAW, GOLD = "raw text", "gold tokens"
METRICS = ("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "Names")

Figures = dict[str, dict[str, float]]  # by input and metric: F1, or accuracy where the tokens are given, in per cent


def measure(pipeline: Pipeline, gold: Sequence[Sentence], names: NamesData | None = None) -> Figures:
    """Return the figures of a pipeline on a treebank, and on sentences with names in several cases."""
    raw = pipeline.evaluate(gold, shared_task=True).counts
    named = {name if name in METRICS else name.capitalize(): round(counts.f1, 2) for name, counts in raw.items()}
    found = {RAW: named, GOLD: _on_gold_tokens(pipeline, gold)}
    for case, f1 in (measure_names(pipeline.models[NAMES], names) if names else {}).items():
        found.setdefault(GOLD if case == AS_WRITTEN else f"gold tokens, {case}", {})["Names"] = f1
    return found


def _on_gold_tokens(pipeline: Pipeline, gold: Sequence[Sentence]) -> dict[str, float]:
    names = [name for name in pipeline.names if any(v != "_" for s in gold for v in s.columns.get(name, ()))]
    expected, found = (
        compared({name: list(chain.from_iterable(s.columns[name] for s in sentences)) for name in names})
        for sentences in (gold, pipeline.tag(gold))
    )
    return {metric: _share(metric, expected[metric], found[metric]) for metric in expected}


def _share(metric: str, gold: Sequence[str], found: Sequence[str]) -> float:
    right = sum(is_right(metric, a, b) for a, b in zip(gold, found, strict=True))
    return round(100 * right / len(gold), 2)
