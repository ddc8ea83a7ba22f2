"""``perceptag check`` and ``perceptag check --stats``: labelled data is checked and counted."""

from __future__ import annotations

import json

import pytest

from command_line import CORPUS, run, succeed

SPOILT = "Anna B-PER\nBerg I-LOC\ncaf\u00e9\u00a0 O\n\nYes O\n\nYes B-LOC\n"


@pytest.fixture
def spoilt(tmp_path):
    path = tmp_path / "spoilt.txt"
    path.write_text(SPOILT, encoding="utf-8")
    return path


def test_good_data_is_good():
    done = succeed("check", CORPUS / "train.txt", "--test", CORPUS / "test.txt", "--fail-on", "note")
    assert done.out == "341 sentences, 6,213 tokens: nothing found\n"
    assert done.err == ""


@pytest.mark.parametrize(
    ("options", "status", "says"),
    [
        ((), 1, "1 finding of severity error"),
        (("--fail-on", "warning"), 1, "3 findings of severity warning or worse"),
        (("--fail-on", "never"), 0, ""),
    ],
)
def test_the_exit_status_says_how_bad_it_is(spoilt, options, status, says):
    done = run("check", spoilt, *options)
    assert done.status == status
    assert done.err == (f"perceptag: {says}\n" if says else "")
    assert "spoilt.txt:2 " in done.out
    assert str(spoilt) not in done.out
    assert done.out.endswith("3 sentences, 5 tokens: 1 error, 2 warnings, 0 notes\n")


def test_json_has_all_places(spoilt):
    found = json.loads(run("check", spoilt, "--json").out)
    assert (found["label"], found["sentences"], found["counts"]["error"]) == ("label", 3, 1)
    assert [f["places"] for f in found["findings"]] == [[f"{spoilt}:2"], [f"{spoilt}:3"], [f"{spoilt}:7"]]


def test_words_without_labels(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("one\ntwo\n")
    assert succeed("check", path).out == "1 sentence, 2 tokens: nothing found; there are words only, no labels\n"
    assert '"labels": {}' in succeed("check", "--stats", path, "--json").out


def conllu(label, tag="_"):
    return f"1\tAnna\t_\t_\t{tag}\t_\t_\t_\t_\t{label}\n2\tsings\t_\t_\t_\t_\t_\t_\t_\tNER=O\n\n" * 2


def test_a_column_with_one_label_is_an_error(tmp_path):
    path = tmp_path / "a.conllu"
    path.write_text(conllu("NER=O", "NNP"))
    done = run("check", path, "--label", "upos", "--json")
    findings = [(f["kind"], f["message"]) for f in json.loads(done.out)["findings"] if f["severity"] == "error"]
    told = "column 'upos': expected at least two labels, found only '_'; 'xpos' has 2 labels: --label xpos"
    assert (done.status, findings) == (1, [("single label", told)])


@pytest.mark.parametrize("options", [(), ("--label", "ner"), ("--label", "NER")])
def test_labels_in_the_last_column_of_conllu_are_found(tmp_path, options):
    path = tmp_path / "a.conllu"
    path.write_text(conllu("NER=B-PER"))
    found = json.loads(succeed("check", path, "--json", *options).out)
    assert found["label"].lower() == "ner" and found["counts"]["error"] == 0
    path.write_text(conllu("NER=I-PER").replace("NER=O", "NER=B-LOC"))
    assert "broken scheme" in run("check", path, *options).out
