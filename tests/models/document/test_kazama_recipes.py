"""The recipes after Kazama and Torisawa (2007) load, train and tag, on the corpus in the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CORPUS, CORPUS_COLUMNS
from perceptag import Sentence, Tagger
from perceptag.recipe.recipe import load
from perceptag.recipe.recipe_files import shipped
from perceptag.text import read_columns

NAMES = [name for name in shipped() if name.startswith("kazama-") or name in ("margin-ner", "nonlocal-ner")]


def part(name: str) -> list[Sentence]:
    return list(read_columns(CORPUS / f"{name}.txt", CORPUS_COLUMNS.split(",")))


def test_there_are_recipes_for_every_algorithm() -> None:
    assert set(NAMES) >= {f"kazama-{name}-paper" for name in ("margin", "candidate", "nonlocal")}
    assert set(NAMES) >= {"margin-ner", "nonlocal-ner"}


@pytest.mark.parametrize("name", NAMES)
def test_recipes_train_and_tag(name: str, tmp_path: Path) -> None:
    """A pass or two on a third of the corpus: enough to find some names, and to see that every setting is used."""
    train, dev = part("train")[:90], part("dev")[:30]
    runs = 2 if load(name).bpm else 0
    tagger = Tagger(name, epochs=2, bpm=runs).fit(train, dev=dev)
    curve = tagger.model_.manifest["curve"]
    assert len(curve) == 2
    assert max(report["dev_kept"] for report in curve) > 20
    path = str(tmp_path / "m")
    tagger.save(path)
    plain = [
        Sentence({c: s.columns[c] for c in ("form", "pos", "chunk")}, starts_document=s.starts_document) for s in dev
    ]
    assert Tagger.load(path, threads=2).predict(plain) == tagger.predict(dev)
