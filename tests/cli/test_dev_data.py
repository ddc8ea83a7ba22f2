"""Dev data: its columns must be those of the training data, and it had better be other data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import TOY, check, run, succeed

VERBS = {
    "train": ("train", "-r", "collins-np", "--epochs", 1, "-m", "m"),
    "tune": ("tune", "-r", "collins-np", "--set", "epochs=1", "--trials", 1, "-j", 1, "-o", "t.toml"),
    "ablate": ("tune", "--ablate", "-r", "collins-np", "--set", "epochs=1", "-j", 1),
}
every_verb = pytest.mark.parametrize("words", VERBS.values(), ids=VERBS)
SAME = "warning: the dev data is the training data"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "train.txt").write_text(TOY)
    (tmp_path / "wide.txt").write_text("".join(f"{line} O\n" if line else "\n" for line in TOY.split("\n")))
    (tmp_path / "narrow.txt").write_text("".join(f"{' '.join(line.split()[::2])}\n" for line in TOY.split("\n")))
    return tmp_path


@every_verb
def test_other_columns_than_the_training_data(folder: Path, words: tuple[object, ...]) -> None:
    named = "expected 3 columns as in the training data (form, c1, label), found "
    for dev, found in (("wide.txt", "4 (form, c1, c2, label)"), ("narrow.txt", "2 (form, label)")):
        result = run(*words, "--train", "train.txt", "--dev", dev)
        check(result, f"{dev}: {named}{found}".replace("(", r"\(").replace(")", r"\)"))
    assert not {"m", "t.toml"} & {p.name for p in folder.iterdir()}


def test_columns_with_names_may_be_more(folder: Path) -> None:
    lines = [{"tokens": ["The", "dog"], "c1": ["DT", "NN"], "labels": ["B-NP", "I-NP"]}]
    (folder / "dev.jsonl").write_text(json.dumps(lines[0] | {"more": ["x", "y"]}))
    settings = ("--set", "templates=form[0],c1[0]")
    succeed(*VERBS["train"], *settings, "--train", "train.txt", "--dev", "dev.jsonl", "-q")


@every_verb
def test_the_same_data_twice(folder: Path, words: tuple[object, ...]) -> None:
    (folder / "copy.txt").write_text("\n" + TOY.replace(" ", "  "))  # the same content in another file
    (folder / "other.txt").write_text(TOY.replace("cat", "cow"))
    columns = ("--columns", "form,pos,chunk", "--train", "train.txt")
    for dev in ("train.txt", "copy.txt"):
        assert SAME in succeed(*words, *columns, "--dev", dev).err
    (folder / "t.journal").unlink(missing_ok=True)  # of the searches above
    assert SAME not in succeed(*words, *columns, "--dev", "other.txt").err
