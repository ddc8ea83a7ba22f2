"""Open a pipeline by its file or by its name."""

from __future__ import annotations

from perceptag.errors import ModelError, SettingError
from perceptag.pipeline.installed import path_of
from perceptag.pipeline.pipeline import Pipeline


def open_pipeline(model: str, *, allow_code: bool, layer: str = "") -> Pipeline:
    """Read a pipeline, or a model as a pipeline of one layer; with `layer`, only up to that layer. It must tag."""
    path = path_of(model)
    opened = Pipeline.load(path, allow_code=allow_code)
    if not opened.layers:
        raise ModelError(f"{path}: expected a model that tags, found a tokeniser; 'perceptag tokenize' uses it")
    try:
        return opened.upto(layer) if layer else opened
    except SettingError as error:
        raise SettingError(f"--{error}") from None
