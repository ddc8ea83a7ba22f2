"""INCEpTION asks for proposals, and what its users label is learned from."""

from __future__ import annotations

import json
from typing import Any
from xml.sax.saxutils import quoteattr

import pytest

from benches import TOKENS, Benched
from perceptag.server.problems import HttpProblem
from perceptag.workbench.adapters.xmi import Offsets, XmiDocument, tag_of

LAYER, FEATURE = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity", "value"
TYPES = f"""<?xml version="1.0"?>
<typeSystemDescription xmlns="http://uima.apache.org/resourceSpecifier"><types><typeDescription>
<name>{LAYER}</name><supertypeName>uima.tcas.Annotation</supertypeName><features>
<featureDescription><name>value</name><rangeTypeName>uima.cas.String</rangeTypeName></featureDescription>
<featureDescription><name>value_score</name><rangeTypeName>uima.cas.Double</rangeTypeName></featureDescription>
</features></typeDescription></types></typeSystemDescription>"""


def units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def xmi(sentences: list[str], marked: dict[int, list[tuple[str, str]]] | None = None) -> str:
    """A document as INCEpTION writes it: tokens at white space, spans by their words."""
    text, elements, number = "\n".join(sentences), [], 10
    for n, sentence in enumerate(sentences):
        begin = units("\n".join(sentences[:n]) + ("\n" if n else ""))
        places = [("type:Sentence", begin, begin + units(sentence), "")]
        at = 0
        for word in sentence.split():
            at = sentence.index(word, at)
            places.append(("type:Token", begin + units(sentence[:at]), begin + units(sentence[: at + len(word)]), ""))
            at += len(word)
        for words, label in (marked or {}).get(n, []):
            start = begin + units(sentence[: sentence.index(words)])
            places.append(("ner:NamedEntity", start, start + units(words), f' value="{label}"'))
        for name, start, end, more in places:
            number += 1
            elements.append(f'<{name} xmi:id="{number}" sofa="1" begin="{start}" end="{end}"{more}/>')
    string = quoteattr(text, {"\n": "&#10;"})
    members = " ".join(str(n) for n in range(11, number + 1))
    return (
        '<?xml version="1.0" encoding="UTF-8"?><xmi:XMI xmlns:xmi="http://www.omg.org/XMI" '
        'xmlns:cas="http:///uima/cas.ecore" '
        'xmlns:type="http:///de/tudarmstadt/ukp/dkpro/core/api/segmentation/type.ecore" '
        'xmlns:ner="http:///de/tudarmstadt/ukp/dkpro/core/api/ner/type.ecore" xmi:version="2.0">'
        f'<cas:NULL xmi:id="0"/>{"".join(elements)}'
        f'<cas:Sofa xmi:id="1" sofaNum="1" sofaID="_InitialView" mimeType="text" sofaString={string}/>'
        f'<cas:View sofa="1" members="{members}"/></xmi:XMI>'
    )


def ask(bench: Benched, what: str, body: dict[str, Any], who: str = "anna") -> Any:
    about = {"metadata": {"layer": LAYER, "feature": FEATURE, "projectId": 1, "anchoringMode": "tokens"}}
    data = json.dumps({**about, "typeSystem": TYPES, **body}).encode()
    return bench("POST", f"/adapters/inception/{TOKENS[who]}/{what}", data)


def documents(*found: str) -> dict[str, Any]:
    return {"documents": [{"xmi": one, "documentId": n, "userId": "admin"} for n, one in enumerate(found)]}


def test_what_is_labelled_is_learned_and_proposed(bench: Benched) -> None:
    marked = {0: [("Anna Smith", "PER"), ("Rome", "LOC")], 1: [("Oslo", "LOC")]}
    text = xmi(["Anna Smith lives in Rome", "Oslo is cold 😀 .", "nobody has looked here"], marked)
    assert ask(bench, "train", documents(text)).status == 204
    assert bench.learned(2)["sentences"] == 2
    assert bench.get("/sentences/1")["labels"] == ["B-PER", "I-PER", "O", "O", "B-LOC"]  # it was there already
    assert bench.get("/sentences/9")["tokens"] == ["Oslo", "is", "cold", "😀", "."]
    assert bench.get("")["counts"]["sentences"] == 9
    assert ask(bench, "train", documents(text)).status == 204
    assert bench.get("")["counts"]["sentences"] == 9 and bench.get("")["counts"]["labelled"] == 2

    reply = ask(bench, "predict", {"document": {"xmi": xmi(["😀 Oslo is cold"]), "documentId": 1, "userId": "x"}})
    found = XmiDocument(reply.json()["document"])
    (mark,) = found.annotations(LAYER, FEATURE)
    assert (found.text[mark.begin : mark.end], mark.label) == ("Oslo", "LOC")
    raw = reply.json()["document"]
    assert (
        'xmi:id="1"' in raw and 'inception_internal_predicted="true"' in raw and 'begin="3"' in raw
    )  # a smiley has two units


def test_new_names_of_labels_are_added(bench: Benched) -> None:
    ask(bench, "train", documents(xmi(["Mars is red"], {0: [("Mars", "PLANET")]})))
    assert "PLANET" in [label["name"] for label in bench.get("")["labels"]]


def test_spans_that_do_not_fit_are_not_learned(bench: Benched) -> None:
    text = xmi(["Marsians are red", "Venus is hot"], {0: [("Mars", "LOC")], 1: [("Venus", "LOC")]})
    ask(bench, "train", documents(text))
    assert bench.get("")["counts"]["labelled"] == 1


def test_without_a_model_nothing_is_proposed(bench: Benched) -> None:
    reply = ask(bench, "predict", {"document": {"xmi": xmi(["Rome is old"])}}, "carl")
    assert reply.status == 200 and XmiDocument(reply.json()["document"]).annotations(LAYER) == []
    assert ask(bench, "train", documents(xmi(["a"])), "carl").status == 403


@pytest.mark.parametrize(
    "text",
    ["", "<", "<x/>", "<!DOCTYPE x []><x/>", '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>', "<x>" * 100, "\ud800",
     xmi(["a b"]).replace('begin="0"', 'begin="99"'), xmi(["a b"]).replace('begin="0"', 'begin="x"'),
     xmi(["a b"]).replace('begin="0" end="1"', 'begin="1" end="0"'), xmi(["a"]).replace("cas:Sofa", "cas:Other"),
     xmi(["a"])[:-10], xmi(["a"])[:-10].replace("UTF-8", "UTF-16")],
)  # fmt: skip
def test_documents_that_cannot_be(bench: Benched, text: str) -> None:
    assert ask(bench, "predict", {"document": {"xmi": text}}).status == 422
    assert ask(bench, "train", documents(text)).status == 422
    assert bench.get("")["counts"]["sentences"] == 8


@pytest.mark.parametrize(
    "change",
    [
        {"metadata": {}}, {"metadata": {"layer": "x", "feature": "a b"}}, {"document": {}},
        *({"metadata": {"layer": layer, "feature": "v"}} for layer in ("a.B[", "a.B}", "a..B", "a.", "*", "a/B", "1")),
    ],
)  # fmt: skip
def test_requests_that_cannot_be(bench: Benched, change: dict[str, Any]) -> None:
    body = {"document": {"xmi": xmi(["a"])}, **change}
    assert ask(bench, "predict", body).status == 422


@pytest.mark.parametrize("encoding", ["utf-16", "foo", "iso-8859-1"])
def test_the_encoding_that_a_text_declares_means_nothing(bench: Benched, encoding: str) -> None:
    text = xmi(["Zoë is cold"], {0: [("Zoë", "PER")]}).replace("UTF-8", encoding)
    assert ask(bench, "train", documents(text)).status == 204
    assert bench.get("/sentences/9")["tokens"] == ["Zoë", "is", "cold"]


def test_a_token_is_needed(bench: Benched) -> None:
    for token in ("x" * 43, "", "..", TOKENS["ben"][:-1]):
        assert bench("POST", f"/adapters/inception/{token}/predict", b"{}").status == 401
    assert bench("POST", "/adapters/inception/predict", b"{}").status == 401
    evil = {"origin": "http://evil.example"}
    assert bench("POST", f"/adapters/inception/{TOKENS['ben']}/train", b"{}", evil).status == 403


def test_offsets_count_units_of_utf_16() -> None:
    places = Offsets("a😀b")
    assert [places.points(u) for u in (0, 1, 3, 4)] == [0, 1, 2, 3]
    assert [places.units(p) for p in range(4)] == [0, 1, 3, 4]
    for units_of_16 in (2, 5):  # within a pair, and behind the text
        with pytest.raises(HttpProblem, match=f"xmi: expected a place in the text, found {units_of_16}") as problem:
            places.points(units_of_16)
        assert problem.value.status == 422
    assert tag_of("NoPackage") == "{http:///uima/noNamespace.ecore}NoPackage"
