"""The tagger: train it, tag with it, ask it why.

>>> X = [["the", "dog", "barks"], ["a", "cat", "sleeps"]]
>>> y = [["DT", "NN", "VBZ"], ["DT", "NN", "VBZ"]]
>>> tagger = Tagger(recipe="collins-pos", epochs=3).fit(X, y)
>>> tagger.predict([["the", "cat", "barks"]])
[['DT', 'NN', 'VBZ']]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from perceptag import modelfile
from perceptag.compiled import Compiled, compile_model
from perceptag.dataset import as_sentences, with_labels
from perceptag.errors import SettingError
from perceptag.evaluate import Report, evaluate
from perceptag.features.attributes import Attribute
from perceptag.labels import Span, spans
from perceptag.model import Model
from perceptag.recipe import Recipe, load
from perceptag.text.sentence import Sentence
from perceptag.train import Training
from perceptag.usercode import attributes_of

LABEL_COLUMN = "label"
_OWN = ("recipe", "attributes", "allow_code", "threads")  # arguments that are not keys of the recipe


class Tagger:
    """A sequence labeller with the manners of a scikit-learn estimator.

    Parameters
    ----------
    recipe : name of a shipped recipe, path of a recipe file, or a `Recipe`
    attributes : functions of your own that templates may name, ``{"name": function}``
    allow_code : import the functions that the recipe or the model names as ``name=module:function``
    threads : how many threads tagging may use
    overrides : any key of the recipe, e.g. ``epochs=5``; ``labels_keep`` stands for ``labels.keep``

    A trained tagger is read-only and may be shared by any number of threads.
    """

    def __init__(
        self,
        recipe: str | Recipe = "collins-pos",
        *,
        attributes: Mapping[str, Attribute] | None = None,
        allow_code: bool = False,
        threads: int = 1,
        **overrides: Any,
    ) -> None:
        self.recipe = recipe
        self.attributes = attributes
        self.allow_code = allow_code
        self.threads = threads
        self.overrides = overrides

    # --- scikit-learn's conventions ---

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002 - scikit-learn passes it
        """The arguments of the constructor."""
        return {name: getattr(self, name) for name in _OWN} | self.overrides

    def set_params(self, **params: Any) -> Tagger:
        """Change arguments of the constructor; the next `fit` uses them."""
        for name in _OWN:
            if name in params:
                setattr(self, name, params.pop(name))
        self.overrides = {**self.overrides, **params}
        self._recipe()
        return self

    def _recipe(self) -> Recipe:
        base = self.recipe if isinstance(self.recipe, Recipe) else load(self.recipe)
        return base.replace(self.overrides)

    def fit(
        self,
        X: Iterable[object],
        y: Sequence[Sequence[str]] | None = None,
        *,
        dev: tuple[Iterable[object], Sequence[Sequence[str]]] | list[Sentence] | None = None,
    ) -> Tagger:
        """Train on token lists `X` with label lists `y`, or on sentences that have a label column.

        With `dev` the best pass is kept, otherwise the last one.
        """
        recipe = self._recipe()
        if y is not None and not recipe.labels_column:
            recipe = recipe.replace({"labels.column": LABEL_COLUMN})
        train = _labelled(X, y, recipe)
        heldout = _labelled(dev[0], dev[1], recipe) if isinstance(dev, tuple) else dev
        attributes = attributes_of(recipe, self.attributes, allow_code=self.allow_code)
        training = Training(recipe, train, heldout, threads=self.threads, attributes=attributes)
        for _ in training.run():
            pass  # reports are for those who ask: `perceptag.train.Training`
        self._set_model(training.model())
        return self

    def _set_model(self, model: Model) -> None:
        self.model_ = model
        self._compiled = compile_model(model, attributes_of(model.recipe, self.attributes, allow_code=self.allow_code))

    def _ready(self) -> Compiled:
        if not hasattr(self, "model_"):
            raise SettingError("this tagger has no model yet: call fit() first, or Tagger.load()")
        return self._compiled

    # --- using it ---

    @property
    def labels_(self) -> list[str]:
        """The labels of the model."""
        self._ready()
        return list(self.model_.labelling.names)

    def predict(self, X: Iterable[object]) -> list[list[str]]:
        """Label lists for token lists (or sentences with all columns that the model looks at)."""
        return self._ready().tag(as_sentences(X), self.threads)

    def predict_spans(self, X: Iterable[object]) -> list[list[Span]]:
        """Spans (start, end, label) of each sentence."""
        labels = self.predict(X)
        scheme = self.model_.labelling.outer
        if scheme == "none":
            raise SettingError("the labels of this model are not spans")
        return [spans(sentence, scheme) for sentence in labels]

    def evaluate(self, X: Iterable[object], y: Sequence[Sequence[str]]) -> Report:
        """Tag `X` and compare with `y`: accuracy, spans, known and unknown words, interval."""
        sentences = as_sentences(X)
        predicted = self._ready().tag(sentences, self.threads)
        return evaluate(y, predicted, tokens=[s.tokens for s in sentences], known=self._compiled.known_words())

    def score(self, X: Iterable[object], y: Sequence[Sequence[str]]) -> float:
        """F1 of spans, or accuracy where the labels are no spans; from 0 to 1, as scikit-learn wants it."""
        predicted = self.predict(X)
        return evaluate(y, predicted, bootstrap=0).main_score[1] / 100

    def explain(self, tokens: object) -> Any:
        """Why these labels: what each feature contributes, and the margin to the best rival."""
        return self._ready().explain(as_sentences([tokens])[0])

    def save(self, path: str) -> str:
        """Write the model to a file, whole or not at all; return its SHA-256."""
        self._ready()
        return modelfile.save(self.model_, str(path))

    @classmethod
    def load(
        cls,
        path: str,
        *,
        attributes: Mapping[str, Attribute] | None = None,
        allow_code: bool = False,
        threads: int = 1,
    ) -> Tagger:
        """Read a model file. Nothing in it is run.

        If the model names functions of your own, give them as `attributes`, or let them be imported: `allow_code`.
        """
        model = modelfile.load(str(path))
        tagger = cls(model.recipe, attributes=attributes, allow_code=allow_code, threads=threads)
        tagger._set_model(model)
        return tagger


def _labelled(X: Iterable[object], y: Sequence[Sequence[str]] | None, recipe: Recipe) -> list[Sentence]:
    sentences = as_sentences(X)
    return sentences if y is None else with_labels(sentences, y, recipe.labels_column)
