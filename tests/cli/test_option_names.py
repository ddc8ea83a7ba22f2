"""Errors name options as they are written, and say what was found where."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import check, run

LABELLED = ("-m", "toy.model", "toy.txt")
TRAIN = ("train", "--train", "toy.txt", "--no-dev", "-m", "new.model", "-q")
REFUSED = {
    "format": (("tag", *LABELLED, "-f", "xml"), "--format: expected columns, .*, found 'xml'"),
    "scheme": (("eval", *LABELLED, "--scheme", "x"), "--scheme: expected one of IOB1, .*, found 'x'"),
    "repair": (("eval", *LABELLED, "--repair", "x"), "--repair: expected one of conlleval, .*, found 'x'"),
    "lines": (
        ("tokenize", "toy.txt", "-o", "new.txt", "--lines", "x"),
        "--lines: expected one of auto, space, sentence, paragraph, found 'x'",
    ),
    "lines without a tokeniser": (("tag", *LABELLED, "--lines", "space"), "--lines: expected a pipeline that begins"),
    "a key of a recipe": ((*TRAIN, "-s", "epochs=x"), "error: epochs: expected a whole number, found 'x'"),
    "a recipe": ((*TRAIN, "-r", "bad.toml"), r"recipe bad\.toml:2: expected TOML: "),
    "a table": (
        ("reproduce", "collins2002", "--data", "shipped", "--table", "x", "--plan"),
        "--table: expected a part",
    ),
    "a file for parts": (("tag", *LABELLED, "--out-dir", "toy.txt"), "--out-dir: expected a folder, found a file"),
    "no languages": (("list", "--models", "--languages", "x"), "--languages: expected a folder, found none: x"),
    "a column that is not there": (
        ("convert", "toy.txt", "new.jsonl", "--label", "x"),
        "--label: there is no column 'x'",
    ),
    "rules without a corpus": (("check", "--rules", "bad.toml"), "missing argument: CORPUS"),
    "standard input twice": (("compare", "-", "toy.txt", "-"), "GOLD and PRED_B: expected '-' once, .* found it twice"),
    "standard input": ((*TRAIN, "--train", "-"), "<stdin>: there is no sentence in the training data"),
}


@pytest.mark.parametrize(("words", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_named_as_on_the_command_line(folder: Path, words: tuple[str, ...], message: str) -> None:
    (folder / "bad.toml").write_text("epochs = 3\n= 4\n")
    check(run(*words), message)
    assert not list(folder.glob("new.*"))


def test_the_labels_are_those_of_the_model(folder: Path) -> None:
    columns = ("--columns", "form,pos,chunk", "--label", "pos", "-r", "pos")
    assert run("train", "--train", "toy.txt", *columns, "--no-dev", "-m", "pos.model", "-q").status == 0
    (folder / "two.txt").write_text("The DT\n\n")
    check(run("eval", "-m", "pos.model", "two.txt"), "found 2; name them with --columns; the labels are in pos, the")
