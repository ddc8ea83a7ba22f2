"""Templates for word classes and lists: which recipes have them, when they are added, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from class_files import toy_class_file
from perceptag import Sentence, SettingError, Tagger
from perceptag.features.class_attributes import check_classes, class_attributes, refuse_own_names, write_out_sizes
from perceptag.features.class_table import WordClassTable
from perceptag.features.groups import split
from perceptag.features.template import parse_all
from perceptag.models.class_file import write_classes
from perceptag.recipe import auto
from perceptag.recipe.recipe import Recipe, load
from perceptag.recipe.toml_writer import to_toml
from perceptag.training.train import Training
from toys import make_recipe

CLASSES = WordClassTable((2, 16), ("the", "Paris"), np.array([3, 1]), np.array([[0, 4], [1, 15]]))
DATA = [Sentence({"form": ["the", "dog"], "pos": ["D", "N"], "label": ["X", "Y"]})]
X, Y = [["the", "dog"], ["a", "cat"]], [["D", "N"], ["D", "N"]]


# --- recipes ---


@pytest.mark.parametrize("name", ["pos", "chunk", "ner"])
def test_recipes_have_templates_for_classes(name):
    plain, found = load(name), load(name).replace({"classes": "words.classes"})
    assert plain.class_templates
    assert split(found.templates, found.groups)["classes"] == plain.class_templates
    assert found.templates[: len(plain.templates)] == plain.templates
    assert found.replace({"epochs": 3}).templates == found.templates
    assert found.replace({"classes": "other.classes"}).templates == found.templates
    assert found.replace({"without": "classes"}).templates == plain.templates
    assert found.replace({"without": "classes"}).replace({"seed": 1}).templates == plain.templates


def test_other_templates_for_classes():
    recipe = load("pos").replace({"classes": "c", "class_templates": "class64[0],pos[0] class64[1]"})
    assert split(recipe.templates, recipe.groups)["classes"] == ("class64[0]", "pos[0] class64[1]")
    borrowed = load("maxent").replace({"features": "pos", "classes": "c"})
    assert borrowed.templates == load("pos").replace({"classes": "c"}).templates
    own = load("pos").replace({"templates": ["form[0]", "class64[0]"], "classes": "c"})
    assert own.templates == ("form[0]", "class64[0]")


def test_a_recipe_file_with_classes_reads_as_it_was_written(tmp_path):
    recipe = load("ner").replace({"classes": "words.classes", "epochs": 2})
    (tmp_path / "ner.toml").write_text(to_toml(recipe))
    assert load(str(tmp_path / "ner.toml")) == recipe


def test_auto_adds_templates_under_the_names_of_the_data():
    settings = {"classes": "c", "labels.column": "label"}
    base = load("chunk").replace({"class_templates": ["pos[0] classN[1]", "lower.classN[0]"]})
    renamed = auto._rename(base, {"pos": "xpos"})
    assert renamed.class_templates == ("xpos[0] classN[1]", "lower.classN[0]")
    assert auto._look_at(renamed, ["more"]).class_templates == renamed.class_templates
    chosen, choice = auto.fitted(auto.changed(load("auto"), settings), settings, DATA)
    assert choice is not None and chosen.name == "pos"
    assert split(chosen.templates, chosen.groups)["classes"] == load("pos").class_templates


def test_a_model_stores_the_templates_that_it_uses():
    assert "class_templates" not in load("pos").to_dict()
    stored = load("pos").replace({"classes": "c"}).to_dict()
    assert stored["classes"] == "c"
    assert "class_templates" not in stored
    assert Recipe().replace(stored).templates == tuple(stored["templates"])


# --- classN ---


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("classN[-2..2]", ["class2[-2..2]", "class16[-2..2]"]),
        ("classN[0] pos[1] * y-1 y0", ["class2[0] pos[1] * y-1 y0", "class16[0] pos[1] * y-1 y0"]),
        ("lower.classN[0]", ["lower.class2[0]", "lower.class16[0]"]),
        ("pos.classN.prefix1[0]", ["pos.class2.prefix1[0]", "pos.class16.prefix1[0]"]),
        ("myclassN[0]", ["myclassN[0]"]),
        ("class2[0]", ["class2[0]"]),
    ],
)
def test_every_size_is_written_out(template, expected):
    assert write_out_sizes(("bias", template), (), (2, 16), ["form"]) == (("bias", *expected), ())
    grouped = write_out_sizes(("bias", template), ("a=1", "b=1"), (2, 16), ["form"])
    assert split(*grouped) == {"a": ("bias",), "b": tuple(expected)}


def test_a_column_with_the_name_of_a_class_stays_a_column():
    (found, _) = write_out_sizes(("classN[0]",), (), (2, 16), ["form", "class2"])
    assert found == ("form.class2[0]", "class16[0]")
    data = [Sentence({"form": ["the"], "class8": ["q"], "label": ["X"]})]
    recipe = make_recipe(templates=("class8[0]", "classN[0]"), classes=toy_class_file(), epochs=1)
    facts = Training(recipe, data).model().facts
    assert facts["templates"] == ["class8[0]", "form.class8[0]", "class24[0]"]


def test_attributes_of_classes():
    of = class_attributes(CLASSES)
    assert list(of) == ["class2", "class16", "endings"]
    assert [of["class16"](word) for word in ("the", "PARIS", "London")] == ["4", "15", None]
    assert [of["class2"].name_of(value) for value in ("1", "0", "2", "-1", "x", "٣")] == [
        *("Paris", "the", "2", "-1", "x", "٣")
    ]
    assert of["class16"].name_of("7") == "7"  # a class without words


# --- refusals ---


def test_templates_need_a_class_file_with_their_size():
    with pytest.raises(SettingError, match=r"template 'class9\[0\]': expected a file of word classes for 'class9'"):
        check_classes(parse_all(["form[0]", "class9[0]"]), None, ())
    with pytest.raises(SettingError, match=r"template 'lower.class9\[0\]': expected one of class2, class16, the sizes"):
        check_classes(parse_all(["lower.class9[0]"]), CLASSES, ())
    check_classes(parse_all(["class9[0]", "class[0]", "class_2[0]"]), CLASSES, ["class9"])
    with pytest.raises(SettingError, match="'class16' is an attribute of word classes; expected another name"):
        refuse_own_names(["x", "class16"], CLASSES)


def test_attributes_of_the_user_with_such_names():
    own = {"class8": str.upper}
    tagger = Tagger("collins-pos", attributes=own, add=["class8[0]"], epochs=1).fit(X, Y)
    assert "class8[0]" in tagger.model_.facts["templates"]
    with pytest.raises(SettingError, match="attributes: 'class8' is an attribute of word classes"):
        Tagger("collins-pos", attributes=own, add=["class24[0]"], classes=toy_class_file(), epochs=1).fit(X, Y)


def test_classes_that_no_template_looks_at_are_told():
    recipe = load("collins-pos").replace({"classes": toy_class_file(), "labels.column": "label"})
    told = [note for note in Training(recipe, DATA).task.notes if "word classes" in note]
    assert told == ["warning: no template looks at word classes; --add 'classN[0]' adds one for every size"]
    assert "classes" not in Training(recipe, DATA).model().facts


# --- lists ---


def test_lists_bring_their_templates():
    recipe = load("pos").replace({"add_gazetteer": ["city=a.txt", "name~=b.txt"]})
    assert recipe.gazetteer == ("city=a.txt", "name~=b.txt")
    assert split(recipe.templates, recipe.groups)["gazetteer"] == ("gazetteer[-1..1]",)
    again = recipe.replace({"add_gazetteer": ["city=a.txt", "x=c.txt"]})
    assert again.gazetteer == ("city=a.txt", "name~=b.txt", "x=c.txt")
    assert again.templates == recipe.templates
    ner = load("ner").replace({"add_gazetteer": "city=a.txt"})
    assert ner.gazetteer == ("train", "city=a.txt")
    assert ner.templates == load("ner").templates
    plain = load("collins-pos").replace({"add_gazetteer": "city=a.txt"})
    assert plain.templates[-1] == "gazetteer[-1..1]"


def test_endings_go_with_the_model(tmp_path):
    words = ("walk", "walks", "talk", "talks", "dog", "dogs")
    classes = WordClassTable((2,), words, np.arange(6, 0, -1), np.array([[0], [1]] * 3))
    path = str(tmp_path / "w.classes")
    write_classes(classes, path)
    tagger = Tagger("collins-pos", classes=path, add=["form.endings[0]"], epochs=1).fit(X, Y)
    tagger.save(str(tmp_path / "m"))
    assert tagger.model_.facts["classes"]["endings"] == [["", "s"], ["s", ""]]
    assert Tagger.load(str(tmp_path / "m")).predict(X) == tagger.predict(X)
    with pytest.raises(SettingError, match=r"template 'endings\[0\]': expected a file of word classes"):
        Tagger("collins-pos", add=["form.endings[0]"], epochs=1).fit(X, Y)
