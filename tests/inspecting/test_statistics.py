"""Figures of labelled data."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import succeed
from perceptag.inspecting.statistics import statistics
from perceptag.text import Sentence
from review_toys import sentence

DATA = [sentence("Anna/B-PER Berg/I-PER left Oslo/B-LOC", 1), sentence("Oslo/B-ORG left", 2)]


def test_sizes_labels_and_spans():
    found = statistics(DATA, "label", name="x")
    assert (found.sentences, found.tokens, found.words, found.longest, found.documents) == (2, 6, 4, 4, 0)
    assert found.labels == {"O": 2, "B-LOC": 1, "B-ORG": 1, "B-PER": 1, "I-PER": 1}
    assert found.scheme == "IOB2"
    assert {kind: s.mean for kind, s in found.spans.items()} == {"LOC": 1, "ORG": 1, "PER": 2}
    assert found.spans["PER"].lengths == {"1": 0, "2": 1, "3": 0, "4": 0, "5+": 0}


def test_words_with_several_labels():
    ambiguity = statistics(DATA, "label").ambiguity
    assert ambiguity is not None
    assert (ambiguity.words, ambiguity.tokens, ambiguity.usual) == (1, 2, 5)
    assert ambiguity.examples == [("Oslo", {"B-LOC": 1, "B-ORG": 1})]


def test_words_that_other_data_does_not_have():
    unknown = statistics(DATA, known={"left", "Anna"}).unknown
    assert unknown is not None
    assert (unknown.words, unknown.tokens) == (2, 3)


def test_data_without_labels():
    found = statistics([Sentence({"form": ["a"]}, starts_document=True), Sentence({"form": []})])
    assert (found.documents, found.sentences, found.labels, found.spans, found.ambiguity) == (1, 2, {}, {}, None)


def test_tables_have_20_rows_unless_more_are_asked_for(tmp_path: Path) -> None:
    rows = [f"{word}{n}\t{label}\n" for word in "ab" for n in range(15) for label in ("A", "B", "A")]
    (tmp_path / "a.tsv").write_text("".join(rows))

    def listed(*options: object) -> int:
        found = json.loads(succeed("check", "--stats", tmp_path / "a.tsv", "--json", *options).out)
        return len(found["files"][0]["ambiguity"]["examples"])

    assert (listed(), listed("--top", 1), listed("--top", 0)) == (20, 1, 30)
