"""Learners from outside perceptag, given as ``module:NAME`` or by a registered name.

A recipe only names its learner. Code is imported when a model is trained, and not before: reading a recipe or a model
file imports nothing. A place is the user's own code, so it is imported only if the user allows it. A name may be an
entry point of an installed package (group ``perceptag.learners``). Entry points are looked up only for names that no
learner of perceptag has.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from perceptag.errors import CodeNotAllowedError, SettingError, brief
from perceptag.learn import catalogue
from perceptag.learn.learner import Learner
from perceptag.recipe.recipe import Recipe
from perceptag.recipe.usercode import import_from

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

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
