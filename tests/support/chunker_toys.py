"""Data and functions that the tests of the chunker share."""

from __future__ import annotations

from importlib import resources

from perceptag.recipe.recipe import load
from perceptag.text import read
from perceptag.text.sentence import Sentence
from perceptag.training.train import Training

COLUMNS = ["form", "pos", "chunk", "ner"]


def corpus(name: str) -> list[Sentence]:
    return list(read(str(resources.files("perceptag") / "data" / f"{name}.txt"), columns=COLUMNS))


def train(sentences, dev=None, threads=1, **settings) -> Training:
    recipe = load("carreras-ner").replace({"epochs": 3, "cutoff": 2, **settings})
    training = Training(recipe, sentences, dev, threads=threads)
    for _ in training.run():
        pass
    return training
