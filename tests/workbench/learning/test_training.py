"""Training of the loop: the same labels give the same file."""

from __future__ import annotations

import pytest

from loop_toys import example, examples, sentence
from perceptag.errors import SettingError
from perceptag.models.kinds import make_ready
from perceptag.models.model_file import load_bytes
from perceptag.tagger import Tagger
from perceptag.text.sentence import Sentence
from perceptag.workbench.learning.messages import Example, Text, in_order
from perceptag.workbench.learning.recipes import loop_recipe, usable_columns
from perceptag.workbench.learning.training import can_train, train


def test_the_same_examples_give_the_same_bytes_in_whatever_order_they_are_found():
    recipe, some = loop_recipe("spans"), examples(20)
    first = train(in_order(some), recipe)
    assert first == train(in_order(reversed(some)), recipe)
    assert first != train(in_order(some[:-1]), recipe)


def test_the_model_is_the_one_of_perceptag_train_with_the_recipe(tmp_path):
    recipe, some = loop_recipe("spans"), examples(20)
    tagger = Tagger(recipe).fit([e.text.tokens for e in some], [e.labels for e in some])
    tagger.save(tmp_path / "toy.model")
    assert (tmp_path / "toy.model").read_bytes() == train(some, recipe)


def test_spans_are_learned_and_written_in_the_scheme_of_the_project():
    ready = make_ready(load_bytes(train(examples(30), loop_recipe("spans"))))
    assert ready.tag([Sentence({"form": ["Mr", "Newman", "sings", "in", "Rome"]})]) == [
        ["O", "B-PER", "O", "O", "B-LOC"]
    ]
    assert ready.model.label_set.column == "label"


def test_two_labels_are_needed():
    assert not can_train([])
    assert not can_train([Example(Text(1, ["a", "b"]), ["O", "O"], 1)])
    assert can_train([example(2)])


def test_further_columns_are_looked_at():
    def marked(i: int) -> Example:
        tokens, labels = sentence(i)
        names = ["name" if label != "O" else "other" for label in labels]
        return Example(Text(i, tokens, {"pos": names}), labels, i)

    recipe = loop_recipe("spans", ["pos"])
    assert "pos[0]" in recipe.templates or "pos[-2..2]" in recipe.templates
    ready = make_ready(load_bytes(train([marked(i) for i in range(1, 31)], recipe)))
    assert ready.input_columns() == ["form", "pos"]


def test_columns_of_few_values_with_plain_names_are_usable():
    columns = {"form": list("abcdefgh"), "pos": ["N", "V"] * 4, "lemma": list("abcdefgh"), "lower": ["x", "y"] * 4}
    assert usable_columns([Sentence({**columns, "a b": ["1", "2"] * 4})]) == ["pos"]
    assert usable_columns([]) == []


def test_settings_of_the_user_come_last_and_other_kinds_are_refused():
    assert loop_recipe("spans", settings={"epochs": 3}).epochs == 3
    with pytest.raises(SettingError, match="kind: expected spans or tags, found 'trees'"):
        loop_recipe("trees")
