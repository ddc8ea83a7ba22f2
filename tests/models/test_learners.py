"""Which settings each learner heeds: what is declared is what training and tagging look at."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from command_line import CORPUS
from learner_settings import EVERY, without_labels
from perceptag import Sentence, Tagger
from perceptag.errors import SettingError
from perceptag.learn.learners import LEARNERS, heeding
from perceptag.recipe.recipe import _FIELDS, Recipe, load
from perceptag.text import read_columns

NOT_OF_TRAINING = {"name", "description", "citation", "features"}
ELSEWHERE = {
    "dataclasses",
    "perceptag.recipe.recipe",
    "perceptag.recipe.checks",
}  # copies and checks look at everything


def corpus(number: int) -> list[Sentence]:
    read = list(read_columns(CORPUS / "train.txt", ["form", "pos", "chunk", "ner"]))[:number]
    columns = (("form", "form"), ("pos", "pos"), ("label", "chunk"))
    return [Sentence({to: s.columns[of] for to, of in columns}, starts_document=s.starts_document) for s in read]


@pytest.fixture(scope="module")
def looked_at() -> dict[str, set[str]]:
    """The fields of recipes that were read while models of every learner were trained and used."""
    seen: dict[str, set[str]] = {learner: set() for learner in LEARNERS}

    def spy(recipe: Recipe, name: str) -> object:
        if name in _FIELDS and sys._getframe(1).f_globals["__name__"] not in ELSEWHERE:
            seen[object.__getattribute__(recipe, "learner")].add(name)
        return object.__getattribute__(recipe, name)

    sentences = corpus(24)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Recipe, "__getattribute__", spy)
        for settings in EVERY.values():
            tagger = Tagger(**settings).fit(sentences[:18], dev=sentences[18:])
            tagger.predict(without_labels(sentences[:4]))
    return seen


@pytest.mark.parametrize("learner", LEARNERS)
def test_no_setting_that_a_learner_looks_at_is_refused(learner, looked_at):
    assert looked_at[learner], "the learner is among those of test_conformance"
    declared = {field for field in _FIELDS if learner in heeding(field)}
    # Lists are made by models of their own, whose recipe says margin; functions are looked for everywhere.
    foreign = {"nonlocal_functions"} | ({"nbest", "folds"} if learner == "margin" else set())
    assert looked_at[learner] - declared - foreign == set()


def test_every_setting_is_looked_at_by_a_learner_that_declares_it(looked_at):
    assert "folds" in looked_at["margin"], "by the models that make the lists of re-ranking"
    for field in set(_FIELDS) - NOT_OF_TRAINING - {"folds"}:
        assert any(field in looked_at[learner] for learner in heeding(field)), field


@pytest.mark.parametrize(
    ("recipe", "settings", "message"),
    [
        ("crf", {"margin": 5}, "margin: learner 'crf' does not look at it, margin, candidate, .* do"),
        ("collins-np", {"beam": 5}, "beam: learner 'perceptron' does not look at it, guided does"),
        ("collins-np", {"crf.sigma2": 5}, r"crf\.sigma2: learner 'perceptron' does not look at it, crf does"),
        ("pa", {"online_gamma": 5}, r"online\.gamma: learner 'pa' does not look at it, arow does"),
    ],
)
def test_a_setting_of_another_learner_is_refused(recipe, settings, message):
    with pytest.raises(SettingError, match=message):
        Tagger(recipe, **settings).fit([["a"]], [["B-X"]])


def test_auto_refuses_it_for_the_recipe_that_it_has_chosen():
    with pytest.raises(SettingError, match=r"crf\.l1: learner '.*' does not look at it, crf does"):
        Tagger(crf_l1=0.5).fit([["a", "b"]], [["X", "Y"]])


def test_defaults_and_what_a_recipe_had_for_its_own_learner_are_welcome():
    X, y = [["a", "b"]], [["B-X", "O"]]
    Tagger("collins-pos", beam=3, crf_sigma2=10.0).fit(X, y)
    Tagger("kazama-margin-paper", learner="perceptron", epochs=1, templates=["form[0]"], bpm=0).fit(X, y)
    assert load("kazama-margin-paper").margin > 0


def test_a_recipe_file_with_a_setting_of_another_learner_is_refused(tmp_path: Path):
    path = tmp_path / "mine.toml"
    path.write_text('learner = "guided"\nmargin = 5\ntemplates = ["form[0]"]\n')
    with pytest.raises(SettingError, match=r"mine\.toml: margin: learner 'guided' does not look at it"):
        load(str(path))
