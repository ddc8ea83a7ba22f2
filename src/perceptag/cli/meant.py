"""Say what a word on a command line was probably meant to be: a model or training data without its option."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

_MODELS = (".model", ".pipeline")


def meant(word: str, missing: Collection[str]) -> str:
    """Return ``; did you mean --model en?`` for a word that fits one of the options that are missing."""
    if "--model" in missing and is_model(word):
        return f"; did you mean --model {word}?"
    if "--train" in missing and Path(word).exists():
        return f"; did you mean --train {word}?"
    return ""


def is_model(word: str) -> bool:
    """Return whether a word names a model: a file by its ending, or an installed model."""
    from perceptag.pipeline.installed import installed

    return is_model_name(word) or any(model.name == word for model in installed())


def is_model_name(path: str) -> bool:
    """Return whether the name of a file is that of a model."""
    return Path(path).suffix in _MODELS
