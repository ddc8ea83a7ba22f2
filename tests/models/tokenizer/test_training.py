"""Tokenisers are trained and saved like all other models; damaged files are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from perceptag import ModelError, Sentence, SettingError, Tagger, Tokenizer
from perceptag.errors import DataError, NotOfferedError
from perceptag.models import model_file as modelfile
from perceptag.models.kinds import make_ready
from perceptag.models.model import Model
from perceptag.models.tokenizer.characters import as_characters
from perceptag.models.tokenizer.packing import KEYS, WEIGHTS
from perceptag.recipe.recipe import load
from perceptag.text import read_conllu
from perceptag.text.treebank import read_treebank
from perceptag.training import checkpoint
from perceptag.training.train import Training
from text_toys import HELD_OUT, TREEBANK, shipped_tokenizer, treebank

TEXT = "Austin didn't answer. He had left.\n\nNobody knew why"


def characters(path: Path = TREEBANK) -> list[Sentence]:
    return as_characters(read_treebank(read_conllu(path)))


def test_it_learns_the_shipped_text():
    report = Tokenizer(epochs=4).fit(TREEBANK, dev=HELD_OUT).evaluate(HELD_OUT).to_dict()
    assert min(report[what]["f1"] for what in ("tokens", "words")) > 99.5
    assert report["sentences"]["f1"] > 95


def test_tokens_and_words():
    first, second, third = shipped_tokenizer()(TEXT)
    assert [token.text for token in first] == ["Austin", "didn't", "answer", "."]
    assert first[1].words == ("did", "n't")
    assert (first[1].start, first[1].end) == (7, 13)
    assert [token.text for token in second] == ["He", "had", "left", "."]
    assert [token.text for token in third] == ["Nobody", "knew", "why"]


@pytest.mark.parametrize(
    "settings",
    [
        {"learner": "perceptron"},
        {"learner": "perceptron", "weights": "last"},
        {"learner": "pa"},
        {"learner": "mira"},
        {"learner": "arow"},
        {"support": "gold", "cutoff": 1},
        {"bpm": 2},
        {"weights": "best"},
    ],
    ids=str,
)
def test_every_learner_of_linear_models_with_a_loop(settings: dict[str, Any]):
    """The fast way gives the labels that the lattice gives."""
    training = Training(load("tokenize").replace({"epochs": 2, **settings}), characters(), characters(HELD_OUT))
    list(training.run())
    ready = make_ready(training.model())
    assert training.reports[-1].dev_kept > 98
    pairs = zip(ready.tag(characters(HELD_OUT)), training.trainer.tag_dev(training.best), strict=True)
    assert sum(a != b for x, y in pairs for a, b in zip(x, y, strict=True)) <= 2  # where scores are equal


def test_the_same_run_gives_the_same_file(tmp_path: Path):
    digests = {Tokenizer(epochs=2).fit(TREEBANK).save(tmp_path / "a.model") for _ in range(2)}
    assert len(digests) == 1
    loaded = Tokenizer.load(tmp_path / "a.model")
    assert {loaded.save(tmp_path / "b.model")} == digests
    assert loaded(TEXT) == Tokenizer(epochs=2).fit(TREEBANK)(TEXT)


def test_passes_are_reported(capsys: pytest.CaptureFixture[str]):
    seen: list[int] = []
    tokenizer = Tokenizer(epochs=5, verbose=1)
    assert repr(tokenizer) == "<Tokenizer 'tokenize'>"
    tokenizer.fit(HELD_OUT, callbacks=[lambda report: seen.append(report.epoch) or report.epoch == 2])
    assert seen == [1, 2]
    assert len(capsys.readouterr().err.splitlines()) == 3
    assert repr(tokenizer).startswith("<Tokenizer 'tokenize': recipe tokenize, 5 labels, ")


def test_sentences_may_be_given_instead_of_a_file():
    found = Tokenizer(epochs=2).fit(list(read_conllu(TREEBANK)))
    assert found(TEXT) == Tokenizer(epochs=2).fit(TREEBANK)(TEXT)


def test_words_that_do_not_spell_a_token_stay_whole():
    [sentence] = as_characters(read_treebank(treebank("¶ au=à+le c+d")))
    found = list(zip(*sentence.columns.values(), strict=True))
    assert found[:3] == [("a", "à\nle", "sentence"), ("u", "", "inside"), (" ", "", "between")]
    assert found[3:5] == [("c", "", "token"), ("d", "", "word")]


def test_a_run_that_was_stopped_continues(tmp_path: Path):
    recipe, path = load("tokenize").replace({"epochs": 3}), str(tmp_path / "run.checkpoint")
    whole = Training(recipe, characters(), characters(HELD_OUT))
    list(whole.run())
    stopped = Training(recipe, characters(), characters(HELD_OUT))
    next(stopped.run())
    checkpoint.write(stopped, path)
    resumed = Training(recipe, characters(), characters(HELD_OUT))
    checkpoint.restore(resumed, path)
    assert len(list(resumed.run())) == 2
    assert modelfile.to_bytes(resumed.model()) == modelfile.to_bytes(whole.model())


def test_training_continues_from_a_model():
    first = shipped_tokenizer().model_
    training = Training(load("tokenize").replace({"epochs": 1}), characters(HELD_OUT), start=first)
    assert set(first.arrays[KEYS]) <= set(training.trainer.index.keys)  # type: ignore[attr-defined]
    assert make_ready(training.model()).tag(characters()) == shipped_tokenizer().ready_model.tag(characters())
    list(training.run())
    assert set(training.model().arrays[KEYS]) - set(first.arrays[KEYS])


def test_another_kind_of_model_is_refused_as_a_start():
    tagger = Tagger("collins-pos", epochs=1).fit([["a", "b"]], [["X", "Y"]])
    with pytest.raises(ModelError, match="expected a model of kind tokenizer to start from, found kind 'linear'"):
        Training(load("tokenize"), characters(HELD_OUT), start=tagger.model_)


def test_what_cannot_be_used_is_refused(tmp_path: Path):
    with pytest.raises(SettingError, match="text: expected a string, found"):
        shipped_tokenizer()(b"bytes")  # type: ignore[arg-type]
    Tagger("collins-pos", epochs=1).fit([["a", "b"]], [["X", "Y"]]).save(tmp_path / "tagger.model")
    with pytest.raises(ModelError, match=r"tagger.model: expected a tokeniser, found a model of kind 'linear'"):
        Tokenizer.load(tmp_path / "tagger.model")


def test_characters_with_other_labels_are_refused():
    recipe = load("tokenize")
    with pytest.raises(DataError, match="expected single characters, found 'ab'"):
        Training(recipe, [Sentence({"form": ["ab"], "label": ["token"]})])
    with pytest.raises(DataError, match="label of 'a': expected inside or sentence or token or word, found 'between'"):
        Training(recipe, [Sentence({"form": ["a"], "label": ["between"]})])
    with pytest.raises(DataError, match="label of ' ': expected between, found 'token'"):
        Training(recipe, [Sentence({"form": [" "], "label": ["token"]})])


def test_what_is_not_offered():
    ready = shipped_tokenizer().ready_model
    with pytest.raises(NotOfferedError, match="explanations: not offered by a tokeniser"):
        ready.explain(characters(HELD_OUT)[:1])
    with pytest.raises(NotOfferedError, match="n-best lists"):
        ready.nbest(characters(HELD_OUT)[:1], 2)
    with pytest.raises(NotOfferedError, match="a score for the label O: not offered by a tokeniser"):
        ready.set_outside_score(1.0)
    assert ready.known_words() is None and not ready.offers


def test_margins_say_by_how_much_labels_win():
    ready = shipped_tokenizer().ready_model
    sentences = characters(HELD_OUT)[:20]
    margins = ready.margins(sentences)
    assert [m.labels for m in margins] == ready.tag(sentences)
    paragraphs = [t for m, s in zip(margins, sentences, strict=True) for t in m.tokens[s.starts_document :]]
    assert min(paragraphs) >= 0  # the first character of a paragraph begins a sentence, whatever its score


# --------------------------------------------------------------------------------------- damaged files


def changed(arrays: dict[str, Any]) -> Model:
    model = shipped_tokenizer().model_
    return Model(model.recipe, model.label_set, model.columns, model.arrays | arrays, model.facts, model.manifest)


def test_lying_arrays_are_refused():
    keys, weights = (shipped_tokenizer().model_.arrays[name] for name in (KEYS, WEIGHTS))
    nan, heavy, empty = weights.copy(), weights.copy(), weights.copy()
    nan[3], heavy[3], empty[:4] = np.nan, 1e30, 0
    for arrays, message in [
        ({KEYS: keys[:-1]}, "expected 4 for each of"),
        ({WEIGHTS: weights[:-1]}, "expected 4 for each of"),
        ({KEYS: keys[::-1].copy()}, "expected different features in order"),
        ({KEYS: np.zeros_like(keys)}, "expected different features in order"),
        ({KEYS: keys.astype(np.int64)}, "expected a vector of uint64"),
        ({WEIGHTS: weights.astype(np.float64)}, "expected a vector of float32"),
        ({WEIGHTS: weights.reshape(-1, 4)}, "expected a vector of float32"),
        ({WEIGHTS: nan}, "expected finite weights"),
        ({WEIGHTS: heavy}, "expected finite weights"),
        ({WEIGHTS: empty}, "expected features with a weight"),
    ]:
        with pytest.raises(ModelError, match=message):
            make_ready(changed(arrays))
    model = changed({})
    del model.arrays[KEYS]
    with pytest.raises(ModelError, match=r"expected an array 'keys\.0', found none"):
        make_ready(model)


def test_other_labels_are_refused():
    model = changed({})
    model.label_set = Tagger("collins-pos", epochs=1).fit([["a", "b"]], [["X", "Y"]]).model_.label_set
    with pytest.raises(ModelError, match="labels: expected some of inside, sentence, token, word, between, found X, Y"):
        make_ready(model)


def test_a_model_that_knows_nothing_cuts_at_white_space_and_paragraphs():
    ready = make_ready(changed({KEYS: np.zeros(0, np.uint64), WEIGHTS: np.zeros(0, np.float32)}))
    sentences = ready.tokenize("a, b. C\n\nd").sentences  # type: ignore[attr-defined]
    assert [[token.text for token in s.tokens] for s in sentences] == [["a,", "b.", "C"], ["d"]]


def test_whether_tokens_have_white_space_is_learned():
    assert shipped_tokenizer().model_.facts["joins"] is False
    bank = treebank("¶ about 10_000 euros") * 5
    for sentence in bank:
        sentence.columns["form"][1] = "10 000"
    tokenizer = Tokenizer(epochs=3).fit(bank)
    assert tokenizer.model_.facts["joins"] is True
    assert [token.text for token in tokenizer("about 10 000 euros")[0]] == ["about", "10 000", "euros"]
    model = changed({})
    model.facts = {"kind": "tokenizer", "joins": "yes"}
    with pytest.raises(ModelError, match=r"facts\.joins: expected true or false, found 'yes'"):
        make_ready(model)
