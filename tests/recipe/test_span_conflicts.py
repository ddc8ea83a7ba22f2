"""Features of whole spans are on in `ner`, and step aside where settings of the user do not go with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from command_line import CORPUS, CORPUS_COLUMNS, succeed
from perceptag import Tagger
from perceptag.errors import SettingError
from perceptag.recipe.auto import settle_shards
from perceptag.recipe.recipe import load
from perceptag.recipe.recipe_files import flat, shipped
from perceptag.recipe.span_conflicts import why_aside, with_settings
from perceptag.system.toml import read_toml
from perceptag.text import read_columns
from perceptag.training.fit import make_plan

ROOT = Path(__file__).parents[2]
NER = load("ner")
WITHOUT_DOCUMENTS = {"nonlocal.features": []}


def test_only_ner_has_features_of_whole_spans() -> None:
    assert {name: load(name).spans_longest for name in shipped() if load(name).spans_longest} == {"ner": 8}
    assert {name for name in shipped() if load(name).spans_templates} == {"ner"}


@pytest.mark.parametrize(
    ("settings", "key"),
    [
        ({"shards": 8}, "shards"),
        ({"shards": 0}, "shards"),
        ({"orders": 3}, "orders"),
        ({"labels.scheme": "IOB2"}, "labels.scheme"),
        ({"labels_scheme": "auto"}, "labels_scheme"),
        ({"constrain": False}, "constrain"),
        ({"add": ["bias * y-2 y-1 y0"]}, "add"),
        ({"templates": ["form[0]"]}, "templates"),
        ({"features": "basic-ner"}, "features"),
        ({"learner": "pa", **WITHOUT_DOCUMENTS}, "learner"),
        ({"learner": "perceptron", "weights": "voted", **WITHOUT_DOCUMENTS}, "weights"),
        ({"learner": "margin", "labels.parts": "|", **WITHOUT_DOCUMENTS}, "labels.parts"),
    ],
    ids=str,
)
def test_they_step_aside(settings: dict[str, Any], key: str) -> None:
    found = with_settings(NER, settings)
    assert found.spans_longest == 0
    assert why_aside(found, settings) == key
    assert make_plan(NER, settings).recipe == found == NER.replace({**settings, "spans.longest": 0})


@pytest.mark.parametrize(
    "settings",
    [{}, {"epochs": 2}, {"shards": 1}, {"add": ["gazetteer[2]"]}, {"learner": "margin", **WITHOUT_DOCUMENTS}],
    ids=str,
)
def test_other_settings_leave_them(settings: dict[str, Any]) -> None:
    found = with_settings(NER, settings)
    assert found == NER.replace(settings)
    assert found.spans_longest == 8
    assert not why_aside(found, settings)


def test_whoever_asks_for_both_is_refused(tmp_path: Path) -> None:
    data = list(read_columns(str(CORPUS / "train.txt"), ["form", "pos", "chunk", "ner"]))[:30]
    own = tmp_path / "own.toml"
    own.write_text(
        'learner = "margin"\nshards = 2\nconstrain = true\ntemplates = ["form[0]"]\n'
        '[labels]\nscheme = "IOBES"\n[spans]\nlongest = 3\ntemplates = ["length"]\n'
    )
    for recipe, settings in (("ner", {"spans_longest": 8, "shards": 2}), (str(own), {"epochs": 1})):
        with pytest.raises(SettingError, match=r"spans\.longest: expected shards = 1, found 2"):
            Tagger(recipe, **settings).fit(data)


def test_a_number_of_shards_by_the_size_of_the_data_is_one_with_spans() -> None:
    asked = with_settings(NER, {"shards": 0, "spans.longest": 4})
    settled = settle_shards(asked, 10**9)
    assert (settled.own["shards"], settled.spans_longest) == (1, 4)
    assert settle_shards(with_settings(NER, {"shards": 0}), 10**9).own["shards"] == 8


COMMON = ("--train", CORPUS / "train.txt", "--columns", CORPUS_COLUMNS, "--label", "ner", "-r", "ner", "--epochs", 2)
QUICK = (*COMMON, "--set", "inner_folds=0", "--set", "nonlocal.features=", "--set", "learner=margin", "--no-dev")
NOTE = "note: no features of whole spans (spans.longest), because shards is set"


def test_shards_give_the_same_model_in_memory_and_on_workers(tmp_path: Path) -> None:
    paths = tmp_path / "a.model", tmp_path / "b.model"
    for path, on in zip(paths, ((), ("--on", "threads", "-j", 2)), strict=True):
        assert NOTE in succeed("train", *QUICK, "--set", "shards=4", "-m", path, *on).err.splitlines()
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_one_shard_on_workers_says_how_to_spread_the_data(tmp_path: Path) -> None:
    shown = succeed("train", *QUICK, "-m", tmp_path / "m", "--on", "threads").err
    assert "this process holds all sentences: spans.longest" in shown
    assert "--set spans.longest=0 --set shards=8 spreads the data" in shown
    assert "note: no features of whole spans" not in shown


def test_pipelines_keep_the_recipe_that_they_were_measured_with() -> None:
    """The figures of docs/measurements/pipelines.md are older than dropout and features of spans in `ner`."""
    older = NER.replace({"dropout": 0, "spans.longest": 0, "spans.templates": []})
    files = *ROOT.glob("languages/*.toml"), ROOT / "models" / "en.toml"
    tables = {path.stem: read_toml(path.read_text()) for path in files}
    with_names = {name: table["ner"] for name, table in tables.items() if "names" in table or name == "en"}
    assert len(with_names) > 10
    for name, settings in with_names.items():
        pinned = make_plan(NER, {**flat(settings), "classes": ""}).recipe
        assert pinned == with_settings(older, {**flat(settings), "classes": ""}), name
