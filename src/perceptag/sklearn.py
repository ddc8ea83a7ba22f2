"""The tagger as an estimator of scikit-learn, for pipelines, searches and tokens that are dictionaries of features.

    from perceptag.sklearn import PerceptagTagger

    crf = PerceptagTagger("crf").fit(X_train, y_train)  # X as sklearn-crfsuite takes it
    y_pred = crf.predict(X_test)

`perceptag.Tagger` needs no scikit-learn, and works with most of it. This class is a `BaseEstimator` in addition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from perceptag.corpus.dictionaries import Bins, with_features
from perceptag.corpus.inputs import as_sentences
from perceptag.errors import SettingError, brief
from perceptag.recipe import auto
from perceptag.recipe.auto import for_lists, takes_numbers
from perceptag.recipe.recipe import Recipe
from perceptag.store.model import Model
from perceptag.tagger import Tagger
from perceptag.text import feature_lists
from perceptag.text.sentence import Sentence
from perceptag.training.fit import Plan, Resolved
from perceptag.training.passes import Callback

__all__ = ["PerceptagTagger"]

_FEATURES = {"templates", "features", "crfpp"}  # settings by which a user says what the model looks at


class NotTrainedError(SettingError, NotFittedError):
    """The tagger has no model yet; an error of perceptag, and the one that scikit-learn expects."""


def _check_arguments(refused: Mapping[str, object]) -> None:
    """Refuse what `fit` does not take; what other estimators take gets a reason."""
    for name, value in refused.items():
        if name != "sample_weight":
            raise SettingError(f"fit: expected X, y, dev and callbacks, found {name}={brief(value)}")
        if value is not None:
            reason = "every sentence counts once; a sentence that is given twice counts twice"
            raise SettingError(f"sample_weight: expected None, found {brief(value)}: {reason}")


class PerceptagTagger(Tagger, BaseEstimator):
    """A `perceptag.Tagger` that is an estimator of scikit-learn.

    It takes all arguments of `Tagger`, keys of recipes among them. Tokens may also be dictionaries or lists of
    features, as in sklearn-crfsuite (`perceptag.corpus.dictionaries`). The model then looks at these features and at
    pairs of labels, whatever templates the recipe has; ``templates=`` overrides that.

    bins : borders for features that are numbers, a list for all of them or ``{"name": [0.25, 0.5]}``; without them, a
        number counts as often as it says, rounded to a multiple of 1/64, and must lie from -16 to 16
    """

    _takes_lists = False  # they may be lists of features
    _not_keys = (*Tagger._not_keys, "bins")

    def __init__(self, recipe: str | Recipe = auto.NAME, *, bins: Bins = None, **arguments: Any) -> None:
        super().__init__(recipe, **arguments)
        self.bins = bins

    def fit(
        self,
        X: Iterable[object],
        y: Sequence[Sequence[str]] | None = None,
        *,
        dev: Any = None,
        callbacks: Sequence[Callback] = (),
        **refused: Any,
    ) -> PerceptagTagger:
        """Train as `Tagger.fit` does. Weights of sentences, ``sample_weight``, are refused."""
        _check_arguments(refused)
        held = (self._training_sentences(dev[0]), dev[1]) if isinstance(dev, tuple) and len(dev) == 2 else dev
        super().fit(X, y, dev=held, callbacks=callbacks)
        return self

    def partial_fit(
        self, X: Iterable[object], y: Sequence[Sequence[str]] | None = None, *, callbacks: Sequence[Callback] = ()
    ) -> PerceptagTagger:
        """Continue from the model, if there is one, with all passes of the recipe over these sentences.

        New features and new labels start at zero. What was learned before is not forgotten at once, but nothing keeps
        it either: `docs/guide/recipes.md` says when to train again with all data.
        """
        given = self.warm_start
        self.warm_start = True
        try:
            return self.fit(X, y, callbacks=callbacks)
        finally:
            self.warm_start = given

    @property
    def classes_(self) -> list[str]:
        """The labels of the model."""
        return self.labels_

    def _sentences(self, X: Iterable[object]) -> list[Sentence]:
        return self._read(X, self.model_ if hasattr(self, "model_") else None)

    def _training_sentences(self, X: Iterable[object]) -> list[Sentence]:
        return self._read(X, self._start())

    def _read(self, X: Iterable[object], model: Model | None) -> list[Sentence]:
        are_expected = model is not None and feature_lists.COLUMN in model.columns
        take_numbers = model is None or takes_numbers(model.recipe)
        return as_sentences(with_features(X, self.bins, are_expected=are_expected, take_numbers=take_numbers))

    def _resolve(self, plan: Plan, train: Sequence[Sentence], column: str) -> Resolved:
        own = self._base().name != auto.NAME and not _FEATURES & self.overrides.keys()
        if own and feature_lists.are_in(train):
            numbers = takes_numbers(plan.start.recipe) if plan.start else feature_lists.have_amounts(train)
            plan = replace(plan, recipe=for_lists(plan.recipe, numbers))
        return super()._resolve(plan, train, column)

    def _check_model(self) -> None:
        if not hasattr(self, "model_"):
            raise NotTrainedError("this tagger has no model yet: call fit() first, or PerceptagTagger.load()")
