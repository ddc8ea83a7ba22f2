"""flow.svg: from a file to labels, with a real sentence, real features and a real model (that of lattice.svg)."""

from __future__ import annotations

from collections.abc import Iterator

from drawing import arrow, box, picture, words
from lattice import LABELS, chunker, grid, labellings
from news import sentence

from perceptag import Sentence
from perceptag.features.template import parse_all
from reference.features import sentence_features

_WORD = 1  # whose features are shown


def features_of(chosen: Sentence, number: int) -> list[str]:
    """The first features of a word, by the templates of the model."""
    templates = parse_all(chunker().model_.recipe.templates, tuple(chosen.columns))
    return [str(feature) for feature in sentence_features(templates, chosen.columns)[_WORD]][:number]


def _title(y: float, name: str, about: str) -> str:
    return words(16, y, name, "bold") + words(392, y, about, "small soft", "end")


def _file(chosen: Sentence) -> Iterator[str]:
    yield _title(22, "a file", "a word on each line, with its columns")
    yield box(8, 30, 384, 66)
    for i in range(3):
        yield words(20, 48 + 17 * i, f"{chosen.columns['form'][i]} {chosen.columns['pos'][i]}", "code")
    yield words(200, 82, "…", "code")
    yield arrow(200, 100, 20)


def _sentence(forms: list[str]) -> Iterator[str]:
    yield _title(142, "a sentence", "words in a row")
    width = 384 / len(forms)
    for i, form in enumerate(forms):
        yield box(8 + i * width, 150, width - 4, 26)
        yield words(6 + (i + 0.5) * width, 167, form, "small", "middle")
    yield arrow(200, 182, 20)


def _features(chosen: Sentence) -> Iterator[str]:
    yield _title(224, "features", f"what templates see at “{chosen.columns['form'][_WORD]}”")
    yield box(8, 232, 384, 84)
    for i, feature in enumerate(features_of(chosen, 4)):
        yield words(20, 250 + 18 * i, feature, "code")
    yield words(380, 304, "… each with a weight for each label", "small soft", "end")
    yield arrow(200, 320, 20)


def _lattice(chosen: Sentence) -> Iterator[str]:
    yield _title(362, "a lattice", "all labels of all words, and the best path")
    yield box(8, 370, 384, 104)
    yield from grid(labellings(chosen), 84, 392, 54, 30, 8)
    yield from (words(20, 396 + 30 * i, label, "small") for i, label in enumerate(LABELS))
    yield arrow(200, 478, 20)


def _labels(forms: list[str], labels: tuple[str, ...]) -> Iterator[str]:
    yield _title(520, "labels", "the best labelling")
    width = 384 / len(forms)
    for i, (form, label) in enumerate(zip(forms, labels, strict=True)):
        yield box(8 + i * width, 528, width - 4, 44, "box" if label == "O" else "done")
        yield words(6 + (i + 0.5) * width, 545, form, "small", "middle")
        yield words(6 + (i + 0.5) * width, 563, label, "small bold", "middle")


def draw() -> dict[str, str]:
    """The files, by their names."""
    chosen = sentence("dev", "Aldermoor gets")
    forms, best = list(chosen.columns["form"]), labellings(chosen)[0][0]
    parts = [*_file(chosen), *_sentence(forms), *_features(chosen), *_lattice(chosen), *_labels(forms, best)]
    return {"images/flow.svg": picture("From a file to labels: sentence, features, lattice, best path", 584, parts)}
