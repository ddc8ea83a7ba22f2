"""What several files of tests work in."""

from __future__ import annotations

import gc
import os
import shutil
import zlib
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import settings

from command_line import OLD, OLD_MODEL, TOY, toy_model
from learner_settings import RARE
from perceptag import Pipeline
from perceptag.models import packed_arrays
from perceptag.pipeline.installed import own_file

# As many examples as a test needs that says nothing else. A slow machine is not a fault. A service for tests repeats
# the same examples, so that a red run is due to the change; everywhere else each run draws new ones.
# Processes that pytest starts to run tests inherit REPEATS: CI is taken away below.
REPEATS = "REPEAT_EXAMPLES"
if "CI" in os.environ:
    os.environ[REPEATS] = "true"
settings.register_profile("perceptag", max_examples=50, deadline=None, derandomize=REPEATS in os.environ)
settings.load_profile("perceptag")

# What a terminal or a service for tests sets changes what perceptag shows. Tests that want it set it themselves.
for name in ("CI", "GITHUB_ACTIONS", "PY_COLORS", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "LINES"):
    os.environ.pop(name, None)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep what is collected out of the garbage collector, which else looks at half a million objects again and again.

    Later it looks for garbage as rarely as in a command, `perceptag.__main__`: it took a fifth of the time of tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(50_000, 10, 10)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Look for examples in the package, not in these files: they have none."""
    return [found for found in (yield) if type(found) is pytest.Module]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Set tests of rare settings apart: `make test-all PARTS=every` runs them, `make test` does not."""
    first, last = tuple(f"{name}-" for name in RARE), tuple(f"-{name}" for name in RARE)
    for item in items:
        names = item.name.partition("[")[2].removesuffix("]")
        if names in RARE or names.startswith(first) or names.endswith(last):
            item.add_marker(pytest.mark.every)


@pytest.fixture(scope="session")
def toy_model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return toy_model(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="session", autouse=True)
def en_is_read_once() -> Iterator[None]:
    """Make the installed pipeline `en`, which many tests use, once in each process: a pipeline is read-only."""
    path, make = own_file("en"), Pipeline._from_bytes

    @cache
    def made_once(data: bytes, given: frozenset[tuple[str, Any]]) -> Pipeline:
        return make(data, path, **dict(given))

    def from_bytes(data: bytes, name: str, **given: Any) -> Pipeline:
        return made_once(data, frozenset(given.items())) if name == path else make(data, name, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Pipeline, "_from_bytes", staticmethod(from_bytes))
        yield


@pytest.fixture
def quick_compression(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compress files of models less, which is five times faster: for tests that write large ones."""
    quick = {**vars(zlib), "compress": lambda data, level: zlib.compress(data, 1)}
    monkeypatch.setattr(packed_arrays, "zlib", SimpleNamespace(**quick))


@pytest.fixture
def folder(toy_model_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the toy corpus, a model of it, and old files where output would go."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(toy_model_file, tmp_path)
    (tmp_path / "toy.txt").write_text(TOY)
    (tmp_path / "old.model").write_bytes(OLD_MODEL)
    (tmp_path / "old.txt").write_bytes(OLD)
    (tmp_path / "folder").mkdir()
    return tmp_path
