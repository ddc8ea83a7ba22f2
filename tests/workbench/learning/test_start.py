"""A model to start from: its labels are a column."""

from __future__ import annotations

from dataclasses import replace

import pytest

from loop_toys import PEOPLE, PLACES, example, examples, sentence, text
from perceptag import Pipeline, Tagger
from perceptag.errors import ModelError, SettingError
from perceptag.models.kinds import make_ready
from perceptag.models.model_file import load_bytes
from perceptag.workbench.learning.messages import AddTexts, Label, LearningFailed, PoolScored, Setup, Trained, Update
from perceptag.workbench.learning.project_trainer import ProjectTrainer
from perceptag.workbench.learning.recipes import START, Start, loop_recipe
from perceptag.workbench.learning.training import train


@pytest.fixture(scope="module")
def path(tmp_path_factory) -> str:
    """A pipeline that knows capitals, and names in a scheme of its own."""
    tokens = [sentence(i)[0] for i in range(1, 40)]
    capitals = [["up" if word[0].isupper() else "low" for word in words] for words in tokens]
    names = [[{"B-PER": "S-PER", "B-LOC": "S-LOC"}.get(y, y) for y in sentence(i)[1]] for i in range(1, 40)]
    case = Tagger("collins-pos", epochs=3, labels_column="case").fit(tokens, capitals)
    ner = Tagger(loop_recipe("spans", label="ner")).fit(tokens, names)
    target = tmp_path_factory.mktemp("start") / "two.model"
    Pipeline([case, ner]).save(target)
    return str(target)


def test_the_layer_is_the_last_of_the_kind_or_the_one_that_is_named(path):
    assert Start.load(path, "spans").layer.name == "ner"
    assert Start.load(path, "tags").layer.name == "case"
    assert Start.load(f"{path}:case", "spans").layer.name == "case"
    with pytest.raises(SettingError, match="layer: expected one of case, ner"):
        Start.load(f"{path}:other", "spans")
    with pytest.raises(ModelError, match=r"nothing\.model"):
        Start.load("nothing.model", "spans")


def test_its_labels_are_a_column_as_it_writes_them(path):
    start = Start.load(path, "spans")
    assert start.add([text(6)])[0].columns[START] == ["O", "S-PER", "O", "O", "S-LOC", "O"]


def test_the_loop_looks_at_the_column(path):
    events = []
    recipe = loop_recipe("spans", [START])
    worker = ProjectTrainer(Setup("spans", recipe, start=path), events.append)
    worker.handle(AddTexts([text(i) for i in range(1, 61)]))
    worker.handle(Update(5, {i: Label(i, sentence(i)[1], in_sample=True) for i in range(1, 13)}))
    while worker.step():
        pass
    trained = next(event for event in events if isinstance(event, Trained))
    start = Start.load(path, "spans")
    known = [example(e.text.id) for e in examples(12)]
    texts = start.add([one.text for one in known])
    expected = [replace(one, text=text) for one, text in zip(known, texts, strict=True)]
    assert trained.data == train(expected, recipe)
    assert make_ready(load_bytes(trained.data)).input_columns() == ["form", START]
    assert sum(len(event.scores) for event in events if isinstance(event, PoolScored)) == 48
    new = start.add([text(1).__class__(99, ["Mr", PEOPLE[5], "sings", "in", PLACES[5]])])
    assert make_ready(load_bytes(trained.data)).tag([new[0].sentence()]) == [["O", "B-PER", "O", "O", "B-LOC"]]


def test_sentences_that_are_known_keep_the_column_when_they_are_told_again(path):
    events = []
    worker = ProjectTrainer(Setup("spans", loop_recipe("spans", [START]), start=path), events.append)
    worker.handle(AddTexts([text(i) for i in range(1, 31)]))
    worker.handle(Update(12, {i: Label(i, sentence(i)[1], in_sample=True) for i in range(1, 13)}))
    while worker.step():
        pass
    worker.handle(AddTexts([text(i) for i in range(1, 41)]))
    worker.handle(Update(13, {13: Label(13, sentence(13)[1], in_sample=True)}))
    while worker.step():
        pass
    assert not [event for event in events if isinstance(event, LearningFailed)]
    assert [event.upto for event in events if isinstance(event, Trained)][-1] == 13
