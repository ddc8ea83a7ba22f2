"""The recipe of the loop: a model that is trained in a fraction of a second, again and again.

First order, averaged weights, words and their spelling, and no choices that need folds of their own. A slower recipe
gives a better model of the same labels: `perceptag train` on what the project exports.

A model to start from (`Start`) gives a column that the model of the project looks at. Until the project has a model of
its own, its labels are the proposals, if they are labels of the project. What tags
with the model of the project needs the same column: it comes from the last layer of `Start.pipeline`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

from perceptag.errors import SettingError, brief
from perceptag.features.attributes import is_known
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.gazetteer import COLUMNS as LISTS
from perceptag.features.template import is_name
from perceptag.pipeline.layers import Layer
from perceptag.pipeline.loading import load as load_pipeline
from perceptag.pipeline.pipeline import Pipeline
from perceptag.recipe.recipe import Recipe, load
from perceptag.recipe.survey import CHUNKS, TAGS, survey
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.messages import COLUMN, Text

SPANS, TAGS_OF_TOKENS = "spans", "tags"
KINDS = (SPANS, TAGS_OF_TOKENS)
START = "start"  # the column with the labels of the model that the project started from
_CLASSES = ("classN[-1..1]", "classN[-1] classN[0]", "classN[0] classN[1]")
_BY_KIND: dict[str, tuple[str, dict[str, object]]] = {
    SPANS: ("basic-ner", {"learner": "margin", "margin": 10.0, "epochs": 8}),
    TAGS_OF_TOKENS: ("pos", {"margin": 10.0, "epochs": 4, "support": "gold", "labels.scheme": "none"}),
}
_ALWAYS = {"weights": "averaged", "recall": 0.0, "inner_folds": 0, "shuffle": False}


def loop_recipe(
    kind: str,
    columns: Sequence[str] = (),
    classes: str = "",
    settings: Mapping[str, object] | None = None,
    label: str = COLUMN,
) -> Recipe:
    """Return the recipe for spans or tags. `columns`: further ones to look at; `classes`: a file of word classes.

    `settings` are the user's own, which override it. `label` is the column of the labels.
    """
    if kind not in KINDS:
        raise SettingError(f"kind: expected {' or '.join(KINDS)}, found {brief(kind)}")
    base, own = _BY_KIND[kind]
    recipe = load(base).replace(
        {**own, **_ALWAYS, "name": f"loop-{kind}", "labels.column": label, "add": _windows(columns)}
    )
    if classes:
        recipe = recipe.replace({"class_templates": recipe.class_templates or _CLASSES, "classes": classes})
    return recipe.replace(settings or {})


def _windows(columns: Sequence[str]) -> list[str]:
    return [t for c in columns for t in (f"{c}[-2..2]", f"{c}[-1] {c}[0]", f"{c}[0] {c}[1]", f"form[0] {c}[0]")]


def usable_columns(sentences: Sequence[Sentence]) -> list[str]:
    """Return the columns besides the words that hold tags or chunks and that templates can look at."""
    if not sentences:
        return []
    marked = [Sentence({**s.columns, COLUMN: ["O"] * len(s)}) for s in sentences]
    found = survey(marked, COLUMN).columns
    return [c for c, kind in found.items() if kind in (TAGS, CHUNKS) and _has_a_good_name(c, list(found))]


def _has_a_good_name(column: str, columns: Sequence[str]) -> bool:
    computed = (*DOCUMENT_COLUMNS, *LISTS)
    return column not in computed and not is_known(column) and is_name(column, ["form", *columns])


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
            return cls(load_pipeline(path), kind, layer)
        return cls(load_pipeline(name), kind)

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
