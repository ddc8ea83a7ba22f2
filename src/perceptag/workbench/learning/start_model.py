"""A model to start from: its labels are a column that the model of the project looks at.

Until the project has a model of its own, its labels are the proposals, if they are labels of the project. What tags
with the model of the project needs the same column: it comes from the last layer of `Start.pipeline`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

from perceptag.pipeline.installed import load
from perceptag.pipeline.layers import Layer
from perceptag.pipeline.pipeline import Pipeline
from perceptag.workbench.learning.messages import Text
from perceptag.workbench.learning.recipes import SPANS, START


class Start:
    """A pipeline up to the layer whose labels are used."""

    def __init__(self, pipeline: Pipeline, kind: str, layer: str = "") -> None:
        self.pipeline = pipeline.upto(layer or _last_of(pipeline, kind))
        self.kind = kind

    @classmethod
    def load(cls, name: str, kind: str) -> Start:
        """Load a model by its file or name; ``en:ner`` names one of its layers."""
        path, colon, layer = name.rpartition(":")
        if colon and not Path(name).exists():
            return cls(load(path), kind, layer)
        return cls(load(name), kind)

    @property
    def layer(self) -> Layer:
        """The layer whose labels are used."""
        return self.pipeline.top

    def add(self, texts: Sequence[Text]) -> list[Text]:
        """Return sentences with its labels, as it writes them, as a further column."""
        tagged = self.pipeline.tag([text.sentence() for text in texts])
        return [
            dataclasses.replace(text, columns={**text.columns, START: sentence.columns[self.layer.name]})
            for text, sentence in zip(texts, tagged, strict=True)
        ]


def _last_of(pipeline: Pipeline, kind: str) -> str:
    """Return the last layer with labels of this kind, or else the last layer."""
    fitting = [layer.name for layer in pipeline.layers if (layer.scheme == "none") != (kind == SPANS)]
    return (fitting or [pipeline.top.name])[-1]
