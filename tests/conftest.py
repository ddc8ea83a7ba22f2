"""What several files of tests work in."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from command_line import OLD, TOY, toy_model


@pytest.fixture(scope="session")
def toy_model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_model(tmp_path_factory.mktemp("models"))


@pytest.fixture
def folder(toy_model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the toy corpus, a model of it, and old files where output would go."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(toy_model_file, tmp_path)
    (tmp_path / "toy.txt").write_text(TOY)
    (tmp_path / "old.model").write_bytes(OLD)
    (tmp_path / "old.txt").write_bytes(OLD)
    (tmp_path / "folder").mkdir()
    return tmp_path
