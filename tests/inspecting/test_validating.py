"""What is found in data before a model learns from it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from perceptag.inspecting.findings import Findings
from perceptag.inspecting.validating import MOST_FAULTS, read_leniently, validate
from perceptag.text import Sentence
from perceptag.text.lines import OTHER_ENCODING
from perceptag.text.verbatim import NamedBytes
from review_toys import sentence


def found(findings: Findings) -> dict[str, tuple[int, str]]:
    """Kind: how often, and the first place."""
    return {f.kind: (f.count, f.places[0]) for f in findings.listed()}


def read(text: str | bytes, columns=None, format_="columns"):
    findings = Findings()
    data = text.encode() if isinstance(text, str) else text
    return read_leniently(NamedBytes(data, "f"), format_, columns, findings), findings


def test_good_data_has_no_findings():
    data = [sentence("Anna/B-PER sleeps .", 1), sentence("In Oslo/B-LOC it rains .", 2)]
    assert validate(data, "label").listed() == []


def test_labels_that_break_the_scheme_and_names_that_look_alike():
    data = [sentence("Anna/B-PER Berg/I-LOC sleeps", 1), sentence("Ida/B-Per left Oslo/B-LOC", 2)]
    assert found(validate(data, "label")) == {"broken scheme": (1, "toy.txt:12"), "similar labels": (1, "toy.txt:21")}


def test_tokens_without_a_label():
    data = [Sentence({"form": ["a", "b", "c"], "upos": ["DT", "_", "NN"]}, "f", 1)]
    assert found(validate(data, "upos")) == {"missing label": (1, "f:2")}
    assert validate([Sentence({"form": ["a", "b"], "upos": ["_", "_"]}, "f", 1)], "upos").listed() == []


@pytest.mark.parametrize(
    ("word", "kind", "name"),
    [
        ("10\u00a0000", "odd space", "U+00A0 NO-BREAK SPACE"),
        ("a\u0085", "control character", "U+0085"),
        ("a\u2028", "control character", "U+2028 LINE SEPARATOR"),
        ("co\u00adop", "invisible character", "U+00AD SOFT HYPHEN"),
        ("caf\ufffd", "replacement character", "U+FFFD REPLACEMENT CHARACTER"),
        ("cafe\u0301", "decomposed letters", "'cafe\\u0301'"),
    ],
)
def test_odd_characters(word, kind, name):
    (finding,) = validate([Sentence({"form": ["a", word], "label": ["X", "X"]}, "f", 5)], "label").listed()
    assert (finding.kind, finding.places) == (kind, ["f:6"])
    assert finding.message.startswith(name)


def test_sentences_that_occur_twice():
    train = [sentence("Anna/B-PER went to Oslo/B-LOC .", i) for i in (1, 2)]
    train += [sentence("Yes .", 3), sentence("Yes .", 4)]
    assert found(validate(train, "label")) == {"repeated sentence": (1, "toy.txt:21")}
    assert found(validate(train, "label", shortest=2))["repeated sentence"] == (2, "toy.txt:21")


def test_the_same_sentence_with_other_labels():
    train = [sentence("Go Oslo/B-LOC", 1), sentence("Go Oslo/B-ORG", 2)]
    (finding,) = validate(train, "label").listed()
    assert (finding.kind, finding.places) == ("other labels for the same sentence", ["toy.txt:22"])
    assert finding.message == "'Oslo' is B-ORG, but B-LOC at toy.txt:12, in 'Go Oslo'"


def test_sentences_and_labels_of_the_test_data():
    train = [sentence("Anna/B-PER went to Oslo/B-LOC .", 1)]
    test = [replace(train[0], source="test.txt"), sentence("The/B-ORG bank", 3)]
    assert found(validate(train, "label", test)) == {
        "label only in test": (1, "toy.txt:31"),
        "in train and test": (1, "test.txt:11"),
    }


def test_empty_and_long_sentences_and_other_columns():
    data = [
        sentence("a b c", 1),
        Sentence({"form": [], "label": []}, "f", 1),
        Sentence({"form": ["x"], "ner": ["O"]}, "f", 9),
    ]
    assert found(validate(data, "label", longest=2)) == {
        "other columns": (1, "f:9"),
        "empty sentence": (1, "f:1"),
        "long sentence": (1, "toy.txt:11"),
    }
    assert found(validate([Sentence({"form": []}, "f", 1)], "")) == {"empty sentence": (1, "f:1")}
    assert found(validate([Sentence({"form": ["a", ""]}, "f", 1)], "")) == {"empty token": (1, "f:2")}


def test_faults_of_a_file_are_found_and_the_rest_is_read():
    sentences, findings = read(b"a X\n\nb\nc X\n\n\xff X\n\nd X\n")
    assert [s.tokens for s in sentences] == [["a"], ["d"]]
    assert sentences[1].where() == "f:8"
    assert [(f.places, f.message) for f in findings.listed()] == [
        (["f:6"], f"invalid UTF-8: byte 0xFF at byte 1 of the line; {OTHER_ENCODING}"),
        (["f:3"], "expected 2 columns (form, label), found 1: 'b'"),
    ]


def test_a_file_of_another_format_is_given_up():
    sentences, findings = read("a X\n\n" + "b\n\n" * 50)
    assert [s.tokens for s in sentences] == [["a"]]
    assert [f.count for f in findings.listed()] == [MOST_FAULTS, 1]
    assert findings.listed()[1].message == "the rest of the file was not looked at"


def test_what_readers_accept_without_a_word():
    text = "\ufeff-DOCSTART- O\n\n-DOCSTART- O\n\na X\r\nb X\n\n-DOCSTART- O\n"
    sentences, findings = read(text)
    assert len(sentences) == 1
    assert found(findings) == {
        "empty document": (2, "f:1"),
        "byte order mark": (1, "f:1"),
        "mixed line ends": (1, "f:5"),
    }
