"""The news stories in the package, from which the models of the pictures learn."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from perceptag import Sentence
from perceptag.text import read_columns


@cache
def sentences(part: str) -> list[Sentence]:
    """The sentences of a part: train, dev or test."""
    path = files("perceptag") / "data" / f"{part}.txt"
    return list(read_columns(str(path), ["form", "pos", "chunk", "ner"]))


def sentence(part: str, first_words: str) -> Sentence:
    """The first sentence of a part that begins with these words."""
    return next(s for s in sentences(part) if " ".join(s.columns["form"]).startswith(first_words))
