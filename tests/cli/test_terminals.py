"""What a person at a terminal is told: files taken for words, bytes that are not text, folders without a name."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from command_line import run
from perceptag import SettingError
from perceptag.text.parquet import refuse_terminal

DATA = "The\tDT\ndog\tNN\nbarks\tVB\n\nA\tDT\ncat\tNN\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model for parts of speech."""
    folder = tmp_path_factory.mktemp("terminals")
    (folder / "train.txt").write_text(DATA)
    assert run("train", "--train", folder / "train.txt", "-m", folder / "m", "--no-dev", "--epochs", 1).status == 0
    return folder / "m"


@pytest.mark.parametrize("target", ["-", "/dev/stdout"])
def test_parquet_is_not_written_to_a_terminal(target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    refuse_terminal(target)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with pytest.raises(SettingError, match=r"expected a file for Parquet, .*found a terminal"):
        refuse_terminal(target)
    refuse_terminal("a.parquet")


def test_training_on_an_engine_gives_the_notes_of_training_in_memory(model: Path, tmp_path: Path) -> None:
    data = model.with_name("train.txt")
    shards = ("--set", "shards=2", "--set", "shuffle=false", "--recipe", "pos", "--epochs", 1, "--seed", 3)
    for on in ((), ("--on", "threads")):
        done = run("train", "--train", data, "--dev", data, "-m", tmp_path / "m", *shards, *on)
        assert done.status == 0, done.err
        assert done.err.count("warning: the dev data is the training data") == 1, on
        assert done.err.count("note: --seed has no effect") == 1, on
