"""Learners that are not perceptag's, with features of whole documents: what one scope is follows from their problem."""

from __future__ import annotations

import dataclasses

import pytest

from document_toys import corpus, document_recipe
from perceptag import Sentence
from perceptag.learn import catalogue
from perceptag.models import model_file as modelfile
from perceptag.models.kinds import make_ready
from perceptag.models.model import Model
from perceptag.training.train import Training


def model_of(name: str, learner: object) -> Model:
    """A model that was written and read again, by the recipe of one of perceptag's learners."""
    training = Training(document_recipe(name, unit="sentence").replace({"learner": learner}), corpus(1, 12))
    list(training.run())
    return modelfile.load_bytes(modelfile.to_bytes(training.model())[0])


def tags(model: Model, sentences: list[Sentence]) -> list[list[str]]:
    return make_ready(model).tag(sentences)


@pytest.mark.parametrize("name", ["candidate", "nonlocal", "ascent"])
def test_a_copy_of_our_learner_tags_as_ours(name):
    copy = dataclasses.replace(catalogue()[name], name="mine")
    ours, mine = model_of(name, name), model_of(name, copy)
    assert "problem" not in ours.facts
    assert mine.facts["problem"] == copy.problem
    assert mine.arrays["nonlocal.weights"].tolist() == ours.arrays["nonlocal.weights"].tolist()
    assert tags(mine, corpus(5, 40)) == tags(ours, corpus(5, 40))


@pytest.mark.parametrize(("name", "alone"), [("nonlocal", True), ("ascent", False)])
def test_only_sequences_stand_alone(name, alone, monkeypatch):
    """Sentences are sequences of their own, or candidates in a document, whatever the learner is called."""
    seen = []
    ready = make_ready(model_of(name, dataclasses.replace(catalogue()[name], name="mine")))
    find = ready.candidates
    monkeypatch.setattr(ready, "candidates", lambda part, threads=1: (seen.append(len(part)), find(part, threads))[1])
    ready.tag(corpus(5, 4))
    assert seen == ([1] * 12 if alone else [3] * 4)
