"""`perceptag build`: from a folder of CoNLL-U to a pipeline; interrupted, repeated, and refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from asked import Asked
from command_line import run, succeed
from perceptag import DataError, Pipeline, Sentence, Tokenizer
from perceptag.building import builder as building
from perceptag.building.builder import TrainedLayer, candidates, choose
from perceptag.building.language_file import Language
from perceptag.building.mean_tokenizer import fit_mean
from perceptag.building.treebank_folder import TreebankData, read_folder
from perceptag.labels.label_set import LabelSet
from perceptag.models.model import Model
from perceptag.recipe.recipe import Recipe
from toy_treebank import sentence, write_treebank

QUICK = "".join(f"[{name}]\nepochs = 3\n" for name in ("tokens", "upos", "feats", "lemma"))


def write_language(folder: Path, more: str = "", treebank: str = "bank") -> Path:
    path = folder / "fr.toml"
    path.write_text(f'treebank = "{treebank}"\noutput = "fr.pipeline"\n{more}{QUICK}', "utf-8")
    return path


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    write_treebank(folder / "bank")
    result = succeed("build", write_language(folder), "--json")
    return folder, json.loads(result.out)


def test_a_pipeline_has_all_layers_that_the_treebank_has_and_takes_text(built):
    folder, report = built
    assert report["layers"] == ["tokens", "upos", "feats", "lemma"]  # xpos is '_' everywhere
    doc = Pipeline.load(folder / "fr.pipeline")("Le chat danse au roi.")
    [found] = doc.sentences
    assert [(w.text, w.upos, w.lemma) for t in found.tokens for w in t.words] == [
        ("Le", "DET", "le"),
        ("chat", "NOUN", "chat"),
        ("danse", "VERB", "danser"),
        ("à", "ADP", "à"),
        ("le", "DET", "le"),
        ("roi", "NOUN", "roi"),
        (".", "PUNCT", "."),
    ]
    assert [token.text for token in found.tokens] == ["Le", "chat", "danse", "au", "roi", "."]


def test_the_card_is_next_to_the_pipeline_and_in_it(built):
    folder, report = built
    card = (folder / "fr.pipeline.md").read_text("utf-8")
    assert Pipeline.load(folder / "fr.pipeline").card == card
    assert "| raw text | 100.00 |" in card
    assert "Training: 48 sentences, 336 words." in card
    assert "- `tokens`: tokens.patterns = true (dev accuracy 100.00; false: 100.00)." in card
    assert set(report["figures"]["raw text"]) == {
        *("Tokens", "Sentences", "Words", "UPOS", "UFeats", "AllTags", "Lemmas")
    }
    assert not (folder / "fr.pipeline.parts").exists()


def test_an_interrupted_build_continues_and_ends_in_the_same_file(built, tmp_path, monkeypatch):
    write_treebank(tmp_path / "bank")
    language, parts = write_language(tmp_path), tmp_path / "parts"
    trained: list[str] = []
    whole = building.Tagger

    class Stopping(whole):
        def fit(self, *given, **named):
            if self.overrides["labels_column"] == "feats" and "feats" not in trained:
                trained.append("feats")
                raise KeyboardInterrupt
            trained.append(self.overrides["labels_column"])
            return super().fit(*given, **named)

    monkeypatch.setattr(building, "Tagger", Stopping)
    assert run("build", language, "--parts", parts).status == 130
    assert not (tmp_path / "fr.pipeline").exists()
    assert not (tmp_path / "fr.pipeline.md").exists()
    succeed("build", language, "--parts", parts)
    assert trained == (every := ["upos", "feats", "feats", "feats", "lemma"])  # upos only once, feats with two settings
    assert (tmp_path / "fr.pipeline").read_bytes() == (built[0] / "fr.pipeline").read_bytes()
    succeed("build", language, "--parts", parts)  # all of it is there
    assert trained == every


@pytest.mark.parametrize(
    ("layers", "order", "reads"),
    [((), ["upos", "feats", "xpos", "lemma"], ["upos", "feats"]), (("xpos", "lemma"), ["xpos", "lemma"], [])],
)
def test_tags_of_the_treebank_are_learned_with_features_if_there_are_any(tmp_path, layers, order, reads):
    data = read_folder(str(write_treebank(tmp_path / "bank")))
    for one in (*data.train, *data.dev):
        one.columns["xpos"] = [u[0] + f for u, f in zip(one.columns["upos"], one.columns["feats"], strict=True)]
    few = {name: {"epochs": 3} for name in ("tokens", "upos", "feats", "xpos", "lemma")}
    builder = building.Builder(Language("bank", "x", layers, few), data, tmp_path / "parts")
    assert (builder.layers, builder.reads("xpos")) == (order, reads)
    pipeline = builder.build(lambda _: None)
    assert [*pipeline.models] == ["tokens", *order]
    found = pipeline.tag(data.dev)
    assert [s.columns["xpos"] for s in found] == [s.columns["xpos"] for s in data.dev]


def test_a_column_that_the_dev_data_lacks_is_said_and_left_out(tmp_path):
    data = read_folder(str(write_treebank(tmp_path / "bank")))
    for one in data.train:
        one.columns["xpos"] = list(one.columns["upos"])
    said: list[str] = []
    few = {name: {"epochs": 1} for name in ("tokens", "upos")}
    wanted = [Language("bank", "x", layers, few) for layers in ((), ("upos",), ("xpos",))]
    every, one_layer, lacking = (building.Builder(some, data, tmp_path / "parts", say=said.append) for some in wanted)
    assert every.layers == ["upos", "feats", "lemma"]
    assert every.notes() == {"xpos": "left out, since the dev data lacks this column"}
    one_layer.build(lambda _: None)
    assert said[0] == "tokens: training with tokens.patterns = true"  # xpos was not asked for
    message = r"expected columns that the treebank has \(upos, feats, lemma\), found 'xpos', which the dev data lacks"
    with pytest.raises(DataError, match=message):
        lacking.layers  # noqa: B018 - a property that checks


def test_tags_that_only_the_dev_data_has_are_said(tmp_path):
    data = read_folder(str(write_treebank(tmp_path / "bank")))
    for one in (*data.train, *data.dev):
        one.columns["xpos"] = [tag.lower() for tag in one.columns["upos"]]
    builder = building.Builder(Language("bank", "x"), data, tmp_path / "parts")
    assert builder.notes() == {}
    for one in data.dev:
        one.columns["xpos"] = [tag.upper() if tag != "noun" else tag for tag in one.columns["xpos"]]
    note = "71 % of the dev words have tags that the training data lacks (DET, ADP, PUNCT); scores say little"
    assert builder.notes() == {"xpos": note}
    word = Sentence({"form": ["hm"], "upos": ["INTJ"]})
    alone = TreebankData(data.train, [word], ("train.conllu", "dev.conllu"), is_cut=False)
    assert alone.only_in_dev("upos").startswith("100 % of the dev words have tags that the training data lacks (INTJ)")


def test_settings_are_chosen_by_the_dev_data_unless_the_user_has_decided(tmp_path):
    data = read_folder(str(write_treebank(tmp_path / "bank")))
    said: list[str] = []
    few = {name: {"epochs": 2} for name in ("tokens", "upos", "feats")}
    wanted = Language("bank", "x", ("upos", "feats"), few)
    builder = building.Builder(wanted, data, tmp_path / "parts", say=said.append)
    steps: list[int] = []
    model = builder.build(steps.append).models["tokens"].model
    assert sum(steps) == builder.steps == 2 + 1 + 5 + 2
    assert said == [
        "tokens: training with tokens.patterns = true",
        "tokens: training with tokens.patterns = false",
        f"tokens: {builder.chosen['tokens']}",
        "upos: training",
        "upos: predicting on 5 folds",
        'feats: training with labels.parts = ""',
        'feats: training with labels.parts = "|"',
        f"feats: {builder.chosen['feats']}",
    ]
    assert builder.chosen["tokens"].startswith(f"tokens.patterns = {str(model.recipe.tokens_patterns).lower()} (dev")
    decided = replace(wanted, settings={**few, "tokens": {"epochs": 2, "tokens.patterns": False}})
    other = building.Builder(decided, data, tmp_path / "parts")
    assert other.build(lambda _: None).models["tokens"].model.recipe.tokens_patterns is False
    assert [*other.chosen] == ["feats"]


def test_a_tokeniser_of_a_build_has_the_mean_weights_of_trainings_with_other_seeds(tmp_path):
    data = read_folder(str(write_treebank(tmp_path / "bank")))
    settings = {"epochs": 2, "cutoff": 0, "seed": "2147483646"}  # a setting may be text; the largest is 2147483647
    seeds = [2147483646, 2147483647, 0, 1]
    mean = fit_mean("tokenize", settings, data.train, data.dev)
    each = [Tokenizer(**{**settings, "seed": seed}).fit(data.train, dev=data.dev).model_ for seed in seeds]
    weights = [dict(zip(m.arrays["keys.0"].tolist(), m.arrays["weights.0"].reshape(-1, 4), strict=True)) for m in each]
    found = dict(zip(mean.arrays["keys.0"].tolist(), mean.arrays["weights.0"].reshape(-1, 4).tolist(), strict=True))
    nothing = np.zeros(4, np.float32)
    expected = {key: sum(w.get(key, nothing) for w in weights) / 4 for key in set().union(*weights)}
    assert found == {key: w.tolist() for key, w in expected.items() if w.any()}
    assert mean.manifest["mean_of_seeds"] == seeds
    assert mean.is_calibrated
    assert Tokenizer.from_model(mean).evaluate(data.dev).counts["tokens"].f1 == 100


@pytest.mark.parametrize(
    ("wrong", "best"),
    [((0, 0), 0), ((5, 4), 0), ((9, 0), 1), ((0, 9), 0)],  # 5 against 4 is within the standard error
)
def test_the_usual_setting_stays_unless_another_one_is_clearly_better(wrong, best):
    gold = [["inside", "token"]] * 50
    error = [["inside", "inside"]]
    labels = [error * wrong[0] + gold[wrong[0] :], gold[wrong[1] :] + error * wrong[1]]
    models = [Model(Recipe(), LabelSet((), "none", "none", "label"), (), {}) for _ in wrong]
    tried = [TrainedLayer(*one) for one in zip(candidates("tokens", {"epochs": 2}), models, labels, strict=True)]
    model, choice = choose(tried, gold)
    assert model is models[best]
    value, score = ("true", "false"), [f"{100 - n:.2f}" for n in wrong]
    assert choice == (
        f"tokens.patterns = {value[best]} (dev accuracy {score[best]}; {value[1 - best]}: {score[1 - best]})"
    )


def test_nothing_is_tried_that_the_learner_of_the_user_may_lack():
    assert [one.key for one in candidates("feats", {"learner": "crf"})] == [""]
    assert [one.key for one in candidates("upos", {})] == [""]
    assert [one.settings for one in candidates("feats", {"epochs": 2})] == [
        {"epochs": 2, "labels.parts": ""},
        {"epochs": 2, "labels.parts": "|"},
    ]


def test_without_dev_data_every_tenth_block_is_cut_off(tmp_path):
    data = read_folder(str(write_treebank(tmp_path / "bank", train=60, dev=0)))
    assert data.is_cut
    assert (len(data.train), len(data.dev)) == (54, 6)
    whole = read_folder(str(write_treebank(tmp_path / "other", train=60)))
    blocks = [whole.train[i : i + 6] for i in range(0, 60, 6)]
    assert data.dev == blocks[9]


def test_the_last_word_of_a_file_name_tells_its_part(tmp_path):
    for name in ("hi_devanagari-ud-train", "hi_devanagari-ud-dev", "hi_devanagari-ud-test", "retrained-ud-test"):
        (tmp_path / f"{name}.conllu").write_text(MANY, "utf-8")
    data = read_folder(str(tmp_path))
    assert data.files == ("hi_devanagari-ud-train.conllu", "hi_devanagari-ud-dev.conllu")
    (tmp_path / "mytrain2.conllu").write_text(MANY, "utf-8")
    assert "mytrain2.conllu" in read_folder(str(tmp_path)).files


def test_other_contents_of_a_file_that_a_setting_names_start_a_layer_again(tmp_path):
    words = tmp_path / "words.txt"
    builder = building.Builder(Language("bank", "x"), TreebankData([], [], (), False), tmp_path)
    for settings in ({"tokens.text": [str(words)]}, {"classes": str(words)}, {"gazetteer": [f"PER={words}"]}):
        keys = []
        for text in ("one", "two", "two"):
            words.write_text(text, "utf-8")
            keys.append(builder._key("tokens", settings, []))
        assert keys[0] != keys[1] == keys[2]


def refused(tmp_path, files, *, more="", treebank="bank"):
    folder = tmp_path / "bank"
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    result = run("build", write_language(tmp_path, more, treebank))
    assert result.status == 2, result.err
    assert "Traceback" not in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bank", "fr.toml"]
    return result.err


MANY = "".join(map(sentence, range(30)))


def test_wrong_settings_are_refused_before_training_begins(tmp_path):
    write_treebank(tmp_path / "bank")
    path = tmp_path / "fr.toml"
    path.write_text('treebank = "bank"\noutput = "fr.pipeline"\n[lemma]\nepoch = 3\n', "utf-8")
    result = run("build", path)
    assert (result.status, f"{path}: layer 'lemma': unknown recipe key 'epoch'" in result.err) == (2, True)
    assert "training" not in result.err
    assert not (tmp_path / "fr.pipeline.parts").exists()


def test_explain_names_the_layers_that_have_explanations(built):
    pipeline = built[0] / "fr.pipeline"
    result = run("explain", "--model", pipeline, "Le chat danse.")
    assert result.status == 2
    assert "--layer: expected a layer that offers explanations (upos, feats), found 'lemma'" in result.err
    assert "NOUN" in succeed("explain", "--model", pipeline, "--layer", "upos", "Le chat danse.").out
    reply = Asked({"fr": str(pipeline)}).post("/v1/explain", text="Le chat danse.", layer="lemma")
    assert reply.status == 409
    assert "layer: expected a layer that offers explanations (upos, feats), found 'lemma'" in reply.json()["detail"]


def test_paths_in_the_table_of_a_layer_are_relative_to_the_file(tmp_path, monkeypatch):
    folder = tmp_path / "languages"
    folder.mkdir()
    write_treebank(folder / "bank")
    (folder / "nouns.txt").write_text("chat\nroi\n", "utf-8")
    text = 'treebank = "bank"\noutput = "fr.pipeline"\nlayers = ["upos"]\n[tokens]\nepochs = 2\n'
    (folder / "fr.toml").write_text(text + '[upos]\nepochs = 2\ngazetteer = ["noun=nouns.txt"]\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    succeed("build", "languages/fr.toml")
    assert (folder / "fr.pipeline").exists()


def test_a_treebank_in_another_encoding(tmp_path):
    write_treebank(tmp_path / "bank")
    for path in (tmp_path / "bank").iterdir():
        path.write_bytes(path.read_text("utf-8").encode("latin-1"))
    toml = tmp_path / "fr.toml"
    toml.write_text('treebank = "bank"\noutput = "fr.pipeline"\nlayers = ["upos"]\n[tokens]\nepochs = 2\n', "utf-8")
    assert "--encoding names another encoding" in run("build", toml).err
    succeed("build", toml, "--encoding", "latin-1")
    [found] = Pipeline.load(tmp_path / "fr.pipeline")("Le chat danse au roi.").sentences
    assert [word.text for token in found.tokens for word in token.words] == [
        "Le",
        "chat",
        "danse",
        "à",
        "le",
        "roi",
        ".",
    ]


def test_lemmas_are_not_what_a_pipeline_gives_unless_they_are_asked_for(built):
    folder, _ = built
    server = Asked({"fr": str(folder / "fr.pipeline")})
    assert server.tag(text="Le chat danse.")[0]["labels"] == ["DET", "NOUN", "VERB", "PUNCT"]
    assert server.tag(text="Le chat danse.", layer="lemma")[0]["labels"] == ["le", "chat", "danser", "."]
