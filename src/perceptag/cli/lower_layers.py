"""``perceptag train --layer``: columns that a lower model predicts."""

from __future__ import annotations

from pathlib import Path

from perceptag.errors import ModelError, SettingError, at_place
from perceptag.models import model_file as modelfile
from perceptag.recipe.usercode import attributes_of, functions_of, with_learner
from perceptag.training.jackknife import LowerLayer


def name_and_path(word: str) -> tuple[str, str]:
    """The two parts of ``name=file``; the name is empty if there is none."""
    name, equals, path = word.partition("=")
    return (name, path) if equals and not Path(word).exists() else ("", word)


def open_layer(word: str, *, allow_code: bool) -> LowerLayer:
    """Read the model that ``--layer`` names."""
    name, path = name_and_path(word)
    model = modelfile.load(path)
    try:
        model.recipe = with_learner(model.recipe, allow_code=allow_code)
        attributes = attributes_of(model.recipe, allow_code=allow_code)
        return LowerLayer(model, name, attributes, functions_of(model.recipe, allow_code=allow_code))
    except (ModelError, SettingError) as error:
        raise at_place(error, f"--layer: {path}") from error
