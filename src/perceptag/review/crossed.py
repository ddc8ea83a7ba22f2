"""Cross-validation: each sentence is labelled by a model that has not seen its document."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from perceptag.confidence.margins import Margins
from perceptag.models.kinds import make_ready
from perceptag.models.protocol import ReadyModel
from perceptag.recipe.recipe import Recipe
from perceptag.store.model_file import load_bytes, to_bytes
from perceptag.text.documents import iter_documents
from perceptag.text.sentence import Sentence
from perceptag.training.train import Training

FOLDS = 5

Progress = Callable[[int, int], object]  # how many models have been trained, and of how many; may raise to stop


class Fold(NamedTuple):
    """Sentences that a model has not seen, by their places in the data, and how it labels them."""

    places: list[int]
    model: ReadyModel
    margins: list[Margins]


def trained(recipe: Recipe, sentences: Sequence[Sentence], threads: int = 1) -> ReadyModel:
    """Train a model, and make it ready to tag."""
    training = Training(recipe, sentences, threads=threads)
    for _ in training.run():
        pass
    return make_ready(training.model())


def crossed(
    sentences: Sequence[Sentence],
    recipe: Recipe,
    folds: int = FOLDS,
    threads: int = 1,
    progress: Progress | None = None,
    processes: int = 1,
) -> Iterator[Fold]:
    """Train on all folds but one and label that one, for each fold. Several `processes` do so at the same time."""
    parts = fold_places(sentences, folds)
    if processes > 1:
        yield from _in_processes(sentences, recipe, parts, progress, processes)
        return
    for number, places in enumerate(parts, 1):
        yield _fold(sentences, recipe, places, threads)
        if progress:
            progress(number, len(parts))


def _fold(sentences: Sequence[Sentence], recipe: Recipe, places: list[int], threads: int) -> Fold:
    mine = set(places)
    model = trained(recipe, [s for i, s in enumerate(sentences) if i not in mine], threads)
    return Fold(places, model, model.margins([sentences[i] for i in places], threads))


class FoldLabeller:
    """Labels folds, one after the other."""

    def label(self, sentences: Sequence[Sentence], recipe: Recipe, places: list[int]) -> tuple[bytes, list[Margins]]:
        """The model of a fold, as a file, and how it labels the fold."""
        fold = _fold(sentences, recipe, places, threads=1)
        return to_bytes(fold.model.model)[0], fold.margins


def _in_processes(
    sentences: Sequence[Sentence], recipe: Recipe, parts: list[list[int]], progress: Progress | None, processes: int
) -> Iterator[Fold]:
    from perceptag.cluster.in_order import in_order, in_processes, shared  # which few callers need

    crew = in_processes(FoldLabeller, min(processes, len(parts)))
    try:
        data = shared(crew, list(sentences))
        found = in_order(crew, "label", [(data, recipe, places) for places in parts], progress=progress)
    finally:
        crew.close()
    for places, (model, margins) in zip(parts, found, strict=True):
        yield Fold(places, make_ready(load_bytes(model)), margins)


def fold_places(sentences: Sequence[Sentence], folds: int) -> list[list[int]]:
    """Return the places of the sentences of each fold: every k-th document, or blocks if documents are too few."""
    places = iter(range(len(sentences)))
    documents = [[next(places) for _ in document] for document in iter_documents(sentences)]
    if len(documents) < folds:
        size = math.ceil(len(sentences) / folds)
        documents = [list(range(i, min(i + size, len(sentences)))) for i in range(0, len(sentences), size)]
    parts = [[i for document in documents[fold::folds] for i in document] for fold in range(folds)]
    return [part for part in parts if part]
