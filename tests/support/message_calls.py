"""Calls for the table of messages: what is made of a mistake in Python."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable
from typing import Any

from perceptag import PerceptagError, Recipe, Sentence, Tagger
from perceptag.training.train import Training
from toys import make_recipe

Row = tuple[Callable[[], object], str]


def of(function: Callable[..., object], *given: object, **named: object) -> Callable[[], object]:
    """Return a call with these arguments."""
    return lambda: function(*given, **named)


def fit(recipe: str | Recipe, X: object, y: object = None, dev: object = None, **settings: object) -> Any:
    """Return a short training by a recipe."""

    def train() -> object:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return Tagger(recipe, **{"epochs": 1} | settings).fit(X, y, dev=dev)  # type: ignore[arg-type]

    return train


def train(sentences: list[Sentence], **settings: object) -> Callable[[], object]:
    """Return the beginning of a training with these settings on sentences with a column of labels."""
    return lambda: Training(make_recipe(**settings), sentences)


def _checked(call: Callable[[], object]) -> Callable[[], object]:
    """Return the call; an error that is not perceptag's own says nothing of the mistake."""

    def made() -> object:
        try:
            return call()
        except PerceptagError:
            raise
        except Exception as error:
            raise AssertionError(type(error)) from error

    return made


def checked(rows: Iterable[Row]) -> list[Row]:
    """Return the rows; only errors of perceptag pass."""
    return [(_checked(call), text) for call, text in rows]
