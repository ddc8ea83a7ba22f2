"""Spread data for tests: sentences in lists instead of files, and what training on them gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from perceptag import Recipe, Sentence
from perceptag.cluster.parts import FilePart
from perceptag.cluster.sources import Source
from perceptag.cluster.training import Spread, spread_trainings
from perceptag.engines.calls import Engine
from perceptag.models import model_file as modelfile
from perceptag.training.train import Training


@dataclass(frozen=True)
class ListSource(Source):
    """Sentences in parts."""

    lists: tuple[tuple[Sentence, ...], ...] = ()

    def read(self, number: int, exact: bool = False) -> list[Sentence]:
        """The sentences of a part."""
        return list(self.lists[number])

    def unpacked(self, folder: Path) -> ListSource:
        """Nothing is compressed."""
        return self

    def first(self) -> Sentence:
        """The first sentence with tokens."""
        return next(s for part in self.lists for s in part if len(s))


def in_parts(sentences: Sequence[Sentence], cuts: Sequence[int]) -> ListSource:
    """The sentences, cut at these places."""
    borders = [0, *sorted(min(c, len(sentences)) for c in cuts), len(sentences)]
    lists = tuple(tuple(sentences[a:b]) for a, b in pairwise(borders))
    return ListSource(parts=tuple(FilePart(f"part {i}") for i in range(len(lists))), lists=lists)


def numbered(sentences: Sequence[Sentence]) -> list[Sentence]:
    """The same sentences, each with a place that errors can name."""
    return [Sentence(s.columns, "some.txt", 1 + 10 * i, s.starts_document) for i, s in enumerate(sentences)]


def everything(training: Training) -> dict[str, Any]:
    """All that training knows and all that it gives."""
    trainer = getattr(training.trainer, "linear", getattr(training.trainer, "local", training.trainer))
    for _ in training.run():
        pass
    return {
        "notes": training.task.notes,
        "labels": training.task.label_set,
        "data": training.data_facts,
        "vocabularies": [list(v) for vs in trainer.encoder.vocabularies.values() for v in vs],
        "features": [
            [a.tolist() for a in trainer.encoder.frozen_index.list(i)] for i in range(len(trainer.encoder.templates))
        ],
        "closed": trainer.data.closed,
        "active": trainer.active,
        "state": {name: array.tobytes() for name, array in training.trainer.state().items()},
        "file": modelfile.to_bytes(training.model())[0],
    }


def spread(recipe: Recipe, source: Source, engine: Engine, dev: Sequence[Sentence] | None = None) -> dict[str, Any]:
    """All that training on spread data gives."""
    with spread_trainings(recipe, engine, Spread(source, dev)) as make:
        return everything(make(recipe))


def in_memory(recipe: Recipe, sentences: Sequence[Sentence], dev: Sequence[Sentence] | None = None) -> dict[str, Any]:
    """All that training in memory gives."""
    return everything(Training(recipe, sentences, dev))
