"""Data and functions that the tests of training share."""

from __future__ import annotations

from perceptag.training.train import Training


def go_on(model, sentences, **settings):
    """Return a run that continues from a model with its own recipe, and some keys changed."""
    training = Training(model.recipe.replace(settings), sentences, start=model)
    for _ in training.run():
        pass
    return training
