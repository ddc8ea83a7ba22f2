"""``perceptag tag --keep-given``: labels that are there stay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import check, run, succeed, toy_model

TEXT = "The DT _\ndog NN O\nbarks VBZ _\n\n\nDogs NNS _\nbark VBP B-NP\n\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_model(tmp_path_factory.mktemp("given"))


def test_given_labels_stay_and_the_others_are_found(model):
    assert succeed("tag", "-m", model, stdin=TEXT.encode()).out.count("O\n") == 2
    out = succeed("tag", "-m", model, "--keep-given", stdin=TEXT.encode()).out
    assert out == "The DT B-NP\ndog NN O\nbarks VBZ O\n\n\nDogs NNS B-NP\nbark VBP B-NP\n\n"


def test_every_format_has_given_labels(model):
    line = {"tokens": ["The", "dog"], "pos": ["DT", "NN"], "labels": ["_", "O"]}
    out = succeed(
        "tag", "-m", model, "--keep-given", "-f", "jsonl", "--label", "label", stdin=json.dumps(line).encode()
    )
    assert json.loads(out.out)["labels"] == ["B-NP", "O"]


def test_text_without_given_labels_is_tagged_as_ever(model):
    text = TEXT.replace(" O", " _").replace(" B-NP", " _").encode()
    assert succeed("tag", "-m", model, "--keep-given", stdin=text).out == succeed("tag", "-m", model, stdin=text).out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT.replace("barks VBZ _", "barks VBZ I-NP"), r"<stdin>:3: given labels: I-NP follows O, which breaks IOB2"),
        (TEXT.replace("B-NP", "B-VP"), r"<stdin>:7: given labels: unknown label 'B-VP'; did you mean 'B-NP'\?"),
        ("The DT\ndog NN\n", r"<stdin>:1: expected labels in column 'chunk', found no such column"),
    ],
)
def test_what_cannot_be_kept_is_an_error(model, text, message):
    check(run("tag", "-m", model, "--keep-given", stdin=text.encode()), message)


@pytest.mark.parametrize("option", [("--nbest", 2), ("--confidence",), ("--min-confidence", 0.5)])
def test_given_labels_have_no_confidence_and_no_lists(model, option):
    check(
        run("tag", "-m", model, "--keep-given", *option, stdin=TEXT.encode()), r"--keep-given: .* leave out the other"
    )


def test_a_chunker_refuses(tmp_path):
    chunker = toy_model(tmp_path, "-r", "carreras-ner")
    check(run("tag", "-m", chunker, "--keep-given", stdin=TEXT.encode()), r"labels that are given: not offered")
