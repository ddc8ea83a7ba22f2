"""The tagger as an estimator of scikit-learn, for pipelines, searches and tokens that are dictionaries of features.

    from perceptag.sklearn import PerceptagTagger

    crf = PerceptagTagger("crf").fit(X_train, y_train)  # X as sklearn-crfsuite takes it
    y_pred = crf.predict(X_test)

`perceptag.Tagger` needs no scikit-learn, and works with most of it. This class is a `BaseEstimator` in addition.

Tokens may be dictionaries of features, as python-crfsuite and sklearn-crfsuite take them:

    {"word": "dog"}              the feature word:dog
    {"title": True}              the feature title; with False none
    {"length": 0.5}              the feature length, which counts 0.5; with 1 it is like True, with 0 like False
    {"window": ["a", "b"]}       the features window:a and window:b; a set means the same
    {"next": {"word": "barks"}}  the feature next:word:barks
    ["bias", "word=dog"]         the features bias and word=dog

Numbers count as multiples of 1/64 (`perceptag.text.feature_lists`). Bins make features of them that fire or do
not: with the bins 0.25 and 0.5, ``{"length": 0.4}`` has the feature length>=0.25, and 0.6 has length>=0.5 as well.

The core reads the most frequent tokens (`_core.join_features`). What it does not know, and every error, is left to the
functions here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.exceptions import NotFittedError

from perceptag._core import join_features
from perceptag.errors import DataError, SettingError, brief
from perceptag.models.model import Model
from perceptag.recipe import auto
from perceptag.recipe.auto import for_lists, takes_numbers
from perceptag.recipe.recipe import Recipe
from perceptag.tagger import Tagger
from perceptag.text import feature_lists
from perceptag.text.feature_lists import COLUMN, checked, joined
from perceptag.text.inputs import as_list, as_sentences, is_frame
from perceptag.text.sentence import Sentence
from perceptag.training.fit import Plan, Resolved
from perceptag.training.pass_table import Callback

__all__ = ["PerceptagTagger"]

_OF_CRFSUITE = {  # arguments of sklearn_crfsuite.CRF: what does the same here
    "c1": "crf.l1 is the same factor: PerceptagTagger('crf', crf_l1=0.1)",
    "c2": "crf.sigma2, the variance of the prior, is 1 / (2 c2): PerceptagTagger('crf', crf_sigma2=5.0)",
    "max_iterations": "epochs is the same number: PerceptagTagger('crf', epochs=100)",
    "algorithm": "the recipe says how to learn: PerceptagTagger('crf'), or ('pos'), ('pa'), ('arow')",
    "min_freq": "cutoff is the same number: PerceptagTagger('crf', cutoff=2)",
    "all_possible_transitions": "all pairs of labels are features anyway",
    "all_possible_states": "features are those that training has seen",
}
_FEATURES = {"templates", "features"}  # settings by which a user says what the model looks at


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
    features, as in sklearn-crfsuite (`perceptag.sklearn`). The model then looks at these features and at
    pairs of labels, whatever templates the recipe has; ``templates=`` overrides that.

    Parameters
    ----------
    bins : borders for features that are numbers, a list for all of them or ``{"name": [0.25, 0.5]}``; without them, a
        number counts as often as it says, rounded to a multiple of 1/64, and must lie from -16 to 16
    """

    _not_keys = (*Tagger._not_keys, "bins")

    def __init__(self, recipe: str | Recipe = auto.NAME, *, bins: Bins = None, **arguments: Any) -> None:
        for name in (name for name in arguments if name in _OF_CRFSUITE):
            raise SettingError(f"{name}: this is an argument of sklearn-crfsuite; {_OF_CRFSUITE[name]}")
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
        """The labels that `predict` may give, sorted."""
        return self.labels_

    def _tag_lists(self, X: list[Any]) -> list[list[str]] | None:
        if list(self.ready_model.reader.columns) != [COLUMN]:
            return super()._tag_lists(X)
        if self.bins is not None:
            return None
        return self.ready_model.tag_lists(X, self._threads(), takes_numbers(self.model_.recipe))

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


Bins = Mapping[str, Sequence[float]] | Sequence[float] | None
Counted = Iterator[tuple[str, float]]  # features, and what each counts


@dataclass(frozen=True, slots=True)
class Numbers:
    """What becomes of features that are numbers."""

    bins: Bins = None
    are_known: bool = True  # whether numbers other than 0 and 1 are features of the model


def with_features(
    X: Iterable[object], bins: Bins = None, *, are_expected: bool = False, take_numbers: bool = True
) -> list[object]:
    """Return the sentences; of those whose tokens are dictionaries or lists, a `Sentence` with a list of features.

    An empty sentence has such lists if others have, or if they are expected. Without `take_numbers`, those of the model
    fire or do not, and a number other than 0 and 1 is an error.

    >>> with_features([[{"word": "dog", "title": False}], ["The", "dog"]])[0].columns
    {'features': ['word:dog']}
    """
    numbers = Numbers(_checked_bins(bins), take_numbers)
    found = [_sentence(x, numbers, f"sentence {i}") for i, x in enumerate(as_list(X, "a list of sentences"))]
    if are_expected or any(isinstance(x, Sentence) and COLUMN in x.columns for x in found):
        return [Sentence({COLUMN: []}, f"sentence {i}") if x == [] else x for i, x in enumerate(found)]
    return found


def _sentence(x: Any, numbers: Numbers, where: str) -> object:
    if type(x) is list and x and numbers.bins is None:
        quick = join_features(x, numbers.are_known)
        if quick is not None:
            return Sentence({COLUMN: quick}, where)
    if isinstance(x, (Sentence, Mapping, str, bytes)) or not isinstance(x, Iterable) or is_frame(x):
        return x
    tokens = list(x) if not isinstance(x, Set) else x
    if not any(isinstance(token, (Mapping, list, tuple, Set)) for token in tokens):
        return tokens
    return Sentence({COLUMN: [_value(token, numbers, f"{where}, token {t}") for t, token in enumerate(tokens)]}, where)


def _value(token: object, numbers: Numbers, where: str) -> str:
    return joined(_features(token, numbers, where), where)


def _features(token: object, numbers: Numbers, where: str) -> Counted:
    """Yield the features of a token, or of what stands inside one, and what each counts."""
    if isinstance(token, Mapping):
        for name, value in token.items():
            yield from _of_entry(_text(name, where), value, numbers, where)
    elif isinstance(token, (list, tuple, Set)):
        ordered = sorted(_text(one, where) for one in token) if isinstance(token, Set) else token
        yield from ((_text(one, where), 1.0) for one in ordered)
    else:
        raise DataError(f"expected a dictionary or a list of features, found {brief(token)}", where)


def _of_entry(name: str, value: object, numbers: Numbers, where: str) -> Counted:
    if isinstance(value, str):
        yield f"{name}:{value}", 1.0
    elif isinstance(value, (Mapping, list, tuple, Set)):
        yield from ((f"{name}:{inner}", amount) for inner, amount in _features(value, numbers, where))
    elif isinstance(value, (bool, np.bool_)):
        yield name, float(value)
    elif isinstance(value, Real):
        yield from _of_number(name, value, numbers, where)
    else:
        expected = "a string, True, False, a number, a list or a dictionary"
        raise DataError(f"feature {name!r}: expected {expected}, found {brief(value)}", where)


def _of_number(name: str, given: Real, numbers: Numbers, where: str) -> Counted:
    try:
        value = float(given)
    except OverflowError:  # a whole number of hundreds of digits
        value = math.inf
    borders = numbers.bins.get(name) if isinstance(numbers.bins, Mapping) else numbers.bins
    if borders is not None and not math.isnan(value):
        yield from ((f"{name}>={_shown(border)}", 1.0) for border in borders if value >= border)
    elif numbers.are_known or value in (0, 1):
        yield name, checked(value, name, where)
    else:
        expected = "expected 0 or 1, as in the training data of this model"
        raise DataError(f"feature {name!r}: {expected}; found {value:g}", where)


def _text(name: object, where: str) -> str:
    if isinstance(name, str):
        return name
    raise DataError(f"feature: expected a string, found {brief(name)}", where)


def _checked_bins(bins: Bins) -> Bins:
    for borders in bins.values() if isinstance(bins, Mapping) else () if bins is None else [bins]:
        if (
            isinstance(borders, str)
            or not isinstance(borders, (Sequence, np.ndarray))
            or not all(map(_is_finite, borders))
        ):
            expected = "a list of numbers, or a dictionary of such lists"
            raise SettingError(f"bins: expected {expected}, found {brief(borders)}")
        names = [_shown(border) for border in borders]
        for twice in {name for name in names if names.count(name) > 1}:
            raise SettingError(f"bins: expected borders that differ in their first six digits, found {twice} twice")
    return bins


def _shown(border: float) -> str:
    """Return a border as it stands in the names of features."""
    return f"{border:g}"


def _is_finite(number: object) -> bool:
    return isinstance(number, Real) and not isinstance(number, bool) and math.isfinite(number)
