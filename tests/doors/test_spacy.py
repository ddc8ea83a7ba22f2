"""Components of spaCy: training, tagging, confidence, files, spaCy's own training loop, and documents as sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from perceptag import Tagger
from perceptag.text import Sentence, read
from perceptag.text.text_layout import sentences_of
from perceptag.text.tokens import Passage, TextSentence, Token
from shipped_corpus import DATA

spacy = pytest.importorskip("spacy")
pytestmark = [pytest.mark.doors, pytest.mark.filterwarnings("default")]

NAMES = ["form", "pos", "chunk", "ner"]
TRAIN, DEV = ([*read(DATA / f"{part}.txt", columns=NAMES)][:60] for part in ("train", "dev"))
FAST = {"recipe": "chunk", "settings": {"epochs": 3, "inner_folds": 0}}
CONFIG = """
[paths]
train = "train.spacy"
dev = "dev.spacy"
[nlp]
lang = "en"
pipeline = ["perceptag_ner"]
[components]
[components.perceptag_ner]
factory = "perceptag_ner"
recipe = "chunk"
settings = {"epochs": 3, "inner_folds": 0}
confidence = true
[training]
max_steps = 1
eval_frequency = 1
[corpora]
[corpora.train]
@readers = "spacy.Corpus.v1"
path = ${paths.train}
[corpora.dev]
@readers = "spacy.Corpus.v1"
path = ${paths.dev}
[initialize]
[initialize.components]
[initialize.components.perceptag_ner]
[initialize.components.perceptag_ner.dev]
@readers = "spacy.Corpus.v1"
path = ${paths.dev}
gold_preproc = false
"""


def docs_of(sentences: list[Sentence], vocab: Any) -> list[Any]:
    """Documents with tags and names."""
    from perceptag.spacy import to_doc

    docs = [to_doc([sentence], vocab, labels="ner", attribute="ner") for sentence in sentences]
    for doc, sentence in zip(docs, sentences, strict=True):
        for token, tag in zip(doc, sentence.columns["pos"], strict=True):
            token.tag_ = tag
    return docs


def examples(sentences: list[Sentence], nlp: Any) -> list[Any]:
    return [
        spacy.training.Example(spacy.tokens.Doc(nlp.vocab, words=[t.text for t in doc]), doc)
        for doc in docs_of(sentences, nlp.vocab)
    ]


@pytest.fixture(scope="module")
def nlp() -> Any:
    """A trained pipeline: the name finder reads the tags, and is calibrated on dev data."""
    nlp = spacy.blank("en")
    nlp.add_pipe("perceptag_tagger", config={"recipe": "collins-pos", "settings": {"epochs": 2}})
    nlp.add_pipe("perceptag_ner", config={**FAST, "columns": {"pos": "tag_"}, "confidence": True})
    nlp.initialize(lambda: examples(TRAIN, nlp))
    nlp.get_pipe("perceptag_ner").initialize(lambda: examples(TRAIN, nlp), nlp=nlp, dev=examples(DEV, nlp))
    return nlp


def test_labels_are_those_of_the_tagger(nlp: Any) -> None:
    labels = [s.columns["pos"] for s in TRAIN]
    tagger = Tagger("collins-pos", epochs=2).fit([s.tokens for s in TRAIN], labels)
    words = [s.tokens for s in DEV]
    docs = list(nlp.pipe(spacy.tokens.Doc(nlp.vocab, words=one) for one in words))
    assert [[token.tag_ for token in doc] for doc in docs] == tagger.predict(words)
    names = [name for doc in docs for name in doc.ents]
    assert len(names) > 10
    assert all(0 < name._.perceptag_confidence < 1 for name in names)
    assert docs[0][0]._.perceptag_confidence is None  # the tagger was not asked for it
    scores = nlp.evaluate(examples(DEV, nlp))
    assert scores["tag_acc"] > 0.7
    assert scores["ents_f"] > 0.3
    assert set(nlp.get_pipe("perceptag_ner").labels) == {"LOC", "MISC", "ORG", "PER"}


def test_names_are_explained_as_they_were_found(nlp: Any) -> None:
    doc = nlp(" ".join(TRAIN[2].tokens))
    why = nlp.get_pipe("perceptag_ner").explain(doc)  # which reads the tags of the component before
    kinds = [label.partition("-")[2] for one in why for label in one.labels]
    assert kinds == [token.ent_type_ for token in doc]
    assert len(set(kinds)) > 1
    assert "token 1: " in why[0].render(token=1)


def test_pipelines_are_saved_and_loaded(nlp: Any, tmp_path: Path) -> None:
    text = " ".join(DEV[3].tokens)
    expected = described(nlp(text))
    nlp.to_disk(tmp_path / "pipeline")
    assert described(spacy.load(tmp_path / "pipeline")(text)) == expected
    assert described(spacy.blank("en").from_config(nlp.config).from_bytes(nlp.to_bytes())(text)) == expected
    assert not nlp.update(examples(DEV[:1], nlp))["perceptag_ner"]
    assert described(nlp(text)) == expected


def described(doc: Any) -> list[Any]:
    names = [(name.text, name.label_, name._.perceptag_confidence) for name in doc.ents]
    return [token.tag_ for token in doc] + names


def test_the_training_loop_of_spacy_keeps_what_initialize_has_learned(tmp_path: Path, nlp: Any) -> None:
    from spacy.training.initialize import init_nlp
    from spacy.training.loop import train
    from spacy.util import load_config_from_str, load_model_from_config

    for name, sentences in (("train", TRAIN), ("dev", DEV)):
        spacy.tokens.DocBin(docs=docs_of(sentences, nlp.vocab)).to_disk(tmp_path / f"{name}.spacy")
    paths = {f"paths.{name}": str(tmp_path / f"{name}.spacy") for name in ("train", "dev")}
    whole = load_model_from_config(load_config_from_str(CONFIG, overrides=paths), auto_fill=True).config
    (tmp_path / "out").mkdir()
    train(init_nlp(whole), tmp_path / "out")
    loaded = spacy.load(tmp_path / "out" / "model-best")
    assert loaded.meta["performance"]["ents_f"] > 0.3
    assert loaded(" ".join(DEV[3].tokens)).ents[0]._.perceptag_confidence


def test_models_in_files_are_components_without_training(tmp_path: Path) -> None:
    path = str(tmp_path / "upos.model")
    Tagger("collins-pos", epochs=2).fit([["Dogs", "bark", "."]], [["NOUN", "VERB", "PUNCT"]]).save(path)
    nlp = spacy.blank("en")
    nlp.add_pipe("perceptag_tagger", config={"model": path, "layer": "label", "attribute": "pos_"})
    nlp.initialize()
    assert [[token.pos_ for token in doc] for doc in nlp.pipe(["Dogs bark.", ""])] == [["NOUN", "VERB", "PUNCT"], []]
    nlp.to_disk(tmp_path / "pipeline")
    Path(path).unlink()
    assert spacy.load(tmp_path / "pipeline")("Dogs bark.")[1].pos_ == "VERB"


def test_without_a_layer_the_last_that_suits_is_taken() -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("perceptag_tagger", config={"model": "en"})
    nlp.add_pipe("perceptag_ner", config={"model": "en"})
    doc = nlp("Angela Merkel visited Paris")
    assert [token.tag_ for token in doc] == ["NNP", "NNP", "VBD", "NNP"]
    assert [name.text for name in doc.ents] == ["Angela Merkel", "Paris"]


def test_white_space_gets_no_tags(nlp: Any) -> None:
    words = TRAIN[2].tokens
    plain, spaced = nlp(spacy.tokens.Doc(nlp.vocab, words=words)), ["\n", words[0], "  ", *words[1:], " "]
    doc = nlp(spacy.tokens.Doc(nlp.vocab, words=spaced))
    assert [token.tag_ for token in doc if token.is_space] == [""] * 3
    assert [token.tag_ for token in doc if not token.is_space] == [token.tag_ for token in plain]
    assert (
        [(e.text.split(), e.label_, e._.perceptag_confidence) for e in doc.ents]
        == [(e.text.split(), e.label_, e._.perceptag_confidence) for e in plain.ents]
        != []
    )


def test_a_name_with_white_space_inside_is_one(nlp: Any) -> None:
    from perceptag.spacy.docs import on_tokens

    doc = spacy.tokens.Doc(nlp.vocab, words=[" ", "New", "  ", "York", " ", "is", " "])
    assert on_tokens(doc, ["B-LOC", "I-LOC", "O"], "ner") == ["O", "B-LOC", "I-LOC", "I-LOC", "O", "O", "O"]
    assert on_tokens(doc, ["NNP", "NNP", "VBZ"], "tag_") == ["", "NNP", "", "NNP", "", "VBZ", ""]


def test_documents_become_sentences_and_documents_again() -> None:
    from perceptag.spacy import to_doc, to_sentences

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    doc = nlp("It rains. I'm  here.")
    sentences = to_sentences([doc, nlp("No.")])
    assert [s.tokens for s in sentences] == [["It", "rains", "."], ["I", "'m", " ", "here", "."], ["No", "."]]
    assert [s.starts_document for s in sentences] == [True, False, True]
    given = [
        Sentence({"form": ["in", "New", "York"], "ner": ["O", "B-LOC", "E-LOC"]}),
        Sentence({"form": ["Yes"], "ner": ["O"]}),
    ]
    again = to_doc(given, nlp.vocab, labels="ner", attribute="ner")
    assert [(name.text, name.label_) for name in again.ents] == [("New York", "LOC")]
    assert [s.text for s in again.sents] == ["in New York", "Yes"]
    assert to_sentences([again], labels="ner")[0].columns["label"] == ["O", "B-LOC", "I-LOC"]


def test_white_space_comes_from_the_text() -> None:
    from perceptag.spacy import to_doc

    text = "I didn't go. Why?"
    tokens = [("I", 0), ("didn't", 2), ("go", 9), (".", 11)], [("Why", 13), ("?", 16)]
    parts = {"didn't": ("did", "n't")}
    sentences = [TextSentence([Token(w, i, i + len(w), parts.get(w, (w,))) for w, i in some]) for some in tokens]
    doc = to_doc(sentences_of(Passage(text, 0, sentences)), spacy.blank("en").vocab)
    assert doc.text == text
    assert [token.text for token in doc][:3] == ["I", "did", "n't"]


def test_names_that_are_there_stay(nlp: Any) -> None:
    doc = nlp.make_doc(" ".join(TRAIN[0].tokens))
    names = nlp(nlp.make_doc(doc.text)).ents
    first = names[0]
    doc.ents = [spacy.tokens.Span(doc, first.start, first.end + 1, label="KEPT")]
    found = {(name.start, name.end, name.label_) for name in nlp(doc).ents}
    assert (first.start, first.end + 1, "KEPT") in found and (first.start, first.end, first.label_) not in found
    assert {(n.start, n.end, n.label_) for n in names if n.start > first.end} <= found
