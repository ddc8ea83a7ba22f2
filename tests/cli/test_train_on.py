"""``perceptag train --on``: the same model, read in parts; what cannot be done is said at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CORPUS, CORPUS_COLUMNS, succeed

COMMON = (
    "--columns",
    CORPUS_COLUMNS,
    "--label",
    "ner",
    "-r",
    "basic-ner",
    "--set",
    "gazetteer=train",
    "--add",
    "gazetteer[0]",
    "--set",
    "shards=4",
    "--epochs",
    2,
)
DEV = ("--dev", CORPUS / "dev.txt")


def test_the_model_and_the_notes_are_those_of_training_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With documents, labels in IOBES inside the model, dev data and calibration, in parts of some sentences."""
    monkeypatch.setattr("perceptag.cluster.sources.PART", 20_000)
    paths = tmp_path / "a.model", tmp_path / "b.model"
    shown = [
        succeed("train", "--train", CORPUS / "train.txt", *DEV, *COMMON, "-m", path, *on).err
        for path, on in zip(paths, ((), ("--on", "threads", "-j", 2)), strict=True)
    ]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    first, second = (text.splitlines() for text in shown)
    assert first[0] == second[0]
    assert "sentences" in first[0]


def test_a_pattern_means_all_files(tmp_path: Path) -> None:
    text = (CORPUS / "train.txt").read_text()
    cut = text.index("\n\n", len(text) // 2) + 2
    (tmp_path / "1.txt").write_text(text[:cut])
    (tmp_path / "2.txt").write_text(text[cut:])
    rest = (*COMMON, "--set", "inner_folds=0", "--no-dev")
    succeed("train", "--train", CORPUS / "train.txt", *rest, "-m", tmp_path / "a.model")
    succeed("train", "--train", tmp_path / "*.txt", *rest, "-m", tmp_path / "b.model", "--on", "threads")
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
