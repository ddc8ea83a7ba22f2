"""Read what a pipeline for a language is built from: the options of ``perceptag build``, or a TOML file.

treebank = "UD_French-Sequoia"     the folder, from where the file is
output = "fr.pipeline"
text = ["plain.txt.gz"]            plain text and abbreviations, for the tokeniser; the text also for names
abbreviations = ["fr.txt"]
layers = ["upos", "feats"]         instead of all columns that the treebank has
names = ["train.tsv", "dev.tsv"]   words with names, for one more layer, "ner"
lists = ["LOC~=countries.txt"]     phrases, for names
licence = "CC BY-SA 4.0"           for the model card

[upos]                             settings of a layer: keys of its recipe
epochs = 20
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from perceptag.building.names import NAMES
from perceptag.building.treebank_folder import ENDINGS, TAGS
from perceptag.errors import DataError, SettingError, brief, nearest
from perceptag.recipe.learner_settings import strings
from perceptag.recipe.recipe import load
from perceptag.recipe.recipe_files import flat
from perceptag.system.toml import place_in_toml, read_toml
from perceptag.text.lines import read_text
from perceptag.training.fit import make_plan

TOKENS = "tokens"
LAYERS = (TOKENS, *TAGS, NAMES)
RECIPES = {TOKENS: "tokenize", "upos": "pos", "xpos": "pos", "feats": "pos", "lemma": "lemma", NAMES: "ner"}
_STRINGS = ("treebank", "output")
_LISTS = ("text", "abbreviations", "layers", "names", "lists")
_LICENCE = "licence"
_FILES = ("gazetteer", "add_gazetteer", "tokens.text", "tokens.abbreviations")  # settings that list files


@dataclass(frozen=True, slots=True)
class Language:
    """The pipeline to build."""

    treebank: str
    output: str
    layers: tuple[str, ...] = ()  # of `TAGS`; none: all that the treebank has
    settings: Mapping[str, Mapping[str, object]] = field(default_factory=dict)  # of recipes, by layer
    names: tuple[str, ...] = ()  # files of words with names
    text: tuple[str, ...] = ()  # files of plain text
    licence: str = ""


def read_language(path: str) -> Language:
    """Read a TOML file; names of files in it are relative to it."""
    text = read_text(path)
    try:
        table = read_toml(text)
    except ValueError as error:
        raise DataError(f"expected TOML: {error}", place_in_toml(error, path)) from None
    try:
        return _language(table, Path(path).parent)
    except SettingError as error:
        raise SettingError(f"{path}: {error}") from None


def _language(table: Mapping[str, Any], folder: Path) -> Language:
    known = (*_STRINGS, *_LISTS, _LICENCE, *LAYERS)
    for key in table:
        if key not in known:
            raise SettingError(f"unknown key {key!r}{nearest(key, known)}; expected some of {', '.join(known)}")
    for key in _STRINGS:
        if not isinstance(table.get(key), str) or not table[key]:
            raise SettingError(f"{key}: expected a path, found {brief(table.get(key))}")
    lists = {key: _strings(key, table.get(key, [])) for key in _LISTS}
    for name in lists["layers"]:
        if name not in TAGS:
            raise SettingError(f"layers: expected some of {', '.join(TAGS)}, found {name!r}{nearest(name, TAGS)}")
    licence = table.get(_LICENCE, "")
    if not isinstance(licence, str):
        raise SettingError(f"{_LICENCE}: expected a text, found {brief(licence)}")
    settings = {name: _placed(_settings(name, table[name]), folder) for name in LAYERS if name in table}
    files = {key: tuple(_file(key, folder / name) for name in lists[key]) for key in ("text", "abbreviations", "names")}
    read = {f"tokens.{key}": list(files[key]) for key in ("text", "abbreviations") if files[key]}
    settings[TOKENS] = read | settings.get(TOKENS, {})
    if lists["lists"]:
        names = settings.setdefault(NAMES, {})
        given = names.get("add_gazetteer", [])
        names["add_gazetteer"] = [*(_list_of(folder, phrases) for phrases in lists["lists"]), *given]
    treebank, output = (str(folder / table[key]) for key in _STRINGS)
    return Language(treebank, output, lists["layers"], settings, files["names"], files["text"], licence)


def _strings(key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise SettingError(f"{key}: expected a list of strings, found {brief(value)}")
    return tuple(value)


def _list_of(folder: Path, phrases: str) -> str:
    """Return a list of phrases, ``LOC=countries.txt``, with the path of its file."""
    name, equals, path = phrases.partition("=")
    if not equals or not name.rstrip("~"):
        raise SettingError(f"lists: expected a name and a file, as in 'LOC=countries.txt', found {phrases!r}")
    return f"{name}={_file('lists', folder / path)}"


def _settings(name: str, table: object) -> dict[str, object]:
    if not isinstance(table, Mapping):
        raise SettingError(f"{name}: expected a table of settings, found {brief(table)}")
    settings = flat(table)
    try:
        make_plan(load(RECIPES[name]), settings)  # what is wrong is said now, not after the layers below are trained
    except SettingError as error:
        raise SettingError(f"layer {name!r}: {error}") from None
    return settings


def _placed(settings: dict[str, object], folder: Path) -> dict[str, Any]:
    """Take names of files in the settings of a layer from where the file is."""
    placed = dict(settings)
    for key, value in settings.items():
        if key == "classes" and isinstance(value, str):
            placed[key] = _from(folder, value)
        elif key in _FILES:
            placed[key] = [_listed(folder, item) for item in strings(key, value)]
    return placed


def _listed(folder: Path, item: str) -> str:
    """Take ``file`` or ``class=file`` from where the file is."""
    name, equals, file = item.rpartition("=")
    return f"{name}{equals}{_from(folder, file)}"


def _from(folder: Path, file: str) -> str:
    """Return the path of a file; a word that names none, such as ``train``, stays as it is."""
    return str(folder / file) if (folder / file).is_file() else file


def _file(key: str, path: Path) -> str:
    if not path.is_file():
        raise SettingError(f"{key}: expected a file, found {'a folder' if path.is_dir() else 'nothing'} at {path}")
    return str(path)


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
