"""Rules for the labels of a model join its search, in every way in which a layer is used."""

import dataclasses
import inspect
import pickle

import pytest

from command_line import run
from perceptag import ModelError, Pipeline, Rules, Sentence, Tagger, Tokenizer
from perceptag.errors import NotOfferedError
from perceptag.models import model_file
from perceptag.models.kinds import make_ready
from perceptag.models.protocol import ReadyModel
from perceptag.models.rules.ruled_model import RuledModel
from perceptag.pipeline.rule_layers import with_rule_layer
from text_toys import conllu, treebank

RULES = """
column = "ner"

[[rule]]
name = "ships"
label = "PER"
phrases = ["Paris"]
value = "text"

[[rule]]
name = "not-a-place"
label = "LOC"
say = "forbid"
tokens = '"Rome"'
"""
WORDS = [["in", "Paris", "now"], ["Ann", "met", "Bob"], ["New", "York", "is", "big"], ["Rome", "or", "Oslo"]] * 2
LABELS = [["O", "B-LOC", "O"], ["B-PER", "O", "B-PER"], ["B-LOC", "I-LOC", "O", "O"], ["B-LOC", "O", "B-LOC"]] * 2
SENTENCES = [Sentence({"form": words}) for words in WORDS[:4]]
RULED = [["O", "B-PER", "O"], ["B-PER", "O", "B-PER"], ["B-LOC", "I-LOC", "O", "O"], ["O", "O", "B-LOC"]]


@pytest.fixture(scope="module")
def tagger():
    return Tagger("basic-ner", epochs=3, labels_column="ner").fit(WORDS, LABELS)


@pytest.fixture(scope="module")
def ruled(tagger):
    return Pipeline([tagger, Rules.parse(RULES)])


@pytest.fixture
def folder(tagger, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tagger.save("ner.model")
    (tmp_path / "my.toml").write_text(RULES)
    (tmp_path / "in.txt").write_text("\n".join("\n".join(words) + "\n" for words in WORDS[:4]))
    return tmp_path


def tagged(pipeline, words=WORDS[:4]):
    return [sentence.columns["ner"] for sentence in pipeline.tag(words)]


def test_labels_are_the_best_that_the_rules_leave(tagger, ruled):
    assert tagger.predict(WORDS[:4]) == LABELS[:4] != RULED
    assert tagged(ruled) == RULED
    assert ruled.names == ["ner"]
    assert tagged(with_rule_layer(Pipeline([tagger]), Rules.parse(RULES))) == RULED
    assert tagged(Pipeline([Pipeline([tagger]), Rules.parse(RULES)])) == RULED
    assert ruled.top.ready.values_of(SENTENCES[0]) == {(1, 2, "PER"): "Paris"}


def test_a_file_keeps_rules_with_their_model(tagger, ruled, tmp_path):
    sha = ruled.save(tmp_path / "p")
    loaded = Pipeline.load(tmp_path / "p")
    assert tagged(loaded) == RULED
    assert loaded.save(tmp_path / "again") == sha
    assert tagged(pickle.loads(pickle.dumps(ruled))) == RULED
    assert ruled.save(tmp_path / "small", compress=True)
    assert tagged(Pipeline.load(tmp_path / "small")) == RULED
    assert tagger.predict(WORDS[:1]) == LABELS[:1]  # the model itself is as it was


def test_other_questions_are_answered_under_the_rules(ruled):
    ready = ruled.top.ready
    assert [margins.labels for margins in ready.margins(SENTENCES)] == RULED
    assert [lists[0][0] for lists in ready.nbest(SENTENCES, 2)] == RULED
    assert all(labels[1] == "B-PER" for labels, _ in ready.nbest(SENTENCES, 5)[0])
    explained = ready.explain(SENTENCES[:1])[0]
    assert "rule ships forces PER" in explained.render()


def test_every_method_keeps_to_the_rules_or_is_refused(ruled):
    """A method that `RuledModel` inherits must not answer for the inner model: it is refused, or says nothing."""
    ready = ruled.top.ready
    assert isinstance(ready, RuledModel)
    assert not (ready.takes_types or ready.takes_typed_text or ready.takes_column_text)
    assert ready.ready.takes_types  # so there is a fast path that would ignore them
    assert ready.tag_lists(WORDS) is None
    refused = {
        "tag_given": ([], []),
        "explain_given": ([], []),
        "inference_orders_given": ([], []),
        "tag_column_text": (None, []),
        "tag_types": ({}, None),
        "set_outside_score": (1.0,),
        "part_scores": ([],),
    }
    for name, arguments in refused.items():
        with pytest.raises(NotOfferedError):
            getattr(ready, name)(*arguments)
    neutral = {"margins", "require", "tag_lists", "labels_by_outside_score"}  # in terms of the others
    methods = {name for name, _ in inspect.getmembers(ReadyModel, inspect.isfunction) if not name.startswith("_")}
    assert methods - set(vars(RuledModel)) == {*refused, *neutral}


@pytest.mark.parametrize("way", ["columns", "conllu", "jsonl", "inline"])
def test_no_way_of_tagging_files_ignores_rules(folder, way):
    asked = ("--format", "columns", "--columns", "form", "in.txt")
    source = asked
    if way == "conllu":
        (folder / "in.conllu").write_text(conllu(*(" ".join(words) for words in WORDS[:4])))
        source = ("in.conllu", "--label", "upos")
    to = ("--to", way) if way in ("jsonl", "inline") else ()
    plain = run("tag", "-m", "ner.model", *source, *to)
    ruled = run("tag", "-m", "ner.model", "--rules", "my.toml", *source, *to)
    assert (plain.status, ruled.status) == (0, 0), ruled.err
    assert plain.out.count("B-PER") == 2
    assert ruled.out.count("B-PER") == 3
    assert run("pipeline", "ner.model", "--rules", "my.toml", "-o", "p", "-q").status == 0
    assert run("tag", "-m", "p", *source, *to).out == ruled.out
    given = run("tag", "-m", "p", "--keep-given", "--columns", "form,ner", "in.txt", "--format", "columns")
    assert given.status != 0


def test_running_text_keeps_to_the_rules(tagger, tmp_path):
    plain = Pipeline([Tokenizer(epochs=3).fit(treebank("¶in Oslo now", "¶in Paris") * 2), tagger])
    ruled = with_rule_layer(plain, Rules.parse(RULES))
    assert [span.label for span in plain("in Paris now").spans] == ["LOC"]
    assert [(span.label, span.value) for span in ruled("in Paris now").spans] == [("PER", "Paris")]
    ruled.save(tmp_path / "p")
    (tmp_path / "in.txt").write_text("in Paris now")
    found = run("tag", "-m", str(tmp_path / "p"), str(tmp_path / "in.txt"), "--to", "columns")
    assert "Paris B-PER" in found.out


def test_rules_look_at_columns_that_the_model_does_not_use(tagger):
    looking = Rules.parse("column = 'ner'\n[[rule]]\nlabel = 'PER'\ntokens = '[pos = \"X\"]'\n")
    pipeline = Pipeline([tagger, looking])
    assert pipeline.inputs == ["form", "pos"]
    [found] = pipeline.tag([Sentence({"form": ["in", "Paris", "now"], "pos": ["A", "X", "A"]})])
    assert found.columns["ner"] == RULED[0]


@pytest.mark.parametrize("change", [{"rules": 1}, {"rules": {"of": "ruled", "files": []}}, {"rules": {"files": []}}])
def test_a_damaged_file_is_refused(ruled, change):
    model = ruled.top.ready.model
    with pytest.raises(ModelError):
        make_ready(dataclasses.replace(model, facts={**model.facts, **change}))


OPEN = """
column = "ner"

[[rule]]
name = "names"
label = "PER"
say = "suggest"
phrases = ["kim", "lee"]
"""


def test_training_chooses_the_weight_that_rules_leave_open(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    train = "we O\nsaw O\nAnn B-PER\n\nAnn B-PER\nsaw O\nus O\n\nthey O\nmet O\nOslo B-LOC\n\n" * 2
    (tmp_path / "train.txt").write_text(train)
    dev = "we O\nmet O\nkim B-PER\n\nthey O\nmet O\nlee B-PER\n\nthey O\nmet O\nOslo B-LOC\n"
    (tmp_path / "dev.txt").write_text(dev)
    (tmp_path / "open.toml").write_text(OPEN)
    words = ("train", "-r", "basic-ner", "--epochs", "2", "--columns", "form,ner", "--train", "train.txt", "-m", "m")
    chosen = run(*words, "--dev", "dev.txt", "--rules", "open.toml")
    assert chosen.status == 0, chosen.err
    [line] = [line for line in chosen.err.splitlines() if line.startswith("rules names: weight = ")]
    about = model_file.load("m").manifest["rules"]
    assert about["weight"] > 0, about
    assert f"weight = {about['weight']:g} is the best on dev data: 100.00" in line
    assert dict(map(tuple, about["tried"]))[about["weight"]] == 100
    (tmp_path / "new.txt").write_text("we\nmet\nlee\n")
    (tmp_path / "open.toml").write_text(OPEN + f"weight = {about['weight']:g}\n")
    ruled = run("tag", "-m", "m", "--rules", "open.toml", "--format", "columns", "--columns", "form", "new.txt")
    assert ruled.out.splitlines()[2] == "lee B-PER"

    (tmp_path / "again.toml").write_text(OPEN)
    blind = run(*words, "--no-dev", "--rules", "again.toml")
    assert "--rules: expected --dev data, to choose the weight of rule 'names' on" in blind.err


def test_check_compares_with_the_layer_that_the_rules_are_for(folder):
    letters = [["first", *["other"] * (len(words) - 1)] for words in WORDS]
    last = Tagger("pos", epochs=1, labels_column="last").fit(WORDS, letters)
    Pipeline(["ner.model", last]).save("two")
    (folder / "my.toml").write_text("column = 'ner'\n[[rule]]\nname = 'oslo'\nlabel = 'LOC'\nphrases = ['Oslo']\n")
    columns = ("--format", "columns", "--columns", "form")
    found = run("check", "--rules", "my.toml", "in.txt", *columns, "-m", "two")
    (row,) = (line.split() for line in found.out.splitlines() if "oslo" in line)
    assert row == ["oslo", "LOC", "1", "1", "1", "Oslo"], found.err  # the model of the layer repeats the rule
