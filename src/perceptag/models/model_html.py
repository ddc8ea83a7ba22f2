"""Models as notebooks show them: what they label, what they were trained on, their size and their figures."""

from __future__ import annotations

from collections.abc import Sequence

from perceptag.models.model import Model, dev_score, number_of_features, number_of_weights
from perceptag.models.training_curve import training_curve
from perceptag.system.html import tables_html
from perceptag.system.label_colours import kind_of
from perceptag.system.plural import plural
from perceptag.system.table import Table

LABELS = 24  # that are listed


def tagger_html(title: str, model: Model, reads: Sequence[str]) -> str:
    """Return the facts of a model and the curve of its training; `reads` are the columns that it needs."""
    table = Table(["", title])
    for name, fact in facts_of(model, reads).items():
        if fact:
            table.add(name, fact)
    passes, kept = model.manifest.get("curve", []), model.manifest.get("weights", "kept")
    return tables_html([("", table)]) + training_curve(passes, score_name(model), kept)


def layers_html(title: str, layers: Sequence[tuple[str, Model, Sequence[str]]]) -> str:
    """Return a table of the layers of a pipeline: name, model, and the columns that it needs."""
    rows = {name: facts_of(model, reads) for name, model, reads in layers}
    heads = [head for head in next(iter(rows.values())) if any(facts[head] for facts in rows.values())]
    table = Table(["layer", *heads])
    for name, facts in rows.items():
        table.add(name, *(facts[head] for head in heads))
    return tables_html([(title, table)])


def score_name(model: Model) -> str:
    """Return the name of the score to watch."""
    return "accuracy" if model.label_set.outer == "none" else "F1"


def facts_of(model: Model, reads: Sequence[str]) -> dict[str, str]:
    """Return what is known of a model, in the order in which it is shown; empty where nothing is known."""
    score, features = dev_score(model), number_of_features(model)
    return {
        "recipe": model.recipe.name or str(model.facts.get("kind", "")),
        "reads": ", ".join(reads),
        "labels": _labels(model),
        "trained on": _data(model, "train"),
        "dev data": _data(model, "dev"),
        "dev score": "" if score is None else f"{score_name(model)} {score:.2f} %",
        "size": f"{plural(features, 'feature', ',')}, {number_of_weights(model):,} weights" if features else "",
        "confidence": "calibrated" if model.is_calibrated else "",
    }


def _labels(model: Model) -> str:
    """Return the labels, or the kinds of the spans that they mark."""
    label_set = model.label_set
    of_spans = label_set.outer != "none"
    names = sorted({kind_of(name) for name in label_set.names} - {"O"}) if of_spans else label_set.names
    listed = f"{' '.join(names[:LABELS])}{' …' if len(names) > LABELS else ''}"
    return f"{len(names):,}{' kinds of spans' if of_spans else ''}: {listed}"


def _data(model: Model, part: str) -> str:
    data = model.manifest.get(part)
    if not isinstance(data, dict):
        return ""
    unit = "character" if model.recipe.unit == "text" else "token"
    return f"{plural(data['sentences'], 'sentence', ',')}, {plural(data['tokens'], unit, ',')}"
