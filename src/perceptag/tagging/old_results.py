"""Forget what an earlier `tag` wrote about labels that are now replaced: their confidence, the n best, the spans."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from perceptag.text.conllu import CONFIDENCE, with_feature
from perceptag.text.jsonl import JsonLayout
from perceptag.text.parquet_layout import ParquetLayout
from perceptag.text.sentence import Sentence


def without_old_results(sentence: Sentence, names: Collection[str], rewritten: Collection[str] = ()) -> Sentence:
    """Return the sentence without what describes the labels of these columns, if it has such labels.

    Keys that are `rewritten` stay: their new values have the same place.
    """
    misc = sentence.columns.get("misc", [])
    if any(CONFIDENCE in value for value in misc):
        marks = tuple(f"{name.upper()}=" for name in names)
        is_old = any(part.startswith(marks) for value in misc for part in value.split("|"))
        if is_old or any(set(sentence.columns.get(name, "_")) != {"_"} for name in names):
            sentence = with_feature(sentence, CONFIDENCE, [None] * len(sentence))
    layout = sentence.layout
    if not isinstance(layout, JsonLayout | ParquetLayout) or not layout.record:
        return sentence
    if sentence.columns.keys().isdisjoint(names):
        return sentence
    old = _OLD.keys() - rewritten
    kept = {key: value for key, value in layout.record.items() if key not in old or not _OLD[key](value)}
    if "spans" in kept and "spans" not in rewritten and _are_spans(kept["spans"]):
        kept["spans"] = [span for span in kept["spans"] if span.get("layer") not in (None, *names)]
        if not kept["spans"]:
            del kept["spans"]
    return sentence if kept == layout.record else replace(sentence, layout=replace(layout, record=kept))


def _are_figures(value: object) -> bool:
    return isinstance(value, list) and all(one is None or isinstance(one, float | int) for one in value)


def _are_labellings(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, Mapping) and "labels" in one for one in value)


def _are_spans(value: object) -> bool:
    """Return whether `tag` wrote these spans; those of others stay."""
    return isinstance(value, list) and all(isinstance(s, Mapping) and s.keys() & {"layer", "confidence"} for s in value)


_OLD: dict[str, Any] = {"confidence": _are_figures, "nbest": _are_labellings}
