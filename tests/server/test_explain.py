"""``/v1/explain`` and ``/v1/order``: what the Python API says, cut so that all sums stay exact."""

from __future__ import annotations

import math
from typing import Any

import pytest

from asked import asked, guided_tagger, model_paths
from perceptag import Tagger
from pipelines import TEXT, pos_tagger, whole

TOKENS = ["Angela", "Merkel", "visited", "the", "council", "."]


def explain(**body: Any) -> Any:
    reply = asked().post("/v1/explain", **body)
    assert reply.status == 200, reply.body
    return reply.json()


def test_an_explanation_is_that_of_the_tagger() -> None:
    found = explain(model="pos", tokens=TOKENS, top=0)
    explanation = pos_tagger().explain(TOKENS)
    words = [[c.in_words for c in detail.contributions] for detail in explanation.details]
    expected = explanation.to_dict()
    assert found["labels"] == list(expected["labels"])
    assert found["score"] == expected["score"]
    for t, (ours, theirs) in enumerate(zip(found["details"], expected["details"], strict=True)):
        assert ours["position"] == t
        listed = zip(theirs["contributions"], words[t], strict=True)
        assert ours["contributions"] == [one | {"meaning": said} for one, said in listed]
        assert "the word has a capital letter" in words[t] or t
        assert (ours["label"], ours["rival"], ours["margin"]) == (theirs["label"], theirs["rival"], theirs["margin"])


@pytest.mark.parametrize("model", ["pos", "guided"])
def test_what_is_cut_is_summed_so_that_bars_add_up(model: str) -> None:
    found = explain(model=model, tokens=TOKENS, top=2)
    assert any(detail["rest"]["count"] for detail in found["details"])
    for detail in found["details"]:
        listed, rest = detail["contributions"], detail["rest"]
        assert len(listed) <= 2
        assert math.isclose(sum(c["weight"] for c in listed) + rest["weight"], detail["score"], abs_tol=1e-4)
        if detail["margin"] is not None:
            here = sum(c["weight"] - c["rival_weight"] for c in listed) + rest["weight"] - rest["rival_weight"]
            assert math.isclose(here + detail["elsewhere"], detail["margin"], abs_tol=1e-4)


def test_one_token_of_one_sentence_of_a_text() -> None:
    found = explain(model="text", text=TEXT, layer="pos", sentence=1, token=3)
    sentence = whole()(TEXT).sentences[1]
    assert found["tokens"] == [str(word) for word in sentence.words]
    assert [detail["position"] for detail in found["details"]] == [3]
    assert found["details"][0]["token"] == "London"
    assert found["offsets"][3] == [sentence.words[3].start, sentence.words[3].end]


def test_a_layer_reads_the_layers_below_it() -> None:
    found = explain(model="text", text=TEXT)
    assert found["labels"] == [word.labels["ner"] for word in whole()(TEXT).sentences[0].words]
    assert any(c["feature"].startswith("pos[0]=") for d in found["details"] for c in d["contributions"])


@pytest.mark.parametrize("name", ["pos", "guided"])
def test_labels_that_are_given_are_explained(name: str) -> None:
    marks = [None, "VBD", None, None, None, None]
    found = explain(model=name, tokens=TOKENS, given=marks)
    tagger = Tagger.load(model_paths()[name])
    assert found["labels"] == tagger.predict([TOKENS], given=[marks])[0]
    assert found["labels"][1] == "VBD" != explain(model=name, tokens=TOKENS)["labels"][1]
    detail = found["details"][1]
    if name == "pos":
        assert detail["margin"] < 0  # the search of the whole space finds something better
    else:
        assert (detail["rival"], detail["margin"]) == (None, None)  # its search has no other label to choose


@pytest.mark.parametrize("name", ["pos", "guided", "documents"])
def test_a_label_of_ones_choice_is_the_rival(name: str) -> None:
    usual = explain(model=name, tokens=TOKENS, token=1, top=0)
    other = {"documents": "B-ORG"}.get(name, "VBD")
    found = explain(model=name, tokens=TOKENS, token=1, rival=other, top=0)
    detail = found["details"][0]
    marks = [None, other, None, None, None, None]
    theirs = explain(model=name, tokens=TOKENS, given=marks, top=0)
    assert detail["rival"] == ("S-ORG" if name == "documents" else other)  # inside the model: a phrase of one word
    assert found["labels"] == usual["labels"]
    assert detail["rival_labels"] == [d["label"] for d in theirs["details"]]
    assert math.isclose(detail["margin"], usual["score"] - theirs["score"], abs_tol=1e-4)
    listed = detail["contributions"]
    assert math.isclose(sum(c["weight"] for c in listed), detail["score"], abs_tol=1e-4)
    assert math.isclose(sum(c["rival_weight"] for c in listed), theirs["details"][1]["score"], abs_tol=1e-4)
    assert math.isclose(sum(c["weight"] - c["rival_weight"] for c in listed) + detail["elsewhere"], detail["margin"])


def test_the_order_is_that_of_the_tagger() -> None:
    reply = asked().post("/v1/order", model="guided", tokens=TOKENS)
    expected = guided_tagger().inference_order(TOKENS).to_dict()
    found = reply.json()
    assert reply.status == 200
    assert found["labels"] == list(expected["labels"])
    assert [(s["position"], s["label"], s["score"]) for s in found["steps"]] == [
        (s["position"], s["label"], s["score"]) for s in expected["steps"]
    ]


def test_the_order_follows_a_label_that_is_given() -> None:
    marks = [None, "VBD", None, None, None, None]
    found = asked().post("/v1/order", model="guided", tokens=TOKENS, given=marks).json()
    assert found["labels"] == guided_tagger().predict([TOKENS], given=[marks])[0]
    assert sorted(step["position"] for step in found["steps"]) == list(range(6))
    assert next(step["label"] for step in found["steps"] if step["position"] == 1) == "VBD"
