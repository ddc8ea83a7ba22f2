"""The script that changes sources to test the tests: what it changes, what it leaves alone, and what it runs."""

from __future__ import annotations

import importlib.util
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
    """A folder with one source file, whose lines three test files run."""
    (tmp_path / "a.py").write_text(SOURCE, "utf-8")
    lines = {"1": ["test_first.py"], "5": ["test_all.py", "test_one.py"], "9": ["test_all.py"]}
    other = {str(line): ["test_all.py"] for line in range(100)}
    found = {"seconds": {"test_all.py": 1, "test_one.py": 1}, "lines": {"a.py": lines, "b.py": other}}
    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setattr(script, "recorded", lambda: found)
    script.lines_of_tests.cache_clear()
    yield tmp_path
    script.lines_of_tests.cache_clear()


def test_the_most_specific_tests_of_a_statement_come_first(recorded: Path) -> None:
    assert script.python_tests("a.py", 7) == ["test_one.py", "test_all.py"]  # the third line of a statement
    assert script.python_tests("a.py", 9) == ["test_all.py"]


def test_a_line_of_the_import_has_the_tests_of_its_module(recorded: Path) -> None:
    assert set(script.python_tests("a.py", 1)) == {"test_all.py", "test_one.py", "test_first.py"}


def test_a_line_that_no_test_runs_survives(recorded: Path) -> None:
    (recorded / "b.py").write_text("def f() -> int:\n    return 1\n", "utf-8")
    assert script.python_tests("b.py", 2) == ["test_all.py"]
    (recorded / "c.py").write_text("def f() -> int:\n    return 1\n", "utf-8")
    (mutant,) = script.mutants("c.py", (recorded / "c.py").read_text("utf-8"))
    assert script.tried(mutant, "") == ""


def test_a_changed_file_is_restored_even_if_its_tests_cannot_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "x = 1\n"
    (tmp_path / "a.py").write_text(source, "utf-8")
    seen = []

    def interrupted(path: str, tests: list[str]) -> str:
        seen.append((tmp_path / path).read_text("utf-8"))
        raise KeyboardInterrupt

    monkeypatch.setattr(script, "ROOT", tmp_path)
    monkeypatch.setattr(script, "python_tests", lambda path, line: ["test_a.py"])
    monkeypatch.setattr(script, "outcome", interrupted)
    (mutant,) = script.mutants("a.py", source)
    with pytest.raises(KeyboardInterrupt):
        script.tried(mutant, source)
    assert seen == ["x = 2\n"]
    assert (tmp_path / "a.py").read_text("utf-8") == source
