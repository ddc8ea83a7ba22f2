"""Verbs that tag labelled data show a bar at a terminal, and give the same labels with it as without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from perceptag import Tagger
from perceptag.cli import bar, tag_with_bar
from perceptag.cli.eval import eval_, read_gold
from perceptag.cli.eval_errors import errors
from perceptag.cli.options import FileOptions
from perceptag.cli.streams import write_nothing
from perceptag.cli.training_options import ScoreOptions
from perceptag.pipeline.pipeline import Pipeline
from perceptag.text import Sentence, write

WORDS = [["the", "dog"], ["a", "cat"], ["Oslo"], ["the", "cat"]]
LABELS = [["O", "B-A"], ["O", "B-A"], ["B-C"], ["O", "B-A"]]
_batches = tag_with_bar.batches
SENTENCES = [
    Sentence({"form": x, "label": y}, starts_document=i % 2 == 0)
    for i, (x, y) in enumerate(zip(WORDS, LABELS, strict=True))
]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that looks at documents, next to its data."""
    path = tmp_path_factory.mktemp("bars") / "a.model"
    Tagger("collins-np", templates=["form[0]", "doc_recurs[0]", "bias"], epochs=2).fit(SENTENCES).save(path)
    write(SENTENCES, path.with_name("gold.txt"))
    return path


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """What bars are told: their names, how much is done, and of how much. Batches are small."""
    told: list[tuple[str, int, int]] = []
    monkeypatch.setattr(tag_with_bar, "AT_ONCE", 1)
    monkeypatch.setattr(bar.Bar, "__exit__", lambda self, *_: told.append((self.what, self.done, self.total)))
    return told


def test_batches_change_nothing(model: Path, drawn: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    gold = str(model.with_name("gold.txt"))
    pipeline = Pipeline.load(model)
    sizes: list[int] = []
    monkeypatch.setattr(tag_with_bar, "batches", lambda *a: (sizes.append(len(b)) or b for b in _batches(*a)))
    found = []
    for is_wanted in (False, True):
        monkeypatch.setattr(tag_with_bar, "is_wanted", lambda is_wanted=is_wanted: is_wanted)
        labels = tag_with_bar.tag_all(pipeline, SENTENCES, 1)
        margins = tag_with_bar.margins_of_all(pipeline.top.ready, SENTENCES, 1)
        read = read_gold(pipeline, gold, FileOptions())
        scored = eval_(pipeline, *read, ScoreOptions(), 1, False)
        wrong = errors(pipeline, str(model), gold, FileOptions(), 1, write_nothing)
        found.append((labels, margins, scored.to_dict(), wrong.to_dict()))
    assert found[0] == found[1]
    assert found[0][0] == Tagger.load(model).predict(SENTENCES)
    assert sizes and set(sizes) == {2}  # documents are whole
    assert drawn.count(("tagging", 4, 4)) == 6 and ("measuring margins", 4, 4) in drawn
