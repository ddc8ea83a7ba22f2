"""Messages in words that matter to users: typing hints and ways out, each once.

A module of this folder has `ROWS`: a command line (one string, or a tuple of words) or a call without arguments, the
text that is said, and files to be written before, if the row needs some. `prepare(folder)` of a module makes what its
rows share, once. A text of the class `Not` must not be said.
"""

from __future__ import annotations

import importlib.util
import shutil
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from message_rows import Not, said_by, write_files

HERE = Path(__file__).parent


@cache
def module_of(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"messages_{name}", HERE / f"{name}.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


NAMES = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("test_"))
ROWS = [pytest.param(name, row, id=f"{name}-{n}") for name in NAMES for n, row in enumerate(module_of(name).ROWS)]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The folders that modules prepare, by the names of the modules."""

    @cache
    def prepared(name: str) -> Path:
        folder = tmp_path_factory.mktemp(name)
        getattr(module_of(name), "prepare", lambda _: None)(folder)
        return folder

    return prepared


@pytest.mark.parametrize(("name", "row"), ROWS)
def test_what_is_said(
    name: str, row: tuple[Any, ...], shared: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doing, text, files = row if len(row) == 3 else (*row, {})
    shutil.copytree(shared(name), tmp_path, dirs_exist_ok=True)
    write_files(tmp_path, files)
    monkeypatch.chdir(tmp_path)
    said = said_by(doing)
    assert (text in said) != isinstance(text, Not), said


def test_each_text_is_there_once() -> None:
    rows = [(*map(str, row),) for name in NAMES for row in module_of(name).ROWS]
    assert len(set(rows)) == len(rows)
