"""``--set classes`` and ``--gazetteer``: features that come from plain text and from lists."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from class_files import toy_class_file, toy_classes
from command_line import CORPUS, CORPUS_COLUMNS, check, run, succeed
from perceptag import Tagger, WordClasses
from perceptag.models.stored_lists import texts_of
from perceptag.recipe.recipe import load

DATA = ("--columns", CORPUS_COLUMNS, "--epochs", 1, "-j", 1, "-s", "inner_folds=0", "-s", "margins=1")
SEARCH = ("--columns", CORPUS_COLUMNS, "--label", "chunk", "-r", "chunk", "-s", "epochs=1", "-j", 1)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    """The beginning of the shipped corpus, which is enough here."""
    path = tmp_path_factory.mktemp("corpus") / "train.txt"
    path.write_text("\n\n".join((CORPUS / "train.txt").read_text("utf-8").split("\n\n")[:24]) + "\n", "utf-8")
    return path


@pytest.fixture(scope="module")
def model(corpus: Path) -> Path:
    path = corpus.parent / "m"
    words = ("--train", corpus, "--dev", corpus, "--label", "chunk", "--set", f"classes={toy_class_file()}", "-m", path)
    succeed("train", *DATA, *words, "--add", "pos[0] class8[1]", "-q")
    return path


def test_auto_takes_a_class_file(model: Path):
    recipe = Tagger.load(model).model_.recipe
    assert (recipe.name, recipe.classes, recipe.groups[-2:]) == ("chunk", toy_class_file(), ("classes=6", "added=1"))


def test_explain_and_inspect_name_classes_by_their_words(model: Path):
    the = toy_classes().examples(8, toy_classes().of("The", 8))
    assert the.endswith("…")
    like = ", ".join(the.removesuffix("…").split("·"))
    explained = succeed("explain", "-m", model, "The/DT dog/NN", "--top", 0).out
    assert f"like {like}" in explained, explained
    raw = succeed("explain", "-m", model, "The/DT dog/NN", "--top", 0, "--raw").out
    assert f"class8[0]={the}" in raw, raw
    assert "class24[" in succeed("inspect", model, "--top", 50).out


def test_the_search_for_settings_and_ablation_know_classes(corpus: Path, tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    toy_classes().save(tmp_path / "c")
    words = ("--train", corpus, "--dev", corpus, *SEARCH, "--set", "classes=c")
    found = json.loads(succeed("tune", "--ablate", *words, "--json").out)
    assert {loss["group"]: loss["templates"] for loss in found["groups"]}["classes"] == 3
    succeed("tune", *words, "--trials", 1, "-o", "t.toml", "-q")
    tuned = load("t.toml")
    assert tuned.classes == "c"
    assert tuned.templates == load("chunk").replace({"classes": "c"}).templates
    WordClasses._of(toy_classes().only([8]), {}).save("c")
    check(run("tune", *words, "--trials", 1, "-o", "t.toml"), r"t\.journal.*files")


@pytest.mark.parametrize("option", ["--set", "--gazetteer"])
def test_a_model_does_not_replace_what_it_reads(corpus: Path, tmp_path: Path, option: str):
    toy_classes().save(tmp_path / "m")
    value = f"classes={tmp_path / 'm'}" if option == "--set" else f"city={tmp_path / 'm'}"
    words = ("train", "--train", corpus, "--label", "chunk", *DATA, "-m", tmp_path / "m", "--no-dev")
    before = (tmp_path / "m").read_bytes()
    check(run(*words, option, value), r"--model")
    assert (tmp_path / "m").read_bytes() == before


def test_lists_from_the_command_line(corpus: Path, tmp_path: Path):
    (tmp_path / "cities.txt").write_text("New York\nRome\n")
    (tmp_path / "names.txt").write_text("Ann\nde la Cruz\n")
    lists = ("--gazetteer", f"city={tmp_path / 'cities.txt'}", "--gazetteer", f"name~={tmp_path / 'names.txt'}")
    for label, own, group in (("ner", ("train",), "gazetteer=1"), ("pos", (), "gazetteer=1")):
        succeed("train", "--train", corpus, "--label", label, *DATA, *lists, "-m", tmp_path / "m", "--no-dev", "-q")
        found = Tagger.load(tmp_path / "m").model_
        assert found.recipe.gazetteer == (*own, lists[1], lists[3])
        assert group in found.recipe.groups
        assert {"gazetteer[-1]", "gazetteer[0]", "gazetteer[1]"} <= set(found.facts["templates"])
        assert texts_of(found.arrays, "gazetteer.")["city"] == "New York\nRome"
        assert texts_of(found.arrays, "lists.") == {"name": "ann\nde la cruz"}
