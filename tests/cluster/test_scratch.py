"""Scratch folders: they go at the end, and those of killed runs at the next start."""

from __future__ import annotations

import socket
import tempfile
from pathlib import Path

import pytest

from perceptag.cluster.shared import scratch_folder


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which scratch folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def leave(folder: Path, owner: str | None) -> Path:
    """Leave what a killed run leaves."""
    folder.mkdir()
    (folder / "part-1").write_bytes(b"numbers")
    if owner is not None:
        (folder / "owner").write_text(owner)
    return folder


def test_those_of_dead_runs_are_removed_and_no_others(temporary: Path) -> None:
    dead = leave(temporary / "perceptag-scratch-dead", socket.gethostname())
    others = [
        leave(temporary / "perceptag-scratch-far", "another.machine"),
        leave(temporary / "perceptag-scratch-worker", None),
        leave(temporary / "perceptag-else", socket.gethostname()),
    ]
    with scratch_folder() as alive:
        assert not dead.exists()
        assert all((other / "part-1").exists() for other in others)
        with scratch_folder() as second:
            assert alive.is_dir()
            assert second != alive
        assert not second.exists()
    assert not alive.exists()
