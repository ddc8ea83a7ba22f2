"""Which languages can be built here: the files LANG.toml of a folder, and what each of them lacks."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from perceptag.building.language_file import read_language
from perceptag.building.treebank_folder import ENDINGS
from perceptag.errors import DataError, SettingError


@dataclass(frozen=True, slots=True)
class Buildable:
    """A language file."""

    file: str
    missing: str  # what it needs; empty: all is there

    @property
    def name(self) -> str:
        """The name of the language: that of the file."""
        return Path(self.file).stem


def buildable(folder: Path) -> list[Buildable]:
    """Return the language files of a folder, by name; none if there is no such folder."""
    return [Buildable(str(path), _missing(path)) for path in sorted(folder.glob("*.toml"))]


def _missing(path: Path) -> str:
    try:
        language = read_language(str(path))
    except (DataError, SettingError) as error:
        return str(error).removeprefix(f"{path}: ")
    treebank = Path(language.treebank)
    if not treebank.is_dir() or not any(file.name.endswith(ENDINGS) for file in treebank.iterdir()):
        return f"treebank: expected a folder with CoNLL-U files at {treebank}"
    return ""
