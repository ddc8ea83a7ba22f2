"""Import code of users that a recipe names: functions, ``"name=module:function"``, and learners, ``module:NAME``.

Recipes and models are data: reading them runs no code. Such an entry names code, so it is imported only if the user
allows it: ``allow_code=True`` in Python, ``--allow-code`` on the command line.

A learner is imported when a model is trained, and not before. Its name may also be that of an entry point of an
installed package (group ``perceptag.learners``), which is looked up only for names that no learner of perceptag has.
"""

from __future__ import annotations

import functools
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from perceptag.errors import CodeNotAllowedError, SettingError, brief, nearest
from perceptag.features.attributes import Attribute, Value
from perceptag.features.user_functions import UserFeature
from perceptag.learn import catalogue
from perceptag.learn.learner import Learner
from perceptag.recipe.recipe import Recipe

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def attributes_of(
    recipe: Recipe, given: Mapping[str, Attribute] | None = None, *, allow_code: bool = False
) -> dict[str, Attribute]:
    """Return the attributes named by the recipe, from `given` or imported if `allow_code` is true."""
    own = {} if given is None else given
    missing = _missing("attributes", recipe.attributes, own, allow_code, _explaining)
    return {**own, **missing}


def functions_of(
    recipe: Recipe, given: Mapping[str, UserFeature] | None = None, *, allow_code: bool = False
) -> dict[str, UserFeature]:
    """Return the non-local functions named by the recipe."""
    own = {} if given is None else given
    missing = _missing("functions", recipe.own["nonlocal.functions"], own, allow_code, _naming)
    return {**own, **missing}


def _missing(
    argument: str,
    entries: Sequence[str],
    given: Mapping[str, Any],
    allow_code: bool,
    wrap: Callable[[Callable[..., Any], str], Any],
) -> dict[str, Any]:
    found = {}
    if not isinstance(given, Mapping) or not all(isinstance(name, str) and callable(given[name]) for name in given):
        raise SettingError(f"{argument}: expected a dictionary of names and functions, found {brief(given)}")
    for entry in entries:
        name, place = _split(entry)
        if name in given:
            continue
        if not allow_code:
            raise missing_code(argument[:-1], name, entries)
        found[name] = wrap(_import(entry, *place), name)
    return found


def missing_code(kind: str, name: str, entries: Sequence[str]) -> SettingError:
    """Return the error for missing user code of a model. `entries`: the names in its recipe."""
    argument = f"{kind}s={{{name!r}: function}}"
    for entry in entries:
        if entry.partition("=")[0] == name:
            return CodeNotAllowedError.by(f"the {kind} {entry!r}", argument)
    return SettingError(
        f"the model uses the {kind} {name!r}, which is code of your own that its recipe does not name: give it in "
        f"Python, as {argument}"
    )


def _split(entry: str) -> tuple[str, tuple[str, str]]:
    name, _, place = entry.partition("=")
    module, _, function = place.partition(":")
    if not (name and module and function):
        raise SettingError(f"expected name=module:function, found {entry!r}")
    return name, (module, function)


def _import(entry: str, module: str, function: str) -> Callable[..., Any]:
    loaded = _module(entry, module)
    found = getattr(loaded, function, None)
    if not callable(found):
        known = [name for name, value in vars(loaded).items() if callable(value)]
        raise SettingError(f"{entry!r}: no function {function!r} in the module{nearest(function, known)}")
    return found  # type: ignore[no-any-return]  # any callable: its results are checked where they are used


def import_from(entry: str, module: str, name: str) -> object:
    """Return the object with this name in a module of the user; `entry` is what the recipe says, for messages."""
    loaded = _module(entry, module)
    if not hasattr(loaded, name):
        raise SettingError(f"{entry!r}: there is no {name!r} in the module{nearest(name, vars(loaded))}")
    found: object = getattr(loaded, name)
    return found


def _module(entry: str, name: str) -> ModuleType:
    try:
        with _working_directory_first():
            return importlib.import_module(name)
    except Exception as error:  # the user's module may raise anything
        raise SettingError(f"cannot import {entry!r}: {type(error).__name__}: {error}") from error


@contextmanager
def _working_directory_first() -> Iterator[None]:
    """Find modules in the working directory too, as ``python -m`` does and an installed command does not."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)


def _explaining(function: Callable[[str], Any], name: str) -> Attribute:
    """Wrap an attribute so that errors name it and the value."""

    def attribute(value: str) -> Value:
        try:
            return function(value)  # type: ignore[no-any-return]  # checked by the lexicon
        except Exception as error:
            raise SettingError(f"attribute {name!r} failed on {value!r}: {type(error).__name__}: {error}") from error

    return attribute


def _naming(function: Callable[..., Any], name: str) -> UserFeature:
    """Wrap a function so that errors name it."""

    @functools.wraps(function)  # its parameters are inspected later
    def feature(*arguments: Any) -> Mapping[str, float]:
        try:
            return function(*arguments)  # type: ignore[no-any-return]  # checked where it is used
        except Exception as error:
            raise SettingError(f"function {name!r} failed: {type(error).__name__}: {error}") from error

    return feature


GROUP = "perceptag.learners"


def with_learner(recipe: Recipe, *, allow_code: bool = False) -> Recipe:
    """Resolve the learner of a recipe, ready for training; raise `SettingError` if it does not exist."""
    name = recipe.learner
    if recipe.outside is not None or name in catalogue():
        return recipe
    if ":" in name:
        return recipe.resolved(_imported(name, allow_code))
    entries = find_entry_points(name)
    return recipe.resolved(_loaded(entries[0]) if entries else recipe.declaration)  # `declaration` raises the error


def find_entry_points(name: str) -> list[EntryPoint]:
    """Return the entry points that installed packages register under this name."""
    from importlib.metadata import entry_points  # here, because the import takes a while

    return list(entry_points(group=GROUP, name=name))


def _imported(place: str, allow_code: bool) -> Learner:
    if not allow_code:
        raise CodeNotAllowedError.by(f"the learner {place!r}", "learner=LEARNER")
    module, _, name = place.partition(":")
    if not (module and name):
        raise SettingError(f"learner: expected module:NAME, found {place!r}")
    return _checked(import_from(place, module, name), place)


def _loaded(entry: EntryPoint) -> Learner:
    try:
        found: object = entry.load()
    except Exception as error:  # the package may raise anything
        raise SettingError(
            f"learner {entry.name!r}: cannot import {entry.value!r}: {type(error).__name__}: {error}"
        ) from error
    return _checked(found, entry.value)


def _checked(found: object, place: str) -> Learner:
    if not isinstance(found, Learner):
        raise SettingError(f"learner: {place!r}: expected a perceptag.Learner, found {brief(found)}")
    return found
