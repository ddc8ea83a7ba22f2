"""Data and fixtures that the tests in this folder share."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import CORPUS, CORPUS_COLUMNS, succeed
from perceptag import Sentence
from perceptag.text import read_columns


@pytest.fixture(scope="module")
def chunks() -> list[Sentence]:
    read = list(read_columns(CORPUS / "train.txt", ["form", "pos", "chunk", "ner"]))[:60]
    return [
        Sentence(
            {"form": s.columns["form"], "pos": s.columns["pos"], "label": s.columns["chunk"]},
            starts_document=s.starts_document,
        )
        for s in read
    ]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    model = tmp_path_factory.mktemp("first") / "pos.model"
    common = ("--train", CORPUS / "train.txt", "--columns", CORPUS_COLUMNS, "--label", "pos", "--epochs", 2)
    succeed("train", "-r", "pa", *common, "-m", model, "--no-dev", "-q")
    return model
