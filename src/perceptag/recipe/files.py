"""Recipe files: those of the package, and where a recipe of a given name or path is."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from perceptag.errors import SettingError, nearest
from perceptag.recipe import toml
from perceptag.system.reading import read_whole

MAX_BYTES = 1 << 24  # of a recipe file
_FOLDER = Path(__file__).parent / "shipped"


def shipped() -> dict[str, Path]:
    """The recipes in the package, by name."""
    return {path.stem: path for path in sorted(_FOLDER.glob("*.toml"), key=lambda path: path.stem)}


def find(name: str) -> Path:
    """The file of a recipe given by name or path."""
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
    """The file of a recipe and its content."""
    path = find(name)
    try:
        return path, toml.loads(read_whole(path, MAX_BYTES).decode("utf-8"))
    except OSError as error:
        raise SettingError(f"recipe {name!r}: {error.strerror}") from error
    except ValueError as error:  # neither UTF-8 nor TOML
        raise SettingError(f"recipe {path}: {error}") from error


def flat(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """The keys of tables in tables, with dots: ``{"labels": {"keep": 1}}`` has the key ``labels.keep``."""
    found: dict[str, Any] = {}
    for key, value in data.items():
        found |= flat(value, f"{prefix}{key}.") if isinstance(value, Mapping) else {prefix + key: value}
    return found
