"""Find models by name in installed packages.

A package offers a model by an entry point of the group ``perceptag.models`` that names the package itself::

    [project.entry-points."perceptag.models"]
    en = "perceptag_en"

Its folder holds ``en.model`` and ``en.json``, an object with texts for a user: ``task``, ``data``, ``licence``,
``accuracy``; and ``figures`` in detail: what was measured, on which data, in which case or layer. The package is found,
not imported, so a model runs no code. Nothing looks for packages before a model is asked for by a name that is not the
name of a file. A name of `PACKAGES` means the model of that package, if it is installed, whatever others offer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from perceptag.errors import ModelError, SettingError, brief, nearest
from perceptag.models import model_file as modelfile
from perceptag.pipeline import pipeline_file as pipelinefile
from perceptag.system.given_file import read_whole

GROUP = "perceptag.models"
PACKAGES = {"en": "perceptag-en"}  # ours; anybody could publish a package of another name
ABOUT = ("task", "data", "licence", "accuracy")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
_MAX_ABOUT = 1 << 20  # bytes
Figures = dict[str, dict[str, dict[str, float]]]  # what was measured -> on which data -> case or layer -> per cent


class Installed(NamedTuple):
    """A model that a package offers."""

    name: str
    package: str

    @property
    def path(self) -> Path:
        """The file of the model, in the folder of its package."""
        return _file(self.name, self.package)

    def about(self) -> dict[str, str]:
        """What the package says of it; empty texts where it says nothing."""
        told = self._told()
        return {key: str(told.get(key, "")) for key in ABOUT}

    def figures(self) -> Figures:
        """The figures in detail; none if the package has none, or not in this form."""
        found: Figures = {}
        for what, rows in _items(self._told().get("figures")):
            for data, row in _items(rows):
                numbers = {name: float(n) for name, n in _items(row) if isinstance(n, (int, float))}
                if numbers:
                    found.setdefault(what, {})[data] = numbers
        return found

    def _told(self) -> dict[str, Any]:
        try:
            told = json.loads(read_whole(self.path.with_suffix(".json"), _MAX_ABOUT))
        except (OSError, ValueError, RecursionError):
            return {}
        return told if isinstance(told, dict) else {}

    def size_and_digest(self) -> tuple[int, str]:
        """The bytes of the file and its SHA-256, which is checked."""
        data = modelfile.read_file(str(self.path))
        is_pipeline = modelfile.kind_of(data) == pipelinefile.KIND
        try:
            return len(data), modelfile.check_digest(data, pipelinefile.KIND if is_pipeline else "model")
        except ModelError as error:
            raise ModelError(f"{self.path}: {error}") from error


def path_of(model: str) -> str:
    """Return the file of a model: the file of this name, or else that of the installed model of this name."""
    if not _NAME.fullmatch(model) or (Path(model).exists() and not Path(model).is_dir()):
        return model
    if own := own_file(model):
        return own
    found = {some.name: some for some in installed()}
    if model in found:
        return str(found[model].path)
    if Path(model).is_dir():
        return model  # which is an error of its own
    others = f"installed: {', '.join(sorted(found))}{nearest(model, found)}" if found else "no model is installed"
    advice = f". To install it, in a copy of the repository: {installing(model)}" if model in PACKAGES else ""
    raise ModelError(f"{model}: expected a file, or the name of an installed model; found neither ({others}){advice}")


def installing(name: str) -> str:
    """Return the command that installs a model of `PACKAGES` from a copy of the repository."""
    return f"pip install ./models/{PACKAGES[name]}"


def own_file(name: str) -> str:
    """Return the file of a model of `PACKAGES`, or "": it needs no list of all packages, which takes longer to read."""
    if name not in PACKAGES:
        return ""
    try:
        path = _file(name, PACKAGES[name].replace("-", "_"))
    except SettingError:
        return ""
    return str(path) if path.is_file() else ""


def installed() -> list[Installed]:
    """Return the models that installed packages offer, by name; of two with one name, the first on the path."""
    from importlib.metadata import entry_points  # only those who ask for a model by name wait for it

    found: dict[str, Installed] = {}
    for point in entry_points(group=GROUP):
        if point.name not in found:
            found[point.name] = Installed(point.name, point.value)
    return [found[name] for name in sorted(found)]


def _items(value: object) -> Iterable[tuple[str, Any]]:
    return value.items() if isinstance(value, dict) else ()


def _file(name: str, package: str) -> Path:
    """Return the file of a model in the folder of its package, which is not imported."""
    where = f"entry point {name!r} of group {GROUP}"
    if not _NAME.fullmatch(name) or not package.isidentifier():
        raise SettingError(f"{where}: expected the name of a package, found {brief(package)}")
    from importlib.util import find_spec

    spec = find_spec(package)
    folders = list(spec.submodule_search_locations or []) if spec else []
    if not folders:
        raise SettingError(f"{where}: there is no package {package!r}")
    return Path(folders[0]) / f"{name}.model"
