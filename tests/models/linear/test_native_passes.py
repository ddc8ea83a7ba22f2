"""Passes in C++ are those of the loops in Python: the same model, bit for bit, and the same counts."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from perceptag import Sentence, Tagger, _core
from perceptag.learn.learner import Errors
from perceptag.models import model_file as modelfile
from perceptag.models import trainer as loops
from perceptag.models.linear import trainer
from toys import make_recipe, random_corpus

TEMPLATES = ("form[-1]", "form[0]", "suffix2[0]", "bias * y-1 y0", "form[0] * y-1 y0")
SETTINGS: dict[str, dict[str, Any]] = {
    "perceptron": {"learner": "perceptron"},
    "shuffled, last weights": {"learner": "perceptron", "shuffle": True, "weights": "last"},
    "voted": {"learner": "perceptron", "weights": "voted"},
    "tag dictionary": {"learner": "perceptron", "tag_dictionary": 2},
    "margin": {"learner": "margin", "margin": 3},
    "no margin": {"learner": "margin", "margin": 0},
    "bpm": {"learner": "margin", "margin": 2, "bpm": 3, "shuffle": True},
}


def trained(settings: dict[str, Any], train: list[Sentence], native: bool, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the file of a model, and the errors of every pass."""
    found: list[Errors] = []

    def run(*given: Any, **named: Any) -> Errors:
        errors = loops.run_loop(*given, **{**named, "native": native})
        found.append(Errors(errors.sequences, errors.labels))
        return errors

    monkeypatch.setattr(trainer, "run_loop", run)
    tagger = Tagger(make_recipe(templates=TEMPLATES, epochs=3, **{"labels.column": "label"}, **settings)).fit(train)
    return modelfile.to_bytes(tagger.model_)[0], found


@pytest.mark.parametrize("name", SETTINGS)
def test_native_passes_are_the_plain_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = functools.partial(trained, SETTINGS[name], random_corpus(1, sentences=300), monkeypatch=monkeypatch)
    assert run(native=True) == run(native=False)


def test_what_is_not_a_sequence_is_refused() -> None:
    weights = _core.Weights(2, False, False)
    with pytest.raises(ValueError, match="expected sequences, found None"):
        _core.perceptron_pass(weights, [None])
    with pytest.raises(ValueError, match="expected numbers"):
        _core.margin_pass(weights, [], float("nan"), 1.0)
