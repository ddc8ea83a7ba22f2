"""The chunker through the same doors as every other model."""

from __future__ import annotations

import json
import os
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from chunker_toys import COLUMNS, train
from perceptag import DataError, ModelError, SettingError, Tagger, _core
from perceptag.evaluation import evaluate
from perceptag.models import model_file as modelfile
from perceptag.models.chunker import model as chunk_model
from perceptag.models.chunker.explain import ChunkExplanation, PhraseReason, Share, WordReason
from perceptag.models.chunker.model import decoder
from perceptag.models.chunker.tagger import ChunkTagger
from perceptag.models.kinds import make_ready
from perceptag.recipe.recipe import load
from perceptag.text import read
from perceptag.text.sentence import Sentence
from perceptag.training.train import Training


def test_it_learns_names(model, unseen):
    labels = make_ready(model).tag(unseen)
    report = evaluate([s.columns["ner"] for s in unseen], labels, bootstrap=0)
    assert report.main_score[1] > 50


@pytest.mark.parametrize(("length", "is_found"), [(_core.LONGEST_CHUNK, True), (_core.LONGEST_CHUNK + 1, False)])
def test_a_phrase_of_more_than_64_words_is_never_found(length, is_found):
    """A departure from the paper: docs/papers/carreras2003.md."""
    assert _core.LONGEST_CHUNK == 64
    forms = ["the", "A", *["b"] * (length - 1), "ends"]
    labels = ["O", "B-PER", *["I-PER"] * (length - 1), "O"]
    sentence = Sentence({"form": forms, "pos": ["N"] * len(forms), "ner": labels})
    training = train([sentence] * 5, epochs=10, weights="last", labels_column="ner")
    assert make_ready(training.model()).tag([sentence]) == [labels if is_found else ["O"] * len(forms)]


@pytest.mark.parametrize("degree", [1, 2])
def test_both_decoders_give_the_same_labels(sentences, unseen, degree):
    models = train(sentences[:80], epochs=2, **{"chunker.degree": degree}).model()
    tagged = {}
    for name in ("index", "expansion"):
        models.recipe = models.recipe.replace({"chunker.decoder": name})
        tagged[name] = ChunkTagger(models).tag(unseen)
    assert tagged["index"] == tagged["expansion"]
    assert any("-" in label for labels in tagged["index"] for label in labels)


@pytest.mark.parametrize(
    ("name", "degree", "kind"),
    [
        ("auto", 1, "Expansion"),
        ("auto", 2, "DenseIndex"),
        ("auto", 3, "DenseIndex"),
        ("index", 1, "DenseIndex"),
        ("expansion", 2, "Expansion"),
    ],
)
def test_which_decoder(name, degree, kind):
    vectors = _core.SupportVectors(300, 1, degree)
    assert type(decoder(name, vectors)).__name__ == kind
    vectors.add(np.arange(256, dtype=np.int32), 0, 1)
    if kind == "DenseIndex":  # too many features to count them in bytes
        assert decoder(name, vectors) is vectors


@pytest.mark.parametrize("scheme", ["IOB1", "IOB2", "IOBES"])
def test_labels_come_out_in_the_scheme_of_the_data(sentences, scheme):
    from perceptag.labels.schemes import convert, violations

    given = [
        Sentence({**s.columns, "ner": convert(s.columns["ner"], scheme, "IOB2")}) for s in sentences[:60]
    ]  # fmt: skip
    training = train(given, epochs=4, **{"chunker.visible": 0})
    assert training.task.label_set.outer in (scheme, "IOB2")  # without touching chunks IOB1 may look like another
    labels = make_ready(training.model()).tag(given)
    assert not any(violations(y, training.task.label_set.outer) for y in labels)
    assert evaluate([s.columns["ner"] for s in given], labels, bootstrap=0).main_score[1] > 80


def test_base_noun_phrases_and_other_chunks(sentences, unseen):
    given = [Sentence({c: s.columns[c] for c in ("form", "pos", "chunk")}) for s in sentences]
    labels = make_ready(train(given).model()).tag(unseen)
    assert evaluate([s.columns["chunk"] for s in unseen], labels, bootstrap=0).main_score[1] > 75


def test_chunks_without_a_type_and_strange_label_names():
    x = ["the", "Dog", "saw", "Rex"]
    plain = Tagger("carreras-ner", cutoff=0, chunker_columns=[]).fit([x] * 5, [["O", "B", "O", "B"]] * 5)
    assert plain.predict([x]) == [["O", "B", "O", "B"]]
    names = ["O", "B-a-b c", "O", "B-Ω"]
    strange = Tagger("carreras-ner", cutoff=0, chunker_columns=[]).fit([x] * 5, [names] * 5)
    assert strange.predict([x]) == [names]


def test_lemma_in_place_of_the_form(sentences):
    given = [
        Sentence({"form": s.columns["form"], "lemma": [w.lower() for w in s.columns["form"]], "ner": s.columns["ner"]})
        for s in sentences[:80]
    ]
    training = train(given, **{"chunker.word": "lemma", "chunker.columns": []})
    words = training.trainer.encoder.vocabularies.word
    assert "harwick" in words
    assert "Harwick" not in words
    tagger = make_ready(training.model())
    assert tagger.known_words() is None
    assert evaluate([s.columns["ner"] for s in given], tagger.tag(given), bootstrap=0).main_score[1] > 80


def test_explanation_names_phrase_words_features_and_support_vectors(model, unseen):
    tagger = make_ready(model)
    for sentence in unseen[:20]:
        [explanation] = tagger.explain([sentence])
        assert list(explanation.labels) == tagger.tag([sentence])[0]
        assert len(explanation.words) == len(sentence)
        for phrase in explanation.phrases:
            assert phrase.label == max(phrase.scores, key=phrase.scores.__getitem__)
            assert phrase.words[0].begin > 0
            assert all(word.inside > 0 for word in phrase.words[1:])
            assert phrase.text == " ".join(sentence.tokens[phrase.start : phrase.end])
            assert phrase.support_vectors[0].value != 0
        assert explanation.score == pytest.approx(sum(p.scores[p.label] for p in explanation.phrases))
        json.dumps(explanation.to_dict())


def test_shares_of_features_add_up_to_the_score(model, unseen, monkeypatch):
    monkeypatch.setattr("perceptag.models.chunker.explain.LISTED", 10_000)
    tagger = make_ready(model)
    phrases = [p for sentence in unseen[:20] for p in tagger.explain([sentence])[0].phrases]
    assert len(phrases) > 5
    for phrase in phrases:
        assert sum(share.value for share in phrase.features) == pytest.approx(phrase.scores[phrase.label])
        assert sum(share.value for share in phrase.support_vectors) == pytest.approx(phrase.scores[phrase.label])


def test_last_weights_instead_of_the_vote(sentences):
    few = sentences[:40]
    last = train(few, weights="last")
    words = last.model().arrays["words.coefficients"]
    assert np.abs(words).max() < np.abs(train(few).model().arrays["words.coefficients"]).max()


@pytest.mark.parametrize(
    ("kinds", "settings", "message"),
    [
        (1024, {}, None),
        (1025, {}, "at most 1024 types of chunks for the chunker, found 1025"),
        (5, {"chunker.context": "exact"}, None),
        (101, {"chunker.context": "exact"}, "1061208 pasts of a word .* at most 1048576: use best"),
    ],
)
def test_more_kinds_of_chunks_than_can_be_learned_are_refused(kinds, settings, message):
    given = [Sentence({"form": [f"W{k}"], "pos": ["X"], "ner": [f"B-{k}"]}) for k in range(kinds)]
    with pytest.raises(SettingError, match=message) if message else nullcontext():
        facts = train(given, cutoff=0, epochs=1, **settings).model().facts
        assert len(facts["categories"]) == kinds


def test_more_labels_than_a_model_may_have_are_refused(model):
    about = modelfile.load_bytes(modelfile.to_bytes(model)[0])
    about.label_set = replace(about.label_set, names=(*about.label_set.names, *(f"B-{i}" for i in range(70_000))))
    with pytest.raises(ModelError, match="labels: expected at most 65535"):
        modelfile.load_bytes(modelfile.to_bytes(about)[0])


def test_words_may_all_be_empty(tmp_path):
    given = [Sentence({"form": ["", ""], "pos": ["X", "Y"], "ner": ["B-A", "O"]})] * 3
    model = train(given, cutoff=0).model()
    modelfile.save(model, str(tmp_path / "m"))
    loaded = make_ready(modelfile.load(str(tmp_path / "m")))
    assert loaded.tag(given) == [["B-A", "O"]] * 3
    assert list(loaded.known_words()) == [""]


@pytest.mark.parametrize("with_dev", [False, True])
def test_an_expansion_that_could_not_be_loaded_is_not_trained(sentences, with_dev, monkeypatch):
    few = sentences[:10]
    model = train(few, **{"chunker.decoder": "expansion"}).model()
    monkeypatch.setattr(chunk_model, "MAX_PAIRS", 1000)
    with pytest.raises(ModelError, match="pairs of features, found"):
        make_ready(model)
    assert make_ready(train(few).model()).tag(few)
    with pytest.raises(SettingError, match=r"chunker\.decoder: expected at most 1000 pairs of features, found \d+:"):
        train(few, few if with_dev else None, **{"chunker.decoder": "expansion"})


def test_a_sentence_without_a_column_that_the_model_looks_at(model):
    with pytest.raises(DataError, match="pos"):
        make_ready(model).tag([Sentence({"form": ["a"]})])


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("words.ids", lambda a: a + np.int32(1 << 30)),
        ("words.begin", lambda a: a[:-1]),
        ("phrases.coefficients", lambda a: a * np.nan),
        ("keys.words", lambda a: a[:50]),
        ("keys.phrases", lambda a: np.repeat(a[:1], len(a))),
        ("forms.parents", lambda a: a + np.int32(7)),
        ("keys.phrases", lambda a: a + np.uint64(1 << 40)),
        ("vocabulary.window", lambda a: a.astype(np.int32)),
    ],
)
def test_models_that_contradict_themselves_are_refused(model, name, change):
    broken = modelfile.load_bytes(modelfile.to_bytes(model)[0])
    broken.arrays[name] = change(broken.arrays[name])
    with pytest.raises(ModelError):
        make_ready(broken)


@pytest.mark.parametrize("fact", ["form", "functional", "gazetteer", "categories", "looks_at"])
def test_facts_that_are_missing_or_wrong_are_refused(model, fact):
    for value in (None, 7, [["nowhere", [99]]]):
        broken = modelfile.load_bytes(modelfile.to_bytes(model)[0])
        broken.facts[fact] = value
        with pytest.raises(ModelError):
            make_ready(broken)


@pytest.mark.every
@pytest.mark.skipif("PERCEPTAG_DATA" not in os.environ, reason="PERCEPTAG_DATA is not set")
def test_one_pass_over_conll_2003():
    """The prototype of the paper's chunker scored 88.54 on the development set after one pass."""
    folder = Path(os.environ["PERCEPTAG_DATA"]) / "conll2003"
    sentences, dev = (list(read(str(folder / name), columns=COLUMNS)) for name in ("eng.train", "eng.testa"))
    recipe = load("carreras-ner").replace({"epochs": 1})
    report = next(Training(recipe, sentences, dev).run())
    assert report.dev_kept is not None
    assert report.dev_kept > 88.3


def test_an_explanation_is_a_table_of_words_and_one_of_each_phrase_with_figures_below_each_other() -> None:
    words = WordReason("Bank", 1.5, -10.25), WordReason("of", -0.5, 2.0)
    shares = Share("w[0]=Bank", 1.25, "the word is Bank"), Share("x", -0.5)
    phrase = PhraseReason(0, 2, "Bank of", "ORG", {"ORG": 2.0, "PER": -1.0}, words, shares, ())
    found = ChunkExplanation(("Bank", "of"), ("B-ORG", "I-ORG"), 3.5, words, (phrase,))
    assert [line for line in found.render().splitlines() if line and "─" not in line] == [
        "score 3.50; words above 0 may begin or continue a phrase",
        "     token   label   begin   inside",
        " 1   Bank    B-ORG   +1.50   -10.25",
        " 2   of      I-ORG   -0.50    +2.00",
        "Bank of: ORG +2.00, PER -1.00",
        "           what                 ORG",
        " feature   the word is Bank   +1.25",
        "           x                  -0.50",
    ]
    assert " feature   w[0]=Bank   +1.25" in found.render(raw=True).splitlines()
    assert " -0.50\n" not in found.render(1, top=1).partition("Bank of:")[2]
