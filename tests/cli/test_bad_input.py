"""Whatever a user can get wrong: one line that names the place, status 2, no traceback, old files intact."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from command_line import OLD, OLD_MODEL, TOY, check, run
from forging import forge

# --- data ---

DATA = {
    "empty": (b"", r"bad\.txt: there is no sentence"),
    "document mark only": (b"-DOCSTART- -X- O\n\n", r"bad\.txt: there is no sentence"),
    "too few columns": (
        b"The DT B-NP\ndog NN\n",
        r"bad\.txt:2: expected 3 columns \(form, pos, chunk\), found 2: 'dog NN'",
    ),
    "invalid UTF-8": (b"The DT B-NP\ndog NN I-NP\n\nca\xfft NN O\n", r"bad\.txt:4: invalid UTF-8: byte 0xFF at byte 3"),
    "UTF-16": ("The DT B-NP\n".encode("utf-16-le"), r"bad\.txt:1: NUL character .* --encoding"),
    "DocBin": (b"x\x9c\xcb\x00", r"bad\.txt: expected text in UTF-8, found data compressed with zlib; if .* DocBin"),
    "NUL": (b"The DT B-NP\ndog\0 NN I-NP\n", r"bad\.txt:2: NUL character at byte 4"),
}


@pytest.mark.parametrize(("data", "message"), DATA.values(), ids=DATA)
@pytest.mark.parametrize("verb", ["dev", "tag", "compare"])
def test_bad_data(folder: Path, verb: str, data: bytes, message: str) -> None:
    (folder / "bad.txt").write_bytes(data)
    columns = ("--columns", "form,pos,chunk")
    train = ("train", "-r", "collins-np", "-m", "old.model", *columns)
    words: dict[str, tuple[str, ...]] = {
        "dev": (*train, "--train", "toy.txt", "--dev", "bad.txt"),
        "tag": ("tag", "-m", "toy.model", *columns, "bad.txt", "-o", "old.txt"),
        "compare": ("compare", *columns, "toy.txt", "bad.txt", "toy.txt"),
    }
    if "no sentence" in message and verb == "tag":
        return  # nothing to tag is not a mistake
    check(run(*words[verb]), message)
    assert (folder / "old.model").read_bytes() == OLD_MODEL
    assert (folder / "old.txt").read_bytes() == OLD
    assert not list(folder.glob("*.tmp")) and not list(folder.glob(".*"))


def test_unknown_labels(folder: Path) -> None:
    (folder / "bad.txt").write_text(TOY.replace("sleeps VBZ O", "sleeps VBZ B-VPP"))
    message = r"bad\.txt:7: unknown label 'B-VPP', which the model never gives; did you mean 'B-NP'"
    check(run("eval", "-m", "toy.model", "bad.txt", "--strict"), message)
    scored = run("eval", "-m", "toy.model", "bad.txt")
    assert scored.status == 0
    assert re.search(message, scored.err)
    assert "wrong column" not in scored.err
    (folder / "pos.txt").write_text("The DT\n")
    other = run("eval", "-m", "toy.model", "pos.txt", "--columns", "form,pos", "--label", "pos")
    assert other.status == 0
    assert "unknown label 'DT'" in other.err
    assert "(1 of 1 tokens have such labels and count as missed: wrong column or model?)" in other.err
    assert run("eval", "-m", "toy.model", "bad.txt", "--strict", "--unknown-labels").status == 2


# --- training ---


@pytest.mark.parametrize(
    "words",
    [
        "--epochs 0",
        "--seed 2147483648",
        "--columns form,pos",
        "-r bad.toml",
        "-m folder",
        "-m toy.txt/m",
        "-m /dev/full",
    ],
)
def test_training_that_is_refused_leaves_all_files(folder: Path, words: str) -> None:
    (folder / "bad.toml").write_bytes(b"epochs = '\xff'")
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    common = ("train", "-r", "collins-np", "--train", "toy.txt", "--columns", "form,pos,chunk", "-m", "old.model")
    refused = run(*common, "--no-dev", *words.split())
    assert refused.status == 2 and "Traceback" not in refused.err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


# --- models ---


def test_a_manifest_that_somebody_has_changed(folder: Path) -> None:
    def edit(_: dict[str, Any], about: dict[str, Any]) -> None:
        about["manifest"] = {"train": 3, "curve": [{}]}

    (folder / "bad.model").write_bytes(forge((folder / "toy.model").read_bytes(), edit))
    check(run("inspect", "bad.model"), r"bad\.model: the model file is damaged: the manifest cannot be shown")


def test_what_a_model_says_cannot_move_the_cursor(folder: Path) -> None:
    def edit(_: dict[str, Any], about: dict[str, Any]) -> None:
        about["recipe"]["description"] = about["manifest"]["perceptag"] = "\x1b[2J\x9b"
        about["columns"][2] = about["labelling"]["column"] = "\x1b[2J"
        about["labelling"]["names"] = [name.replace("-NP", "-\x1b[2J") for name in about["labelling"]["names"]]

    (folder / "bad.model").write_bytes(forge((folder / "toy.model").read_bytes(), edit))
    brief = [run("inspect", "bad.model"), run("eval", "-m", "bad.model", "toy.txt")]
    brief += [run("tag", "-m", "bad.model", stdin=b"a\n")]  # an error that names the columns of the model
    for text in (result.out + result.err for result in brief):
        assert r"\x1b[2J" in text
        assert all(c.isprintable() or c == "\n" for c in text), text


# --- what is small, but not bad ---


def test_empty_sentences_are_kept(folder: Path) -> None:
    (folder / "in.jsonl").write_text('{"tokens": [], "pos": []}\n{"tokens": ["The"], "pos": ["DT"]}\n')
    result = run("tag", "-m", "toy.model", "in.jsonl")
    assert result.out.split("\n")[0] == '{"tokens": [], "pos": [], "chunk": []}'
    assert result.out.count("\n") == 2
