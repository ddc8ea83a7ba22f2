"""Chunkers on the command line."""

from __future__ import annotations

import json

import pytest

from command_line import succeed
from perceptag.models import model_file as modelfile


@pytest.fixture(scope="module")
def model_file(model, tmp_path_factory):
    path = str(tmp_path_factory.mktemp("chunker") / "names.model")
    modelfile.save(model, path)
    return path


def run(*words: str) -> str:
    return succeed(*words).out


def test_explain_on_the_command_line(model_file):
    text = run("explain", "--model", model_file, "the/DT Harwick/NNP council/NN", "--top", "3")
    assert "Harwick" in text
    assert "phrase" in text
    assert "inside" in text
    found = json.loads(run("explain", "--model", model_file, "the/DT Harwick/NNP council/NN", "--json"))
    assert [w["token"] for w in found["words"]] == ["the", "Harwick", "council"]
    assert len(found["labels"]) == 3


def test_explain_one_token_shows_its_phrase_only(model_file):
    words = "the/DT Harwick/NNP council/NN"
    whole, of_first = (run("explain", "--model", model_file, words, *more) for more in ([], ["--token", "1"]))
    assert "like" in whole
    assert "like" not in of_first


def test_inspect_and_tag_on_the_command_line(model_file, tmp_path):
    text = run("inspect", model_file)
    assert "chunker model" in text
    assert "support vectors of phrases: " in text
    source = tmp_path / "in.txt"
    source.write_text("the DT\nHarwick NNP\n\n", encoding="utf-8")
    tagged = run("tag", "--model", model_file, str(source))
    assert [line.split()[:2] for line in tagged.split("\n") if line] == [["the", "DT"], ["Harwick", "NNP"]]
