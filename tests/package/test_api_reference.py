"""The page with all public names is what their docstrings say."""

from __future__ import annotations

from pathlib import Path

import pytest

from api_reference import page

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "api-reference.md"


def test_the_page_is_up_to_date() -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("sklearn")
    assert PAGE.read_text("utf-8") == page(), "make generate writes it"
