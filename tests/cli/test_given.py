"""``perceptag tag --keep-given``: labels that are there stay."""

from __future__ import annotations

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
