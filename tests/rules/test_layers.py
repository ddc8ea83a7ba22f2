"""Rules in pipelines and on the command line."""

import json

import pytest

from command_line import run
from perceptag import ModelError, Pipeline, Rules, Sentence, Tagger
from perceptag.errors import NotOfferedError, SettingError
from perceptag.pipeline.rule_layers import with_rule_layer

TEXT = """
column = "found"

[[rule]]
label = "PRICE"
value = "money"
tokens = '"$" [digit]'

[[rule]]
label = "CITY"
phrases = { file = "cities.txt" }

[lists]
currencies = { "$" = "USD" }
"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "my.toml").write_text(TEXT)
    (tmp_path / "cities.txt").write_text("New York\nParis\n")
    return tmp_path / "my.toml"


@pytest.fixture(scope="module")
def tagger():
    return Tagger("pos", epochs=2, labels_column="pos").fit([["in", "New", "York"]], [["IN", "NNP", "NNP"]])


def test_rules_are_a_layer_that_survives_its_file(path, tmp_path):
    Pipeline([Rules.load(path)]).save(tmp_path / "rules.pipeline")
    path.unlink()
    (tmp_path / "cities.txt").unlink()
    loaded = Pipeline.load(tmp_path / "rules.pipeline")
    found = loaded.tag([["in", "New", "York", "for", "$", "5"]])[0]
    assert found.columns["found"] == ["O", "B-CITY", "I-CITY", "O", "B-PRICE", "I-PRICE"]
    assert loaded.top.ready.values_of(found) == {(4, 6, "PRICE"): "5 USD"}
    with pytest.raises(NotOfferedError, match="n-best lists: not offered by rules; offered by models that tag"):
        loaded.top.ready.nbest([found], 2)
    with pytest.raises(NotOfferedError, match="confidence: not offered by rules; offered by models that are trained"):
        loaded.top.ready.margins([found])


def test_the_bytes_of_a_layer_do_not_depend_on_the_folder_of_its_file(path, tmp_path):
    Pipeline([Rules.load(path)]).save(tmp_path / "here.pipeline")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for file in (path, tmp_path / "cities.txt"):
        (elsewhere / file.name).write_bytes(file.read_bytes())
    Pipeline([Rules.load(elsewhere / "my.toml")]).save(tmp_path / "there.pipeline")
    assert (tmp_path / "here.pipeline").read_bytes() == (tmp_path / "there.pipeline").read_bytes()


def test_a_layer_of_rules_takes_no_others(path):
    rules = Rules.load(path)
    with pytest.raises(SettingError, match="the layer 'found' of the model has rules already"):
        with_rule_layer(Pipeline([rules]), rules)


def test_rules_come_before_layers_that_may_use_them(path, tagger):
    rules = Rules.load(path)
    assert with_rule_layer(Pipeline([tagger]), rules).names == ["found", "pos"]
    looking = Rules.parse("[[rule]]\nlabel = 'X'\ntokens = '[pos = \"NNP\"]+'\n")
    both = with_rule_layer(Pipeline([tagger]), looking)
    assert both.names == ["pos", "rules"]
    assert both.tag([["in", "New", "York"]])[0].columns["rules"] == ["O", "B-X", "I-X"]


def test_a_damaged_layer_is_refused(path):
    from perceptag.models.rules.tagger import RulesTagger

    model = RulesTagger.of(Rules.load(path)).model
    model.facts["files"] = []
    with pytest.raises(ModelError, match=r"rules: expected the file 'cities.txt' inside the model file, found none"):
        RulesTagger(model)


def test_threads_share_rules(path):
    from concurrent.futures import ThreadPoolExecutor

    rules = Rules.load(path)
    sentences = [[Sentence({"form": ["to", "Paris", str(n), "$", str(k)]}) for k in range(50)] for n in range(8)]
    alone = [Rules.load(path).tag(part) for part in sentences]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(rules.tag, sentences)) == alone


def test_the_command_line_tags_trains_and_checks_with_rules(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    data = tmp_path / "data.txt"
    data.write_text("in O\nParis B-CITY\n\nto O\nNew B-CITY\nYork I-CITY\nParis O\n\n" * 3)
    (tmp_path / "in.txt").write_text("to\nNew\nYork\n")
    tagged = run("tag", "--rules", "my.toml", "--format", "columns", "--columns", "form", "in.txt")
    assert (tagged.status, tagged.out) == (0, "to O\nNew B-CITY\nYork I-CITY\n\n")

    training = ("train", "-r", "basic-ner", "--epochs", "2", "--no-dev", "-q")
    trained = run(*training, "--rules", "my.toml", "--train", str(data), "-m", "m")
    assert trained.status == 0, trained.err
    columns = ("--format", "columns", "--columns", "form", "in.txt")
    assert run("tag", "-m", "m", *columns).status == 2  # it needs the column
    both = run("tag", "-m", "m", "--rules", "my.toml", *columns)
    assert (both.status, both.out.splitlines()[1].split()[1]) == (0, "B-CITY")
    assert run("pipeline", "m", "--rules", "my.toml", "-o", "p", "-q").status == 0
    piped = run("tag", "-m", "p", *columns)
    assert piped.out == both.out

    checked = run("check", "--rules", "my.toml", str(data), "--json")
    figures = {one["rule"]: one for one in json.loads(checked.out)["rules"]}
    assert (figures["CITY-2"]["chosen"], figures["CITY-2"]["right"]) == (9, 6)
    assert figures["PRICE-1"]["fires"] == 0
    shown = run("check", "--rules", "my.toml", str(data)).out
    assert "never fired: PRICE-1" in shown
    assert "66.7 %" in shown

    nothing = run("tag", "in.txt")
    assert "--model: expected a model, or --rules FILE for rules alone; found neither\n" in nothing.err


def test_a_layer_of_rules_is_chosen_by_name_and_shown_with_the_others(path, tagger, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tagger.save("m")
    (tmp_path / "in.txt").write_text("in\nNew\nYork\n")
    options = ("--rules", "my.toml", "--format", "columns", "--columns", "form", "in.txt")
    chosen = run("tag", "-m", "m", "--layer", "found", *options)
    assert (chosen.status, chosen.out) == (0, "in O\nNew B-CITY\nYork I-CITY\n\n")
    shown = run("tag", "-m", "m", "--pretty", *options)
    assert (shown.status, shown.out) == (0, "in/IN [New/NNP York/NNP CITY]\n")
    wrong = run("tag", "--layer", "pos", *options)
    assert (wrong.status, wrong.out) == (2, "")
    assert "--layer: expected one of found; found 'pos'" in wrong.err


def test_spans_of_files_of_sentences_are_listed_in_json_lines(path, tagger, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tagger.save("m")
    rows = ["to", "New", "York", "for", "$", "5"]
    after = {"$": "SpaceAfter=No"}
    lines = [f"{n}\t{word}" + "\t_" * 7 + f"\t{after.get(word, '_')}" for n, word in enumerate(rows, 1)]
    (tmp_path / "a.conllu").write_text("\n".join(lines) + "\n\n")
    price = {"layer": "found", "label": "PRICE", "start": 4, "end": 6, "text": "$5", "value": "5 USD"}
    city = {"layer": "found", "label": "CITY", "start": 1, "end": 3, "text": "New York"}
    options = ("tag", "-m", "m", "--rules", "my.toml", "--to", "jsonl")
    first = run(*options, "a.conllu", "-o", "b.jsonl")
    assert first.status == 0, first.err
    assert json.loads((tmp_path / "b.jsonl").read_text())["spans"] == [city, price]
    again = json.loads((tmp_path / "b.jsonl").read_text()) | {"spans": [city]}  # as if the rules were changed since
    (tmp_path / "c.jsonl").write_text(json.dumps(again) + "\n")
    assert json.loads(run(*options, "c.jsonl").out)["spans"] == [city, price]
    foreign = [{"start": 0, "end": 4, "label": "X"}]
    (tmp_path / "d.jsonl").write_text(json.dumps({"tokens": rows, "spans": foreign}) + "\n")
    assert json.loads(run(*options, "d.jsonl").out)["spans"] == foreign
