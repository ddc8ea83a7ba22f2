"""Find and read recipe files, shipped ones and those of users.

A recipe file may come from anywhere, so TOML that is nested too deeply is refused before it exhausts the stack or the
memory: the parser of Python's library recurses into arrays and inline tables, and its memory grows with the square of
the number of parts of a dotted key.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perceptag.errors import SettingError, nearest, not_utf8
from perceptag.system.given_file import read_whole
from perceptag.system.toml import place_in_toml, read_toml

MAX_BYTES = 1 << 24  # of a recipe file
_FOLDER = Path(__file__).parent / "shipped"


def shipped() -> dict[str, Path]:
    """Return the files of all shipped recipes, by name."""
    return {path.stem: path for path in sorted(_FOLDER.glob("*.toml"), key=lambda path: path.stem)}


def find(name: str) -> Path:
    """Return the file of a recipe given by name or path."""
    recipes = shipped()
    if name in recipes:
        return recipes[name]
    path = Path(name)
    if path.suffix == ".toml" or "/" in name or path.is_file():
        return path
    raise SettingError(
        f"unknown recipe {name!r}{nearest(name, recipes)} (known: {', '.join(recipes)}; or the path of a .toml file)"
    )


def read_file(name: str) -> tuple[Path, dict[str, Any]]:
    """Return the file of a recipe and its content."""
    path = find(name)
    try:
        return path, read_toml(read_whole(path, MAX_BYTES).decode("utf-8"))
    except OSError as error:
        raise SettingError(f"recipe {name}: cannot read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise SettingError(f"recipe {path}: {not_utf8(error)}") from error
    except ValueError as error:
        raise SettingError(f"recipe {place_in_toml(error, path)}: expected TOML: {error}") from error


def flat(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flatten nested tables into dotted keys: ``{"labels": {"keep": 1}}`` becomes ``{"labels.keep": 1}``."""
    found: dict[str, Any] = {}
    for key, value in data.items():
        found |= flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {prefix + key: value}
    return found
