"""A model in a few words: its sizes, and how good it was on dev data."""

from __future__ import annotations

from perceptag.store.model import Model


def number_of_features(model: Model) -> int:
    """How many features a model has."""
    return sum(len(array) for name, array in model.arrays.items() if name.startswith(("rows.", "keys.")))


def dev_score(model: Model) -> float | None:
    """The dev score of the pass that became the model, in per cent; None if there was no dev data."""
    score = model.manifest.get("dev_score")  # models of 0.1.0 have only the curve
    if isinstance(score, float):
        return score
    best, curve = model.manifest.get("best_epoch"), model.manifest.get("curve")
    for report in curve if isinstance(curve, list) else []:
        if isinstance(report, dict) and report.get("epoch") == best and isinstance(report.get("dev_kept"), float):
            return float(report["dev_kept"])
    return None


def summary(model: Model) -> str:
    """Its recipe, the numbers of labels and features, and the dev score."""
    name = "accuracy" if model.label_set.outer == "none" else "F1"
    score = dev_score(model)
    parts = [
        f"recipe {model.recipe.name or 'without a name'}",
        f"{len(model.label_set.names)} labels",
        f"{number_of_features(model)} features",
        *([] if score is None else [f"dev {name} {score:.2f} %"]),
    ]
    return ", ".join(parts)
