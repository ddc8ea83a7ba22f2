"""``perceptag check --suspects``: labels that are probably wrong."""

from __future__ import annotations

import json

import pytest

from command_line import check, run, succeed
from perceptag.text import write_columns
from review_toys import names, relabelled


@pytest.fixture
def spoilt(tmp_path):
    """A file with one wrong type, one misspelt label, and one label that breaks the scheme."""
    data = relabelled(names(), 30, "B-LOC I-LOC O O B-LOC O")
    data = relabelled(relabelled(data, 40, "B-PRE I-PER O O B-LOC O"), 50, "B-PER I-PER O O I-LOC O")
    path = tmp_path / "spoilt.txt"
    write_columns(data, path)
    return path


def test_all_kinds_are_shown_with_their_places(spoilt):
    out = succeed("check", "--suspects", spoilt, "--columns", "form,ner").out
    assert str(spoilt) not in out
    assert "labels that models doubt: " in out
    assert "[Paul Voss] " in out
    assert "the same words with different labels: " in out


def test_json_has_places_labels_and_reasons(spoilt):
    found = json.loads(succeed("check", "--suspects", spoilt, "--columns", "form,ner", "--json", "--top", 1).out)
    assert (found["label"], found["sentences"]) == ("ner", 64)
    (error,) = found["errors"]["items"]
    assert found["errors"]["total"] >= 1
    assert error["where"] == f"{spoilt}:{7 * error['sentence'] + 1 + error['start']}"
    assert len(error["labels"]) == len(error["tokens"])
    assert error["reason"]["for_suggested"][0]["feature"]
    assert found["inconsistent"]["items"][0]["sides"][0]["examples"][0]["where"].startswith(f"{spoilt}:")


def test_several_files_are_one_corpus(spoilt, tmp_path):
    other = tmp_path / "other.txt"
    write_columns(names(), other)
    found = json.loads(succeed("check", "--suspects", other, spoilt, "--columns", "form,ner", "--json").out)
    assert found["sentences"] == 128
    assert found["errors"]["items"][0]["where"].startswith(f"{spoilt}:")
    other.write_text("one two three\n")
    check(run("check", "--suspects", spoilt, other), "other.txt:1: expected the columns of")


def test_a_few_sentences_are_said_to_be_too_few(tmp_path):
    path = tmp_path / "few.txt"
    path.write_text("Anna B-PER\nsleeps O\n\nAnna O\nwakes O\n")
    found = succeed("check", "--suspects", path)
    assert "note: errors: expected 20 labelled sentences or more to learn from, found 2" in found.err
    assert "labels that models doubt" not in found.out
    assert "the same words with different labels: 1" in found.out
    assert succeed("check", "--suspects", path, "-q").err == ""
