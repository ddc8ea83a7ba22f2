"""The script that changes sources to test the tests: what it changes, what it leaves alone, and what it runs."""

from __future__ import annotations

import importlib
import importlib.util
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
_spec = importlib.util.spec_from_file_location("mutants", ROOT / ".ci" / "mutants.py")
assert _spec and _spec.loader
script = importlib.util.module_from_spec(_spec)
sys.modules["mutants"] = script  # dataclasses look their module up
_spec.loader.exec_module(script)


def changed(path: str, source: str) -> list[str]:
    return [source[: one.start] + one.text + source[one.end :] for one in script.mutants(path, source)]


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.cpp", "x = a < b;", ["x = a <= b;"]),
        ("a.cpp", "x = a + 7;", ["x = a - 7;", "x = a + 8;"]),
        ("a.cpp", "if (!a && b) continue;", ["if (a && b) continue;", "if (!a || b) continue;", "if (!a && b) break;"]),
        ("a.cpp", "std::vector<std::int32_t> v;  // a < 3", []),
        ("a.cpp", '#include <limits>\nthrow Error("1 < 2");', []),
        ("a.cpp", "double x = 1.5 * 0x1p20;", []),
        ("a.py", "if not a and b:  # 1 + 1", ["if a and b:  # 1 + 1", "if not a or b:  # 1 + 1"]),
        ("a.py", '"""Add 1 + 1."""\nx = True', ['"""Add 1 + 1."""\nx = False']),
        ("a.py", "@dataclass(frozen=True)\nclass A:\n    x = zip(a, b, strict=True)", []),
    ],
)
def test_one_thing_changes_and_only_in_code(path: str, source: str, expected: list[str]) -> None:
    assert changed(path, source) == expected


def test_files_of_the_table_and_their_tests_exist() -> None:
    assert all((ROOT / path).is_file() for path in script.KERNELS)
    assert all((ROOT / test).exists() for tests in script.KERNELS.values() for test in tests.split())


def test_lines_that_are_called_equivalent_exist_and_have_a_reason() -> None:
    for (path, text, change), why in script.equivalent().items():
        source = (ROOT / path).read_text("utf-8")
        found = [one.change(source) for one in script.mutants(path, source) if one.whole_line(source) == text]
        assert why and (change in found if change else found), path


def test_arguments_name_files_folders_and_kernels() -> None:
    assert script.files_of(["src/perceptag/learn/margin.py", "cpp"]) == [
        "src/perceptag/learn/margin.py",
        *script.KERNELS,
    ]
    assert "src/perceptag/learn/margin.py" in script.files_of(["src/perceptag/learn"])


SOURCE = """LIMIT = 3


def inside(value: int) -> bool:
    found = (
        value
        < LIMIT
    )
    return found
"""


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with one source file, whose lines three tests run: 0 the first, 1 one, 2 all of them."""
    (tmp_path / "a.py").write_text(SOURCE, "utf-8")
    lines = {"1": [0], "5": [1, 2], "9": [2]}
    other = {str(line): [2] for line in range(100)}
    tests = ["test_first", "test_one", "test_all"]
    found = {"tests": tests, "seconds": [0.5, 0.5, 0.5], "lines": {"a.py": lines, "b.py": other}}
    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setattr(script, "recorded", lambda: found)
    script.lines_of_tests.cache_clear()
    yield tmp_path
    script.lines_of_tests.cache_clear()


def test_the_most_specific_tests_of_a_statement_come_first(recorded: Path) -> None:
    assert script.python_tests("a.py", 7) == [1, 2]  # the third line of a statement
    assert script.python_tests("a.py", 9) == [2]


def test_a_line_of_the_import_has_the_tests_of_its_module(recorded: Path) -> None:
    assert set(script.python_tests("a.py", 1)) == {0, 1, 2}


def test_quick_tests_come_in_the_first_batch(recorded: Path) -> None:
    assert list(script.batches([1, 2, 0])) == [["test_one"], ["test_all", "test_first"]]


def test_a_line_that_no_test_runs_survives(recorded: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = "def f() -> int:\n    return 1\n"
    (recorded / "c.py").write_text(source, "utf-8")
    (mutant,) = script.mutants("c.py", source)
    monkeypatch.setattr(script, "COVERING", recorded)
    assert script.python_tests("c.py", 2) == []
    assert script.python_outcome(script.WarmTests(lambda _: None), mutant, source) == ""


def test_a_changed_file_is_restored_even_if_its_tests_cannot_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "x = 1\n"
    (tmp_path / "a.py").write_text(source, "utf-8")
    before = (tmp_path / "a.py").stat().st_mtime_ns
    seen = []

    def interrupted() -> str:
        seen.append((tmp_path / "a.py").read_text("utf-8"))
        raise KeyboardInterrupt

    monkeypatch.setattr(script, "ROOT", tmp_path)
    (mutant,) = script.mutants("a.py", source)
    with pytest.raises(KeyboardInterrupt):
        script.tried(mutant, source, interrupted)
    assert seen == ["x = 2\n"]
    assert (tmp_path / "a.py").read_text("utf-8") == source
    assert (tmp_path / "a.py").stat().st_mtime_ns == before


def test_the_name_of_a_change_does_not_depend_on_other_lines() -> None:
    def keys(source: str) -> list[str]:
        return [mutant.key(source) for mutant in script.mutants("a.py", source)]

    assert keys("y = a < b\nx = 1\n") == keys("\n\nz = None\ny = a < b\nx = 1\n")
    assert len(set(keys("\nx = 1\nx = 1\nx = 1, 1\n"))) == 4


MODULE = """MOST = 3
ABOUT = {"most": 3}


def outer(value: int, less: int = 1) -> bool:
    return value - less < MOST


class Kept:
    @property
    def twice(self) -> int:
        return MOST * 2
"""


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("value - less", "value + less", (False, False, 6, 1)),
        ("less: int = 1", "less: int = 3", (True, True, 6, 1)),
        ("MOST = 3", "MOST = 2", (False, False, 4, 1)),
        ("MOST * 2", "MOST * 3", (True, True, 9, 1)),
        ("twice(self)", "twice(self, _=0)", (True, True, 6, 1)),
        ("value: int", "value: float", (True, True, 6, 1)),
        ('{"most": 3}', '{"most": 4}', (True, True, 6, 0)),  # it cannot be changed in memory
    ],
)
def test_a_module_is_changed_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, found: tuple[bool, bool, int, int]
) -> None:
    place = tmp_path / "perceptag_patched.py"
    place.write_text(MODULE, "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "perceptag_patched", raising=False)
    module = importlib.import_module("perceptag_patched")
    outer, kept = module.outer, module.Kept()
    changes = script.patch(place, "perceptag_patched", MODULE.replace(old, new))
    assert (outer(3), outer(4, 2), kept.twice, changes) == found


class PlayedTest:
    """A test, with as much of pytest as a fork needs: it fails if `wrong` has been changed."""

    wrong = False

    def __init__(self) -> None:
        self.config = self.hook = self.pluginmanager = self

    def register(self, plugin: Any) -> None:
        self.plugin = plugin

    def pytest_runtest_protocol(self, item: PlayedTest, nextitem: PlayedTest | None) -> None:
        item.plugin.pytest_runtest_logreport(SimpleNamespace(failed=self.wrong))


def test_a_fork_says_whether_a_test_fails(tmp_path: Path) -> None:
    warm = script.WarmTests(lambda _: None)
    warm._folder = tmp_path
    (tmp_path / "left").mkdir()

    def broken() -> int:
        PlayedTest.wrong = True
        return 1

    assert warm.fails([PlayedTest()], lambda: 1) == ""
    assert warm.fails([PlayedTest()], lambda: 0) == "cold"
    assert warm.fails([PlayedTest()], broken) == "test"
    assert not list(tmp_path.iterdir()) and not PlayedTest.wrong


def test_a_process_that_waits_for_ever_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules["warm_tests"], "LIMIT", 0.05)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
    assert sys.modules["warm_tests"].waited(child.pid) == "time"
    child.returncode = -signal.SIGKILL  # it has been waited for


def test_likely_tests_are_those_that_mention_a_line() -> None:
    found = script.likely_files("src/perceptag/models/packed_arrays.py", 94)
    assert found[0] == "tests/models/test_packed_arrays.py"


def test_the_interval_is_that_of_wilson() -> None:
    assert script.interval(90, 100) == pytest.approx((82.56, 94.48), abs=0.01)
    assert script.interval(0, 0) == (0.0, 100.0)
