"""Load pipelines by their files, or by the names of installed models."""

from __future__ import annotations

import os
from typing import Any

from perceptag.pipeline.installed import path_of
from perceptag.pipeline.pipeline import Pipeline
from perceptag.text.lines import checked_path


def load(
    model: str | os.PathLike[str],
    *,
    allow_code: bool = False,
    threads: int = 1,
) -> Pipeline:
    """Load a pipeline, or a model as a pipeline of one layer, by its file or by the name of an installed one."""
    path = path_of(checked_path(model, "model"))
    return Pipeline.load(path, allow_code=allow_code, threads=threads)


def as_pipeline(model: Any) -> Pipeline:
    """Return what users call a model as a pipeline: a pipeline, a tagger, a file, or the name of an installed model."""
    if isinstance(model, Pipeline):
        return model
    return load(model) if isinstance(model, (str, os.PathLike)) else Pipeline([model])
