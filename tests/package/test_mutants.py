"""The script that changes sources to test the tests: what it changes, what it leaves alone, and what it runs."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

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
    assert [names for names, _ in script.batches([1, 2, 0])] == [["test_one"], ["test_all", "test_first"]]


def test_a_line_that_no_test_runs_survives(recorded: Path) -> None:
    (recorded / "b.py").write_text("def f() -> int:\n    return 1\n", "utf-8")
    assert script.python_tests("b.py", 2) == [2]
    source = "def f() -> int:\n    return 1\n"
    (recorded / "c.py").write_text(source, "utf-8")
    (mutant,) = script.mutants("c.py", source)
    assert script.tried(mutant, source) == ""


def test_a_changed_file_is_restored_even_if_its_tests_cannot_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "x = 1\n"
    (tmp_path / "a.py").write_text(source, "utf-8")
    before = (tmp_path / "a.py").stat().st_mtime_ns
    seen = []

    def interrupted(path: str, line: int) -> str:
        seen.append((tmp_path / path).read_text("utf-8"))
        raise KeyboardInterrupt

    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setattr(script, "outcome", interrupted)
    (mutant,) = script.mutants("a.py", source)
    with pytest.raises(KeyboardInterrupt):
        script.tried(mutant, source)
    assert seen == ["x = 2\n"]
    assert (tmp_path / "a.py").read_text("utf-8") == source
    assert (tmp_path / "a.py").stat().st_mtime_ns == before


def test_the_name_of_a_change_does_not_depend_on_other_lines() -> None:
    def keys(source: str) -> list[str]:
        return [mutant.key(source) for mutant in script.mutants("a.py", source)]

    assert keys("y = a < b\nx = 1\n") == keys("\n\nz = None\ny = a < b\nx = 1\n")
    assert len(set(keys("\nx = 1\nx = 1\nx = 1, 1\n"))) == 4


def test_a_fork_says_whether_a_test_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "ROOT", tmp_path)
    (tmp_path / "test_it.py").write_text("def test_a():\n    pass\n\ndef test_b():\n    assert False\n", "utf-8")
    assert not script.forked(["test_it.py::test_a"], 1.0)
    assert script.forked(["test_it.py::test_a", "test_it.py::test_b"], 1.0)


def test_a_process_that_waits_for_ever_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "LIMIT", 0.05)
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], start_new_session=True)
    assert script.waited(child.pid) == 1
    child.returncode = -signal.SIGKILL  # it has been waited for


def test_the_interval_is_that_of_wilson() -> None:
    assert script.interval(90, 100) == pytest.approx((82.56, 94.48), abs=0.01)
    assert script.interval(0, 0) == (0.0, 100.0)
