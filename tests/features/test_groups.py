"""Named groups of templates, optional columns, and recipes written to files."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from perceptag import Sentence, Tagger
from perceptag.errors import SettingError
from perceptag.features.groups import join, leave_out, split
from perceptag.features.template_checks import leave_out_missing, rename_column
from perceptag.models.task import make_task
from perceptag.recipe.recipe import Recipe, load
from perceptag.recipe.toml_writer import to_toml

GROUPED = """
epochs = 3
[templates]
words = ["form[0]", "form[-1]"]
affixes = ["suffix3[0]"]
"""


def grouped(folder: Path) -> Recipe:
    path = folder / "mine.toml"
    path.write_text(GROUPED)
    return load(str(path))


def test_a_table_of_templates_is_a_list_with_names(tmp_path: Path):
    recipe = grouped(tmp_path)
    assert recipe.templates == ("form[0]", "form[-1]", "suffix3[0]")
    assert recipe.groups == ("words=2", "affixes=1")


def test_groups_are_left_out(tmp_path: Path):
    recipe = grouped(tmp_path).replace({"without": "words"})
    assert (recipe.templates, recipe.groups) == (("suffix3[0]",), ("affixes=1",))
    with pytest.raises(SettingError, match="without: expected one of words, affixes; found 'word'; did you mean"):
        grouped(tmp_path).replace({"without": ["word"]})
    with pytest.raises(SettingError, match="expected nothing, since the templates have no groups; found 'words'"):
        load("collins-np").replace({"without": ["words"]})


def test_new_templates_have_no_groups(tmp_path: Path):
    assert grouped(tmp_path).replace({"templates": ["form[0]"]}).groups == ()
    assert Recipe().replace({"features": "chunk"}).groups == load("chunk").groups


def test_split_and_join_are_inverse():
    parts = {"a": ("1", "2"), "b": ("3",), "": ("4",)}
    assert split(*join(parts)) == parts
    assert join({"a": (), "b": ("3",)}) == (("3",), ("b=1",))
    assert leave_out(("1", "2"), (), ()) == (("1", "2"), ())


# --- columns that may be missing ---


def test_templates_of_missing_columns_are_left_out():
    templates, groups, notes = leave_out_missing(
        ("form[0]", "pos[0]", "form[0] pos[1]", "c1..2[0]"), ("a=1", "b=3"), ("pos", "c1"), ("form", "c2")
    )
    assert (templates, groups) == (("form[0]", "c2[0]"), ("a=1", "b=1"))
    assert [note.split(": ")[1] for note in notes] == ["2 templates left out", "1 template left out"]


def test_the_user_is_told_and_the_model_knows():
    data = [Sentence({"form": ["a", "b"], "label": ["B-X", "O"]})] * 3
    task = make_task(load("chunk"), data)
    assert not any("pos" in template for template in task.recipe.templates)
    assert "the data has no column 'pos'" in task.notes[0]
    tagger = Tagger("chunk", epochs=1).fit([["a", "b"]], [["B-X", "O"]])
    assert tagger.model_.recipe.templates == task.recipe.templates


def test_the_labels_are_no_column_to_look_at():
    data = [Sentence({"form": ["a", "b"], "pos": ["X", "Y"], "chunk": ["B-X", "O"]})] * 3
    task = make_task(load("ner").replace({"labels.column": "chunk"}), data)
    assert any("pos" in template for template in task.recipe.templates)
    assert not any("chunk" in template for template in task.recipe.templates)


@pytest.mark.parametrize(
    ("template", "renamed"),
    [
        ("pos[0]", "c1[0]"),
        ("form[0] pos.prefix1[-1] * y-1 y0", "form[0] c1.prefix1[-1] * y-1 y0"),
        ("xpos[0] doc_pos[0] form.pos[0]", "xpos[0] doc_pos[0] form.pos[0]"),
        ("pos[-2..2]", "c1[-2..2]"),
    ],
)
def test_columns_are_renamed(template: str, renamed: str):
    assert rename_column(template, {"pos": "c1"}) == renamed


# --- recipes written to files ---


def test_odd_values_are_read_back_equal(tmp_path: Path):
    recipe = Recipe(
        name="odd",
        description='quotes " and \\ and \x7f and \n and ü',
        learner="margin",
        tolerance=1e-7,
        templates=("form[0]", "form[1]", "form[2]"),
        groups=("two words=1", "plain=1"),
        labels_keep=("A", "B" * 200),
    ).replace({"margin": 0.125})
    path = tmp_path / "odd.toml"
    path.write_text(to_toml(recipe), encoding="utf-8")
    assert load(str(path)) == recipe
    named = dataclasses.replace(recipe, groups=("two words=1", "plain=2"))
    path.write_text(to_toml(named), encoding="utf-8")
    assert '"two words" = ["form[0]"]' in path.read_text(encoding="utf-8")
    assert load(str(path)) == named


def test_comments_stand_beside_their_keys():
    notes = {"epochs": "was 10", "nonlocal.scale": "was 1"}
    text = to_toml(Recipe().replace({"learner": "ascent", "epochs": 5, "nonlocal.scale": 2}), notes, ["made by hand"])
    assert text == ('# made by hand\n\nlearner = "ascent"\nepochs = 5  # was 10\n\n[nonlocal]\nscale = 2  # was 1\n')


def test_what_the_learner_does_not_use_is_left_out(tmp_path: Path):
    recipe = load("margin-ner").replace({"learner": "perceptron"})
    assert "margin" not in to_toml(recipe).splitlines()
    path = tmp_path / "plain.toml"
    path.write_text(to_toml(recipe))
    assert load(str(path)) == recipe.replace({"name": "plain", "margin": 0})
