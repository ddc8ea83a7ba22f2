"""``--add``: templates from the command line, in addition to those of the recipe."""

from __future__ import annotations

import json

from command_line import TOY, succeed, toy_model
from perceptag import Tagger
from perceptag.recipe.recipe import load

NEW = "form[0] pos[2]"


def test_a_template_is_added_and_stored(tmp_path):
    model = toy_model(tmp_path, "--add", NEW, "--add", "shape[0]")
    recipe = Tagger.load(str(model)).model_.recipe
    assert recipe.templates == (*load("collins-np").templates, NEW, "shape[0]")
    top = json.loads(succeed("inspect", model, "--json").out)
    assert NEW in top["recipe"]["templates"]


def test_python_has_it_as_an_argument_and_warm_starts_add_nothing_twice():
    X, y = [["a", "b"]], [["X", "Y"]]
    tagger = Tagger(add=["form[-1] form[1]"], epochs=1).fit(X, y)
    first = tagger.model_.recipe.templates
    assert first[-1] == "form[-1] form[1]"
    assert tagger.set_params(warm_start=True).fit(X, y).model_.recipe.templates == first


def test_ablation_measures_what_was_added(tmp_path):
    data = tmp_path / "toy.txt"
    data.write_text(TOY)
    common = ("-r", "chunk", "--columns", "form,pos,chunk", "--train", data, "--dev", data, "-s", "epochs=1", "-j", 1)
    out = succeed("tune", "--ablate", *common, "--set", f"add={NEW}", "--json").out
    assert {loss["group"]: loss["templates"] for loss in json.loads(out)["groups"]}["added"] == 1
    tuned = tmp_path / "t.toml"
    succeed("tune", *common, "--set", f"add={NEW}", "--trials", 1, "--output", tuned, "-q")
    assert NEW in load(str(tuned)).templates
