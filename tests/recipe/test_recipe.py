"""Recipes that take their features from other recipes."""

from __future__ import annotations

from pathlib import Path

import pytest

from perceptag.errors import SettingError
from perceptag.recipe.recipe import Recipe, load


def test_features_come_from_another_recipe():
    changed = load("collins-pos").replace({"features": "collins-np"})
    assert changed.templates == load("collins-np").templates != load("collins-pos").templates
    assert changed.features == "collins-np"
    assert changed.epochs == load("collins-pos").epochs


def test_gazetteers_belong_to_the_features():
    assert Recipe().replace({"features": "margin-ner"}).gazetteer == load("margin-ner").gazetteer != ()


def test_templates_take_the_place_of_features_and_the_other_way_round():
    borrowed = Recipe().replace({"features": "collins-np"})
    assert borrowed.replace({"templates": ["form[0]"]}).features == ""
    assert Recipe().replace({"templates": ["form[0]"]}).replace({"features": "collins-np"}) == borrowed


def test_settings_written_out_are_read_back_without_the_other_recipe(tmp_path: Path):
    own = tmp_path / "own.toml"
    own.write_text("templates = ['form[0]']")
    borrowed = Recipe().replace({"features": str(own)})
    own.unlink()
    assert Recipe().replace(borrowed.to_dict()) == borrowed


def test_recipes_that_borrow_cannot_lend(tmp_path: Path):
    borrower = tmp_path / "borrower.toml"
    borrower.write_text("features = 'collins-np'")
    assert load(str(borrower)).templates == load("collins-np").templates
    with pytest.raises(SettingError, match="features: the recipe 'borrower' has no features of its own; use 'collins-"):
        Recipe().replace({"features": str(borrower)})


def test_features_of_an_unknown_recipe():
    with pytest.raises(SettingError, match="unknown recipe 'collins-mp'; did you mean 'collins-np'"):
        Recipe().replace({"features": "collins-mp"})
