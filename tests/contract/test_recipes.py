"""The promises of every shipped recipe and of every key of recipes. New ones join by themselves."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from command_line import succeed
from learner_settings import EVERY
from perceptag import Recipe, Sentence, SettingError, Tagger, Tokenizer
from perceptag.learn import settings_of_learners
from perceptag.learn.learner import Setting
from perceptag.recipe.common_settings import SETTINGS
from perceptag.recipe.recipe import load
from perceptag.recipe.recipe_files import shipped
from perceptag.recipe.toml_writer import to_toml
from text_toys import HELD_OUT
from trained import trained

recipes = pytest.mark.parametrize("name", shipped())
SENTENCES = [
    Sentence(
        {
            **{"form": ["Ada", "saw", "Rome"], "pos": ["NNP", "VBD", "NNP"], "chunk": ["B-NP", "B-VP", "B-NP"]},
            **{"lemma": ["Ada", "see", "Rome"], "label": ["B-PER", "O", "B-LOC"]},
        },
        starts_document=True,
    )
] * 4


@recipes
def test_it_says_what_it_is_for_and_where_it_comes_from(name):
    recipe = load(name)
    assert recipe.name == name and recipe.description
    assert re.search(r"\b(19|20)\d\d\b", recipe.citation) or recipe.citation.startswith("No paper: ")
    assert recipe.learner in recipe.declaration.name
    assert f"{name} " in succeed("list").out
    assert succeed("list", name).out.strip() == shipped()[name].read_text("utf-8").strip()


@recipes
def test_written_as_toml_and_read_it_is_the_same(name, tmp_path: Path):
    recipe = load(name)
    (tmp_path / f"{name}.toml").write_text(to_toml(recipe), "utf-8")
    again = load(str(tmp_path / f"{name}.toml"))
    assert dataclasses.replace(again, features=recipe.features) == recipe


@recipes
def test_a_toy_corpus_is_learned_and_tagged(name):
    if name == "tokenize":
        assert Tokenizer(name, epochs=1).fit(HELD_OUT)("Ada saw Rome.")
        return
    few = {key: value for key, value in EVERY.get(name, {}).items() if key not in ("recipe", "optional")}
    tagger = Tagger(name, **{"epochs": 8, "inner_folds": 0} | few | {"cutoff": 0}).fit(SENTENCES)
    expected = [s.columns[tagger.model_.label_set.column] for s in SENTENCES]
    assert (
        tagger.predict([Sentence({c: s.columns[c] for c in ("form", "pos", "chunk")}) for s in SENTENCES]) == expected
    )


# ------------------------------------------------------------------------------------------------------ keys

KEYS = {setting.key: setting for setting in (*SETTINGS.values(), *settings_of_learners().values())}


def wrong_values(setting: Setting) -> list[object]:
    """Return values of another type, and those just beyond the limits."""
    kind = type(setting.default)
    if kind is bool:
        return ["maybe", 3, None, []]
    if kind is str:
        return [3, None, [], "\ud800", *(["no such choice"] if setting.choices else [])]
    if kind is tuple:
        return [3, None, {"a": "b"}, [3], ["a", None], "\ud800"]
    beyond: list[object] = [float("nan"), float("inf"), "many", None, [1], True]
    if setting.limits != "any number":
        beyond.append(setting.most * 2 + 1)
    if setting.above is not None:
        beyond.append(setting.above)
    elif setting.least is not None:
        beyond.append(setting.least - 1)
    if setting.smallest:
        beyond.append(setting.smallest / 2)
    return beyond + ([1.5, 10**400] if kind is int else [])


@pytest.mark.parametrize("key", KEYS)
def test_values_beyond_the_limits_are_refused_by_the_name_of_the_key(key):
    for value in wrong_values(KEYS[key]):
        with pytest.raises(SettingError, match=f"^{re.escape(key)}: |no learner") as refused:
            Recipe().replace({key: value})
        assert "expected" in str(refused.value), value


@pytest.mark.parametrize("key", KEYS)
def test_values_at_the_limits_are_taken(key):
    setting = KEYS[key]
    ends = [setting.default, *setting.choices, setting.least, setting.smallest or None]
    if isinstance(setting.default, (int, float)) and not isinstance(setting.default, bool):
        ends.append(setting.most)
    for value in ends:
        if value is None or key in ("learner", "features", "crfpp"):
            continue
        kept = Recipe().replace({key: value}).to_dict().get(key, setting.default)
        assert kept == (list(value) if isinstance(value, tuple) else value) or kept == setting.default == value


@pytest.mark.parametrize("key", KEYS)
def test_a_key_that_is_misspelt_is_refused_with_the_right_one(key):
    wrong = f"{key[:-1]}qq"
    with pytest.raises(SettingError, match=f"'{re.escape(wrong)}'"):
        Recipe().replace({wrong: KEYS[key].default})


def test_models_hold_their_recipe():
    for name in ("collins-np", "crf", "carreras-ner"):
        recipe = trained(name).model_.recipe
        assert Recipe().replace(recipe.to_dict()) == recipe
