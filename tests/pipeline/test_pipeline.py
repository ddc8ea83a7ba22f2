"""Pipelines in Python: documents, streams, tokens that are given, refusals."""

from __future__ import annotations

import io
import pickle

import pytest
from hypothesis import given, settings

from perceptag import ModelError, Pipeline, SettingError, Tagger, Tokenizer
from perceptag.pipeline import text_documents as reading
from perceptag.pipeline.document import Document
from perceptag.text import read_conllu
from pipelines import TEXT, corpus, ner_tagger, over_documents, pos_tagger, whole
from text_toys import HELD_OUT, shipped_tokenizer, texts, treebank


def test_a_document_has_sentences_tokens_labels_and_spans() -> None:
    document = whole()(TEXT)
    assert document.text == str(document) == TEXT
    assert [str(sentence) for sentence in document] == TEXT.replace("\n\n", " ").replace(". ", ".|").split("|")
    assert [s.starts_paragraph for s in document] == [True, False, True]
    first = document.sentences[0]
    assert [token.text for token in first] == ["Angela", "Merkel", "didn't", "visit", "Harwick", "."]
    assert first.tokens[0].labels["pos"] == first.tokens[0].pos == "NNP" == document.words[0].pos
    assert set(first.tokens[0].labels) == {"pos", "ner"}
    span = next(s for s in document.spans if s.text == "London")
    assert (span.layer, span.label, TEXT[span.start_char : span.end_char]) == ("ner", "LOC", "London")
    assert document.sentences[1].words[span.start].text == "London" and span.end == span.start + 1
    assert span.confidence is not None and 0 < span.confidence <= 1


def test_confidence_is_left_out_if_it_is_not_wanted() -> None:
    plain, sure, quick = (whole()(TEXT, confidence=wanted) for wanted in (None, True, False))
    assert [w.labels for w in sure.words] == [w.labels for w in quick.words] == [w.labels for w in plain.words]
    assert all(w.confidence and set(w.confidence) == {"pos", "ner"} for w in sure.words)
    assert all(w.confidence and set(w.confidence) == {"ner"} for w in plain.words) and plain.spans == sure.spans
    assert all(w.confidence is None for w in quick.words) and all(s.confidence is None for s in quick.spans)


def test_words_of_a_token_have_labels_of_their_own() -> None:
    toy = Tokenizer(epochs=10).fit(treebank("¶I did+n't~.", "¶You did+n't~.", "¶I do~.") * 3)
    document = Pipeline([toy, pos_tagger()])("I didn't.")
    token = document.tokens[1]
    assert [(w.text, w.start, w.end) for w in token.words] == [("did", 2, 5), ("n't", 5, 8)]
    assert token.labels["pos"] == "+".join(w.pos for w in token.words)
    assert [w.text for w in document.words] == ["I", "did", "n't", "."]


def test_an_unknown_layer_is_an_attribute_error() -> None:
    word = whole()(TEXT).words[0]
    with pytest.raises(AttributeError, match="expected one of the layers pos, ner, found 'upos'"):
        _ = word.upos
    assert not hasattr(whole()(TEXT).tokens[0], "lemma")


@given(texts)
@settings(max_examples=40, deadline=None)
def test_places_are_exact_and_the_text_comes_back(text: str) -> None:
    text = text.replace("\0", "").encode("utf-8", "ignore").decode()
    document = whole()(text, confidence=False)
    place = 0
    rebuilt = ""
    for sentence in document:
        assert text[sentence.start : sentence.end] == sentence.text
        for token in sentence:
            assert text[token.start : token.end] == token.text == "".join(w.text for w in token.words)
            assert all(text[w.start : w.end] == w.text for w in token.words)
            rebuilt += text[place : token.start] + token.text
            place = token.end
    assert rebuilt + text[place:] == text
    assert all(text[s.start_char : s.end_char] == s.text for s in document.spans)


@pytest.mark.parametrize("pipeline", [whole, over_documents])
def test_a_stream_says_what_the_whole_text_says(pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST", 60)  # so that the text is several documents
    text = "".join(g + "\n\n" for g in [TEXT, "A dog. Harwick lost.", "London LONDON london."] * 12)
    parts = list(pipeline().stream(io.BytesIO(text.encode())))
    assert "".join(part.text for part in parts) == text
    assert [part.start for part in parts] == [sum(len(p.text) for p in parts[:i]) for i in range(len(parts))]
    assert [s for part in parts for s in part] == pipeline()(text).sentences
    assert len(parts) > 1 or pipeline is whole  # 60 tokens at a time, where documents are put together


def test_text_without_words_has_no_sentences() -> None:
    assert whole()("") == Document("")
    assert whole()(" \n\n ").sentences == [] and whole()(" \n\n ").text == " \n\n "
    assert [d.text for d in whole().stream(io.BytesIO(b""))] == []


def test_tokens_that_are_given() -> None:
    pipeline = Pipeline({"tag": pos_tagger()})
    given_ = [["London", "lost"], ["It", "rained"]]
    found = pipeline.tag(given_)
    assert [list(s.columns) for s in found] == [["form", "tag"]] * 2
    assert [s.columns["tag"] for s in found] == pos_tagger().predict(given_)
    both = Pipeline([pos_tagger(), ner_tagger()])
    before = corpus("dev", "form", "pos", "ner")
    after = both.tag(before)
    assert before == corpus("dev", "form", "pos", "ner")  # the input is not changed
    assert [s.columns["pos"] for s in after] == pos_tagger().predict([s.tokens for s in before])
    assert [s.columns["ner"] for s in after] == ner_tagger().predict(after)
    assert both.inputs == ["form"] and Pipeline([ner_tagger()]).inputs == ["form", "pos"]


def test_the_layers_up_to_one() -> None:
    assert whole().upto("pos").names == ["pos"]
    assert list(whole().upto("pos")(TEXT).words[0].labels) == ["pos"]
    with pytest.raises(SettingError, match=r"layer: expected one of pos, ner; found 'poss'; did you mean 'pos'\?"):
        whole().upto("poss")


def test_layers_of_other_pipelines() -> None:
    nlp = whole()
    found = nlp.with_layers(replace={"ner": ner_tagger("mira")}, add={"again": pos_tagger()})
    assert list(found.models) == ["tokens", "pos", "ner", "again"] and list(nlp.models) == ["tokens", "pos", "ner"]
    assert [w.pos for w in found(TEXT).words] == [w.again for w in found(TEXT).words]
    assert Pipeline([nlp])(TEXT) == Pipeline({"tokens": nlp, "pos": nlp, "ner": nlp})(TEXT) == nlp(TEXT)
    assert nlp.with_layers(drop=["ner"]).names == nlp.with_layers(drop="ner").names == ["pos"]
    with pytest.raises(SettingError, match=r"replace: expected one of tokens, pos, ner; found 'nerr'; did you mean"):
        nlp.with_layers(replace={"nerr": ner_tagger()})
    with pytest.raises(SettingError, match="add: expected a layer of another name than 'pos', or replace="):
        nlp.with_layers(add=[pos_tagger()])


def test_scores_of_raw_text() -> None:
    nlp = Pipeline({"tokens": shipped_tokenizer(), "xpos": pos_tagger(), "other": document_like()})
    report = nlp.evaluate(HELD_OUT)
    with HELD_OUT.open(encoding="utf-8") as stream:
        assert report == nlp.evaluate(stream) == nlp.evaluate(list(read_conllu(HELD_OUT)))
    assert list(report.counts) == ["tokens", "sentences", "words", "xpos"]  # the treebank has no column "other"
    words, xpos = report.counts["words"], report.counts["xpos"]
    assert 0 < xpos.correct <= words.correct and xpos.gold == words.gold


def document_like() -> Tagger:
    return Tagger("collins-pos", epochs=1).fit([["a"]], [["X"]])


def test_a_pickled_pipeline_is_the_same() -> None:
    again = pickle.loads(pickle.dumps(whole()))
    assert again(TEXT) == whole()(TEXT) and repr(again) == "Pipeline(tokens, pos, ner)"


REFUSED = {
    "layer 'tokens': expected a tokeniser as the first layer, found it as number 2": lambda: [
        pos_tagger(),
        shipped_tokenizer(),
    ],
    "layer 'ner': it reads column 'pos', which no layer before it gives; found form": lambda: [
        shipped_tokenizer(),
        ner_tagger(),
    ],
    "layer 'ner': it reads column 'pos', which layer 'pos' gives only later": lambda: [ner_tagger(), pos_tagger()],
    "layer 'pos': it reads the column of this name": lambda: {"x": pos_tagger(), "pos": ner_tagger()},
    "layer 'form': expected another name": lambda: {"form": pos_tagger(), "ner": ner_tagger()},
    "expected different names, found 'pos' twice": lambda: [pos_tagger(), pos_tagger()],
    "expected a name of letters, digits and any of": lambda: {"a b": pos_tagger(), "c": pos_tagger()},
    "layers: expected 1 to 32, found 0": lambda: [],
    "layers: expected 1 to 32, found 33": lambda: {f"x{i}": pos_tagger() for i in range(33)},
}


@pytest.mark.parametrize("message", REFUSED)
def test_models_that_do_not_fit_together_are_refused(message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Pipeline(REFUSED[message]())
