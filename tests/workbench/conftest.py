"""Workbenches for tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benches import Benched, new_project


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Benched]:
    """A workbench with a few sentences, none of them labelled."""
    made = Benched(new_project(tmp_path))
    yield made
    made.close()
