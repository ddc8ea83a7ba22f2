"""The model that a project began with: its labels are a column for the loop's model, and the first proposals."""

from __future__ import annotations

from collections.abc import Collection

from perceptag.errors import ModelError, SettingError
from perceptag.models.protocol import ReadyModel
from perceptag.pipeline.pipeline import Pipeline
from perceptag.server.served import written_labels
from perceptag.workbench.learning.examples import COLUMN
from perceptag.workbench.learning.recipes import START
from perceptag.workbench.learning.start import Start


def open_start(name: str, kind: str) -> Pipeline:
    """Load a model by ``en`` or ``en:ner``: a name or a file, and perhaps the layer to end with."""
    try:
        return Start.load(name, kind).pipeline
    except (SettingError, ModelError) as error:
        raise SettingError(f"--model {name}: {error}") from None


def on_top_of(start: Pipeline | None, ready: ReadyModel) -> Pipeline:
    """Return the loop's model as a pipeline: on top of the model that it reads a column of, if there is one."""
    if start is None or START not in ready.input_columns():
        return Pipeline({COLUMN: ready})
    named = {"tokens": start.tokenizer} if start.tokenizer is not None else {}
    below = {layer.name: layer.ready for layer in start.layers[:-1]}
    return Pipeline({**named, **below, START: start.top.ready, COLUMN: ready})


def fitting(start: Pipeline, kind: str, known: Collection[str]) -> frozenset[str] | None:
    """Return the labels of a project that a model may propose; None if its labels are of another kind."""
    labels = set(written_labels(start.top.ready.model.label_set))
    if (start.top.scheme == "none") != (kind == "tags"):
        return None
    if kind == "tags":
        return frozenset(known) if labels <= set(known) else None
    types = {label[2:] for label in labels if label != "O"} & set(known)
    return frozenset(types) if types else None
