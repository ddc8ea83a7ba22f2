"""Deprecated names work, say so, and go away when their time is over."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import perceptag
from perceptag.system.deprecation import deprecated, warn_deprecated

PACKAGE = Path(perceptag.__file__).parent
MARKS = ("deprecated", "warn_deprecated", "deprecation")


@deprecated(since="0.3.0", until="0.5.0", instead="new()")
def old(number: int) -> int:
    """Add one."""
    return number + 1


def test_a_deprecated_function_works_and_warns_where_it_is_called() -> None:
    with pytest.warns(
        DeprecationWarning, match=r"test_deprecation\.old: deprecated since 0\.3\.0, and gone in"
    ) as all_:
        assert old(1) == 2
    assert all_[0].filename == __file__
    assert (old.__name__, old.__doc__) == ("old", "Add one.")


def test_a_deprecated_argument_warns_where_the_function_is_called() -> None:
    def function(_: str) -> None:
        warn_deprecated("key", since="0.3.0", until="0.5.0", instead="other")

    with pytest.warns(DeprecationWarning, match="key: deprecated since 0.3.0, and gone in 0.5.0; use other") as all_:
        function("key")
    assert all_[0].filename == __file__


def overdue(text: str, version: str) -> list[str]:
    """Releases in which something should have gone away."""
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    marks = [call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) in MARKS]
    given = [word.value.value for call in marks for word in call.keywords if word.arg == "until"]  # type: ignore[attr-defined]
    return [until for until in given if _parts(until) <= _parts(version)]


def _parts(version: str) -> list[int]:
    return [int(part) for part in version.split(".")[:3]]


def test_nothing_stays_longer_than_it_says() -> None:
    text = '@deprecated(since="0.1.0", until="0.3.0", instead="x")\ndef f(): pass'
    assert overdue(text, "0.10.0") == ["0.3.0"] and not overdue(text, "0.2.9")
    ours = [path for path in PACKAGE.rglob("*.py") if path.name != "deprecation.py"]
    assert not {path.name: late for path in ours if (late := overdue(path.read_text("utf-8"), perceptag.__version__))}
