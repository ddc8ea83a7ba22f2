"""Training data with a column that a model predicts, as it will be when a pipeline runs (jackknifing).

A model that reads the labels of another must learn from labels with mistakes in them, since it will be given such. A
model hardly makes mistakes on its own training data. So the data is cut into folds by documents, the recipe of the
lower model is trained on all folds but one, and that model labels the fold: no sentence is labelled by a model that
has seen it. Dev data is labelled by the lower model itself, which must not have been trained on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from perceptag.arrays import whole_number
from perceptag.errors import DataError, ModelError, SettingError, brief
from perceptag.features.attributes import Attribute
from perceptag.features.user_functions import UserFeature
from perceptag.models.kinds import RULED, TOKENIZER, make_ready
from perceptag.models.model import Model
from perceptag.models.model_classes import model_classes
from perceptag.models.model_file import to_bytes
from perceptag.recipe.recipe import Recipe
from perceptag.text.inputs import as_sentences
from perceptag.text.sentence import Sentence
from perceptag.training.cross_validation import Folds, Sentences, cross_val_predict
from perceptag.training.fit import Code, Say, make_plan, say_nothing
from perceptag.training.places import HERE, place_for

FOLDS = 5


@dataclass(frozen=True)
class LowerLayer:
    """A model whose labels another one reads, and the column that takes them; by default the one it was trained on."""

    model: Model
    name: str = ""
    attributes: Mapping[str, Attribute] = field(default_factory=dict)  # the user's code that it names
    functions: Mapping[str, UserFeature] = field(default_factory=dict)

    @property
    def column(self) -> str:
        """The column that takes its labels."""
        return self.name or self.model.label_set.column

    def facts(self, folds: int) -> dict[str, object]:
        """What the manifest of a model that was trained on its labels says about it."""
        return {"name": self.column, "sha256": to_bytes(self.model)[1], "folds": folds}

    def predict(self, sentences: Sentences, threads: int) -> list[list[str]]:
        """Its own labels of sentences that it was not trained on."""
        return make_ready(self.model, self.attributes, self.functions).tag(sentences, threads)

    def predict_without(self, train: Sentences, held_out: Sentences, gold: str, threads: int) -> list[list[str]]:
        """The labels that its recipe gives to sentences after training on others."""
        own = model_classes(self.model)  # their file may be gone
        code = Code(self.attributes, self.functions)
        plan = make_plan(self._recipe(gold), code=code, classes=own, threads=threads, settles=False)
        return make_ready(plan.train(train).model(), self.attributes, self.functions).tag(held_out, threads)

    def _recipe(self, gold: str) -> Recipe:
        """Its recipe, for as many passes as became the model."""
        passes = self.model.manifest.get("best_epoch")
        changed: dict[str, object] = {"labels.column": gold}
        if isinstance(passes, int) and passes > 0:
            changed["epochs"] = passes
        return self.model.recipe.replace(changed)


def with_predicted(
    layers: Sequence[LowerLayer],
    train: Sentences,
    dev: Sentences | None = None,
    *,
    folds: int = FOLDS,
    threads: int = 1,
    note: Callable[[str], None] | None = None,
) -> tuple[list[Sentence], list[Sentence] | None]:
    """Return copies of training and dev data whose columns of these layers are predicted, one layer after the other.

    The training data must have the gold labels of each layer, in the column that the model learned or in its own.
    Several `threads` train on several folds at the same time.
    """
    folds = whole_number("folds", folds, 2, 1000)
    for layer in layers if isinstance(layers, Iterable) else [layers]:
        if not isinstance(layer, LowerLayer):
            raise SettingError(f"layers: expected a list of LowerLayer(tagger.model_), found {brief(layer)}")
    threads = whole_number("threads", threads, 1)
    say = note or say_nothing
    train, heldout = as_sentences(train), None if dev is None else as_sentences(dev)
    for layer in layers:
        gold = _gold_column(layer, train)
        say(f"layer {layer.column}: predicted on {folds} folds by {layer.model.recipe.name or 'its recipe'}")
        train = with_column(train, layer.column, _predicted(layer, gold, Folds(train, folds), threads, say))
        if heldout is not None:
            heldout = with_column(heldout, layer.column, layer.predict(heldout, threads))
    return train, heldout


def _predicted(layer: LowerLayer, gold: str, folds: Folds, threads: int, note: Say) -> list[list[str]]:
    """The labels of all training sentences, each by a model that has not seen it."""
    if any(not others for others, _ in folds.pairs):
        raise DataError(f"layer {layer.column!r}: expected 2 sentences or more to cut into folds, found 1")
    given = {"attributes": layer.attributes, "functions": layer.functions}
    place = place_for(layer.model.recipe, folds.sentences, given, min(threads, folds.k), note)
    fit_predict = partial(layer.predict_without, gold=gold, threads=threads if place is HERE else 1)
    return cross_val_predict(fit_predict, folds, place)


def _gold_column(layer: LowerLayer, train: Sentences) -> str:
    """The column with the labels that the layer learned."""
    if layer.model.facts.get("kind") == TOKENIZER:
        raise ModelError(f"layer {layer.column!r}: expected a model that tags, found a tokeniser")
    if layer.model.facts.get("kind") == RULED:
        raise ModelError(f"layer {layer.column!r}: expected a model without rules, since its recipe is trained again")
    own = layer.model.label_set.column
    columns = train[0].columns if train else {}
    for column in (own, layer.column):
        if column in columns:
            return column
    raise DataError(
        f"layer {layer.column!r}: expected its gold labels in column {own!r}, to train it on parts of the data; "
        f"found {', '.join(columns)}",
        train[0].where() if train else "train",
    )


def with_column(sentences: Sentences, name: str, labels: Sequence[list[str]]) -> list[Sentence]:
    """Return sentences with a further column, or with another one of this name."""
    return [replace(s, columns={**s.columns, name: y}) for s, y in zip(sentences, labels, strict=True)]
