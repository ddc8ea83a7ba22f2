"""The script that changes sources to test the tests: what it changes, what it leaves alone, and what it runs."""

from __future__ import annotations

import importlib.util
import sys
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


def test_tests_of_the_table_and_of_rooms_exist() -> None:
    paths = [*script.KERNELS, "src/perceptag/learn/margin.py", "cpp/src/tokenizer/runs.cpp"]
    assert all((ROOT / path).is_file() for path in paths)
    assert all((ROOT / test).exists() for path in paths for test in script.tests_of(path))


def test_a_file_without_tests_is_refused() -> None:
    with pytest.raises(SystemExit, match="found neither tests/nowhere"):
        script.tests_of("src/perceptag/nowhere/a.py")


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
    monkeypatch.setattr(script, "tests_of", lambda path: [])
    monkeypatch.setattr(script, "outcome", interrupted)
    (mutant,) = script.mutants("a.py", source)
    with pytest.raises(KeyboardInterrupt):
        script.tried(mutant, source)
    assert seen == ["x = 2\n"]
    assert (tmp_path / "a.py").read_text("utf-8") == source
