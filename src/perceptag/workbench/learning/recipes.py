"""The recipe of the loop: a model that is trained in a fraction of a second, again and again.

First order, averaged weights, words and their spelling, and no choices that need folds of their own. A slower recipe
gives a better model of the same labels: `perceptag train` on what the project exports.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from perceptag.corpus.survey import CHUNKS, TAGS, survey
from perceptag.errors import SettingError, brief
from perceptag.features.attributes import is_known
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.gazetteer import COLUMN as LISTS
from perceptag.features.template import is_name
from perceptag.recipe.recipe import Recipe, load
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.messages import COLUMN

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
    computed = (*DOCUMENT_COLUMNS, LISTS)
    return column not in computed and not is_known(column) and is_name(column, ["form", *columns])
