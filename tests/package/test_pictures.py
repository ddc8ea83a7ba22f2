"""The pictures of the documentation are what their programs draw (docs/pictures), and can be read in both themes."""

from __future__ import annotations

import importlib
import importlib.util
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "pictures"
PARTS = ("__main__", "drawing", "news")
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem not in PARTS)


@pytest.fixture
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """One program; its folder is on the path, and its parts are loaded, only while it is used."""
    if request.param == "speed":
        pytest.importorskip("benchmarks")  # a source distribution is without them
    monkeypatch.syspath_prepend(str(FOLDER))
    before = set(sys.modules)
    yield importlib.import_module(request.param)
    for name in (set(sys.modules) - before) & {*PROGRAMS, *PARTS}:
        del sys.modules[name]


@pytest.mark.parametrize("program", PROGRAMS, indirect=True)
def test_files_are_what_programs_draw(program: ModuleType) -> None:
    for path, svg in program.draw().items():
        assert (ROOT / "docs" / path).read_text(encoding="utf-8") == svg, "make generate draws it again"
        assert ET.fromstring(svg).get("aria-label")
        assert "prefers-color-scheme" in svg
