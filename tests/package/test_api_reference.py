"""The page with all public names is what their docstrings say."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

import perceptag
from api_reference import page
from perceptag import Tagger

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "api-reference.md"


def test_the_page_is_up_to_date() -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("sklearn")
    assert PAGE.read_text("utf-8") == page(), "make generate writes it"


def test_every_public_name_is_on_it() -> None:
    text = PAGE.read_text("utf-8")
    for name in perceptag.__all__:
        assert f"### {name}\n" in text or f"`perceptag.{name}`" in text
    for name, value in vars(Tagger).items():
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, (property, classmethod))):
            assert f"#### Tagger.{name}\n" in text


def test_every_public_name_is_described() -> None:
    for name in set(perceptag.__all__) - {"__version__"}:
        assert inspect.getdoc(getattr(perceptag, name)), name
