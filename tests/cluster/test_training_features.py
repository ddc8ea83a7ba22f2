"""What features may look at besides words: lists of phrases, classes of words, code of the user."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from class_files import toy_class_file
from command_line import CORPUS, CORPUS_COLUMNS
from perceptag import Sentence
from perceptag.cluster.training import Spread, spread_trainings
from perceptag.engines.threads_engine import ThreadsEngine
from perceptag.recipe.usercode import attributes_of
from perceptag.text import read_columns
from perceptag.training.train import Training
from shuffling_engine import ShufflingEngine
from spread_toys import everything, in_memory, in_parts, spread
from toys import make_recipe

COMMON: dict[str, Any] = {"epochs": 1, "shards": 3, "labels.column": "ner"}


@pytest.fixture(scope="module")
def sentences() -> list[Sentence]:
    return list(read_columns(CORPUS / "train.txt", CORPUS_COLUMNS.split(",")))[:60]


@pytest.mark.parametrize("name", ["lists", "classes", "code", "bags"])
def test_features_of_every_kind(
    name: str, sentences: list[Sentence], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("cities.txt").write_text("Paris\nNew York\n")
    Path("mine_for_spread.py").write_text("def vowels(w): return [c for c in w if c in 'aeiou'] or None\n")
    settings: dict[str, dict[str, Any]] = {
        "lists": {
            "templates": ["form[0]", "gazetteer[0]", "gazetteer_bilu[1]"],
            "gazetteer": ["city=cities.txt", "any~=cities.txt"],
        },
        "classes": {"templates": ["form[0]", "class8[-1]", "class24[0]"], "classes": toy_class_file()},
        "code": {"templates": ["vow[0]", "form[0]"], "attributes": ["vow=mine_for_spread:vowels"]},
        "bags": {"templates": ["vow[0] form[1]", "vow[-1]"], "attributes": ["vow=mine_for_spread:vowels"], "cutoff": 2},
    }
    recipe = make_recipe(**COMMON, **settings[name])
    whole = everything(Training(recipe, sentences, attributes=attributes_of(recipe, allow_code=True)))
    for engine in (ThreadsEngine(2), ShufflingEngine(1)):
        spread_out = Spread(in_parts(sentences, [7, 30, 41]), allow_code=True)
        with spread_trainings(recipe, engine, spread_out) as make:
            assert everything(make(recipe)) == whole


def test_templates_that_look_at_whole_documents(sentences: list[Sentence]) -> None:
    recipe = make_recipe(**COMMON, templates=["form[0]", "doc_lower[0]"])
    assert spread(recipe, in_parts(sentences, []), ThreadsEngine(1)) == in_memory(recipe, sentences)
