r"""Files of CRFsuite: what is read, what is refused, and the command line with them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from command_line import run, succeed
from perceptag import Tagger
from perceptag.errors import DataError
from perceptag.text import read

TEXT = "B-PER\tword=Angela\ttitle:1\tlower:0\nO\tword=said\ttime\\:now\\\\\n\nO\tword=it\nB-LOC\tword=Rome\ttitle:1.0\n"


def test_features_and_numbers_are_read() -> None:
    first, second = read(io.StringIO(TEXT), "crfsuite")
    assert first.columns == {"features": ["word=Angela\x1ftitle", "word=said\x1ftime:now\\"], "label": ["B-PER", "O"]}
    assert second.where(1) == "<stream>:5"
    (third,) = read(io.StringIO("O\tlength:0.30\tlow:-2.0\n"), "crfsuite")
    assert third.columns["features"] == ["length\x1e0.3\x1flow\x1e-2"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("O\tlength:17", "feature 'length': expected a number from -16 to 16, found 17; divide by a constant"),
        ("O\tlength:nan", "feature 'length': expected a number from -16 to 16, found nan"),
        ("O\tword:dog", r"expected a feature, or name:number \(\\: is a colon in a name\), found 'word:dog'"),
        ("O\ta\\", "expected a feature, or name:number"),
        ("O\ta\ta", "expected each once, found 'a' again"),
        ("\ta", "expected a label before the first tab, found none"),
    ],
)
def test_what_is_wrong_is_named(line: str, message: str) -> None:
    with pytest.raises(DataError, match=f"^<stream>:2: .*{message}"):
        list(read(io.StringIO(f"O\tx\n{line}\n"), "crfsuite"))


def test_the_command_line_takes_such_files(tmp_path: Path) -> None:
    file, model = tmp_path / "a.crfsuite", tmp_path / "a.model"
    file.write_text(TEXT.replace(":1.0", "").replace(":1", "").replace("\tlower:0", "") + "\n", encoding="utf-8")
    said = succeed("train", "--train", file, "-m", model, "-s", "epochs=3").err
    assert "the tokens have lists of features; the labels are spans" in said
    tagged = succeed("tag", "-m", model, file).out
    assert tagged == "word=Angela\x1ftitle B-PER\nword=said\x1ftime:now\\ O\n\nword=it O\nword=Rome\x1ftitle B-LOC\n\n"
    for written in (("--to", "crfsuite"), ("-o", tmp_path / "b.crfsuite")):
        refused = run("tag", "-m", model, file, *written)
        assert refused.status == 2 and "files of CRFsuite are read only" in refused.err
    refused = run("tag", "-m", model, file, "--to", "jsonl")
    assert (refused.status, refused.out) == (2, "")
    assert "columns: expected form" in refused.err


def test_numbers_that_a_model_does_not_take_are_named_by_their_lines(tmp_path: Path) -> None:
    file, settings_ = tmp_path / "a.crfsuite", {"templates": ["features.each[0]", "bias"], "epochs": 1}
    file.write_text("A\tx\nB\ty\n\nA\tx\nB\tz:0.5\n", encoding="utf-8")
    words = Tagger("collins-pos", **settings_).fit(list(read(io.StringIO("A\tx\nB\ty\n"), "crfsuite")))
    for use in (Tagger("collins-pos", **settings_).fit, words.predict):
        with pytest.raises(DataError, match=rf"^{file}:5: feature 'z': expected 0 or 1 for this model, found 0.5"):
            use(list(read(file)))
