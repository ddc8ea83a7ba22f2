"""Accuracy on the corpora of the papers, where they are at hand: the folder named by PERCEPTAG_DATA."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from perceptag import Sentence, Tagger
from perceptag.models.confident import halves_of
from perceptag.text import read

DATA = os.environ.get("PERCEPTAG_DATA", "")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not DATA, reason="needs the corpora: set PERCEPTAG_DATA to their folder"),
]
COLUMNS = ["form", "pos", "chunk", "ner"]
EWT, CHUNKS, NAMES = ("ewt/*{}*.conllu", "conll2000/{}.txt", "conll2003/eng.{}")
TAGS = {"labels_column": "xpos"}
# Corpus, its test or dev part, settings, and the least accuracy or F1 of the pass that is kept.
ROWS: list[tuple[str, str, dict[str, Any], float]] = [
    (CHUNKS, "test", {"recipe": "collins-np", "epochs": 15, "labels_keep": "NP"}, 93.9),  # figure 4: 93.53 on dev data
    (CHUNKS, "test", {"recipe": "crf-np", "labels_keep": "NP"}, 94.0),
    (CHUNKS, "test", {}, 94.2),
    (CHUNKS, "test", {"labels_keep": "NP"}, 94.7),
    (EWT, "dev", {"recipe": "collins-pos", "epochs": 10, **TAGS}, 93.3),
    (EWT, "dev", {"recipe": "shen-pos", "beam": 3, **TAGS}, 94.3),
    (EWT, "dev", {"recipe": "shen-pos", "beam": 1, **TAGS}, 94.1),
    (EWT, "dev", TAGS, 94.75),
    (NAMES, "testa", {"recipe": "crf", "features": "margin-ner", "epochs": 100}, 91.5),
    (NAMES, "testa", {}, 93.3),
]


def part(corpus: str, name: str) -> list[Sentence]:
    """The sentences of a part of a corpus."""
    path = next(Path(DATA).glob(corpus.format(name)))
    columns = COLUMNS[: 3 if corpus == CHUNKS else 4]
    return list(read(path, columns=columns) if path.suffix != ".conllu" else read(path))


@pytest.mark.parametrize(("corpus", "judged", "settings", "least"), ROWS)
def test_accuracy(corpus: str, judged: str, settings: dict[str, Any], least: float) -> None:
    train, held = part(corpus, "train"), part(corpus, judged)
    tagger = Tagger(threads=2, **settings)
    if judged == "test":  # no pass is chosen by it
        tagger.fit(train)
        assert 100 * tagger.score(held, tagger.model_.label_set.gold(held)) >= least
    else:
        tagger.fit(train, dev=held)
        assert max(report["dev_kept"] for report in tagger.model_.manifest["curve"]) >= least


@pytest.mark.parametrize("recipe", ["margin-ner", "carreras-ner"])
def test_confidence(recipe: str) -> None:
    """Calibrated on one half of the dev documents and measured on the other, both ways."""
    train, dev = part(NAMES, "train"), part(NAMES, "testa")
    tagger = Tagger(recipe, threads=2).fit(train, dev=dev)
    labels: Callable[[list[Sentence]], list[list[str]]] = lambda some: [s.columns["ner"] for s in some]  # noqa: E731
    one, two = ([dev[i] for i in half] for half in halves_of(dev))
    for mine, other in ((one, two), (two, one)):
        tagger.calibrate(mine, labels(mine))
        assert tagger.reliability(other, labels(other)).ece <= 0.03
