"""Recipes: all settings of a model in one flat, readable TOML file.

A recipe is given by name (``collins-np``, shipped with the package) or as a path. Tables are only notation:
``[labels] keep = ["NP"]`` is the key ``labels.keep``. It is also what ``--set labels.keep=NP`` sets and what Python
calls ``labels_keep``.

Settings that all learners have are fields of `Recipe` (`common_settings.py`). Settings that belong to a learner are
declared by it (`perceptag.learn`); ``recipe.own`` holds them by their keys.

Templates may be in named groups: a table ``[templates]`` with one list for each name. ``without = ["affixes"]`` leaves
a group out. A table ``[tune]`` says what `perceptag.trials.random_search` may vary; it is not a setting of a model.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from perceptag.errors import SettingError, brief, nearest
from perceptag.features.gazetteer import with_lists
from perceptag.features.groups import Strings, add, gather, leave_out
from perceptag.learn import catalogue, does_use, settings_of_learners, users_of
from perceptag.learn.learner import Learner, Setting, python_name
from perceptag.recipe.common_settings import SETTINGS, TEXT, UNITS, CommonSettings
from perceptag.recipe.learner_settings import (
    NOTHING,
    LearnerSettings,
    check_declaration,
    converted,
    kept_as_it_is,
    strings,
)
from perceptag.recipe.recipe_files import flat, read_file

__all__ = ["SETTINGS", "TEXT", "UNITS", "Recipe", "check_used", "key_of", "load", "uses", "without_unused"]

# Keys that change templates, and are not settings of a model.
FOR_TEMPLATES = ("without", "add", "add_gazetteer")
NOT_STORED = ("class_templates",)  # a model has those that are used among its templates


@dataclass(frozen=True, slots=True)
class Recipe(CommonSettings):
    """The settings of a model."""

    own: LearnerSettings = NOTHING  # settings that belong to learners, by key
    outside: Learner | None = None  # the declaration of a learner from outside perceptag, if it is known

    def __new__(cls, *given: object, **settings: object) -> Recipe:
        """Refuse settings without names: ``Recipe("ner")`` would be an empty recipe of this name."""
        del settings
        if given:
            raise SettingError(
                f"Recipe: expected settings by name, such as epochs=5, found {brief(given[0])}; "
                "perceptag.recipe.recipe.load(NAME) reads a recipe, and Tagger(NAME) trains with it"
            )
        return object.__new__(cls)

    def __post_init__(self) -> None:
        """Convert values to their types, numpy scalars among them, so that a model file can hold them."""
        for name, setting in SETTINGS.items():
            value = getattr(self, name)
            if value is not setting.default:
                object.__setattr__(self, name, converted(setting, value))

    if not TYPE_CHECKING:  # so that mypy still finds misspelt fields; perceptag itself reads these settings by key

        def __getattr__(self, name: str) -> Any:
            """Look up a learner's setting by its Python name: ``recipe.crf_sigma2`` is ``recipe.own["crf.sigma2"]``."""
            is_field = name.startswith("__") or name in ("own", "outside")  # may be read before it is set
            if is_field or name not in _own_settings(self.outside):
                raise AttributeError(f"a recipe has no setting {name!r}")
            return self.own[_own_settings(self.outside)[name].key]

    @property
    def kinds_of_weights(self) -> tuple[str, ...]:
        """The weights that may become the model; without dev data it is the first kind."""
        return ("averaged", "last") if self.weights == "best" else (self.weights,)

    @property
    def declaration(self) -> Learner:
        """The declaration of the learner. A learner from outside perceptag must have been imported before."""
        found = self.outside or catalogue().get(self.learner)
        if found is None:
            raise SettingError(
                f"learner: there is no learner {self.learner!r}{nearest(self.learner, catalogue())}; expected one of "
                f"{', '.join(catalogue())}, or your own: learner=LEARNER in Python, 'module:NAME' in recipes"
            )
        return found

    def replace(self, settings: Mapping[str, object]) -> Recipe:
        """Return a recipe with some keys changed; keys may be written with dots. Values are checked.

        A recipe has templates, or the features of another recipe: a new one replaces the other. The key ``without``
        leaves groups of templates out, ``add`` adds templates, ``add_gazetteer`` adds lists of phrases and, where no
        template looks at lists, templates that do. The learner may be the name of one of perceptag's, the place of
        another one (``module:NAME``), or a `Learner`.
        """
        if not isinstance(settings, Mapping):
            raise SettingError(f"settings: expected a dictionary of recipe keys, found {brief(settings)}")
        given = dict(settings)
        left_out, added, lists = (strings(key, given.pop(key, ())) for key in FOR_TEMPLATES)
        recipe = self._with_learner(given.pop("learner", self.learner))
        changed, own = recipe._sorted_out(given)
        if changed.get("templates"):
            changed = {"groups": (), "features": "", "class_templates": ()} | changed
        elif changed.get("features") and "templates" not in changed:  # a model file holds both, so no recipe is read
            changed = _features_of(changed["features"]) | changed
        recipe = dataclasses.replace(recipe, own=recipe.own.changed(own), **changed)
        recipe = recipe._with_templates(left_out, added, lists, has_new_classes=not _CLASSES.isdisjoint(changed))
        _check(recipe)
        return recipe

    def _with_templates(self, left_out: Strings, added: Strings, lists: Strings, has_new_classes: bool) -> Recipe:
        """Add templates for new word classes and lists, leave out groups, and add the user's templates."""
        found = self.templates, self.groups
        if self.classes and has_new_classes:
            found = add(*found, self.class_templates, "classes")
        if lists:
            found = with_lists(*found)
        templates, groups = add(*leave_out(*found, left_out), added, "added")
        named = tuple(dict.fromkeys((*self.gazetteer, *lists))) if lists else self.gazetteer
        return dataclasses.replace(self, templates=templates, groups=groups, gazetteer=named)

    def _with_learner(self, learner: object) -> Recipe:
        """Change the learner, and drop settings of the previous one unknown to perceptag."""
        if isinstance(learner, Learner):
            if learner == self.outside:
                return self
            renamed = self._with_learner(learner.name)
            return renamed if catalogue().get(learner.name) == learner else renamed.resolved(learner)
        name = converted(SETTINGS["learner"], learner)
        if name == self.learner:
            return self
        return dataclasses.replace(self, learner=name, outside=None, own=self.own.without_unknown())

    def resolved(self, learner: Learner) -> Recipe:
        """Attach the declaration of a learner from outside perceptag, with all of its settings."""
        check_declaration(learner, _own_settings() | SETTINGS)
        defaults = {s.key: s.default for s in learner.settings if s.key not in settings_of_learners()}
        own = self.own.without_unknown().changed(defaults)
        return dataclasses.replace(self, outside=learner, own=own).replace(self.own.unknown())

    def _sorted_out(self, settings: Mapping[str, object]) -> tuple[dict[str, Any], dict[str, Any]]:
        """Settings converted to their types: those that are fields, and those of learners."""
        fields: dict[str, Any] = {}
        own: dict[str, Any] = {}
        of_learners = _own_settings(self.outside)
        for key, value in settings.items():
            if not isinstance(key, str):
                raise SettingError(f"settings: expected names of recipe keys, found {brief(key)}")
            name = python_name(key)
            if name in SETTINGS:
                fields[name] = converted(SETTINGS[name], value)
            elif name in of_learners:
                own[of_learners[name].key] = converted(of_learners[name], value)
            elif self.outside is None and self.learner not in catalogue():
                own[key] = kept_as_it_is(key, value)
            else:
                known = [setting.key for setting in (*SETTINGS.values(), *of_learners.values())]
                usual = "epochs" if key in ("passes", "iterations", "max_iterations", "n_iter") else key
                raise SettingError(f"unknown recipe key {key!r}{nearest(usual, known)}")
        return fields, own

    @property
    def case_copies(self) -> dict[str, float]:
        """The shares of training sentences that are also learned in other case."""
        return {"lower": self.augment_lower, "upper": self.augment_upper, "title": self.augment_title}

    def to_dict(self) -> dict[str, object]:
        """Return all settings by key, as JSON and TOML can hold them."""
        common = {s.key: getattr(self, name) for name, s in SETTINGS.items() if s.key not in NOT_STORED}
        values = common | self.own.stored(self.learner)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


@cache
def _own_settings(outside: Learner | None = None) -> dict[str, Setting]:
    """Return the settings of learners by their names in Python."""
    further = outside.settings if outside else ()
    return {setting.name: setting for setting in (*settings_of_learners().values(), *further)}


def check_names(recipe: object, settings: Mapping[str, object]) -> None:
    """Refuse keys that neither perceptag nor the learner knows. Values of known keys wait for the training."""
    known = {*FOR_TEMPLATES, *SETTINGS, *_own_settings()} - {"learner"}
    unknown = {key: value for key, value in settings.items() if python_name(key) not in known}
    if unknown.keys() - {"learner"}:
        given_recipe(recipe).replace(unknown)


# The names of all settings, for help and completion, which would show those of `__new__`.
_given = inspect.signature(Recipe.__init__).parameters.values()
Recipe.__signature__ = inspect.Signature(list(_given)[1:])  # type: ignore[attr-defined]


def key_of(name: str) -> str:
    """Return the key of a setting as recipes write it.

    >>> key_of("labels_keep"), key_of("tag_dictionary"), key_of("crf_sigma2")
    ('labels.keep', 'tag_dictionary', 'crf.sigma2')
    """
    setting = SETTINGS.get(name) or _own_settings().get(name)
    return setting.key if setting else name


def _check(recipe: Recipe) -> None:
    """Refuse settings that contradict each other, and settings that must not be silently ignored."""
    if recipe.inner_folds == 1:
        raise SettingError("inner_folds: expected 0, or a number from 2 to 20, found 1")
    learner = recipe.outside or catalogue().get(recipe.learner)
    if learner is None:
        return  # its declaration is not known yet
    if not set(recipe.kinds_of_weights) <= set(learner.weights):
        raise SettingError(
            f"weights: learner {recipe.learner!r}: expected {' or '.join(learner.weights)}, found {recipe.weights!r}"
        )
    for setting in settings_of_learners().values():
        value = recipe.own[setting.key]  # nothing or 0 does not ask for anything
        if setting.indispensable and value and value != setting.default and not does_use(learner, setting.key):
            raise _not_used(recipe.learner, setting.key)
    if learner.check is not None:
        learner.check({**recipe.own, **recipe.to_dict()})


def uses(recipe: Recipe, key: str) -> bool:
    """Return whether the learner of a recipe uses a setting; assume so for unknown learners."""
    learner = recipe.outside or catalogue().get(recipe.learner)
    return learner is None or does_use(learner, key)


def _not_used(learner: str, key: str) -> SettingError:
    others = users_of(key)
    return SettingError(
        f"{key}: learner {learner!r} does not use it; {', '.join(others)} {'do' if len(others) > 1 else 'does'}; "
        f"'perceptag list --settings {learner}' lists what it uses"
    )


def check_used(recipe: Recipe, keys: Iterable[str]) -> None:
    """Refuse keys that the learner does not use."""
    for key in keys:
        name = "templates" if key in FOR_TEMPLATES else python_name(key)
        setting = SETTINGS.get(name) or _own_settings(recipe.outside).get(name)
        if setting is None:
            continue  # a setting of a learner that is not known here
        value = getattr(recipe, name) if name in SETTINGS else recipe.own[setting.key]
        if value != setting.default and not uses(recipe, setting.key):
            raise _not_used(recipe.learner, setting.key)


def without_unused(recipe: Recipe) -> Recipe:
    """Return the recipe as its learner sees it: settings that it does not declare have their defaults."""
    unused = {key: setting.default for key, setting in settings_of_learners().items() if not uses(recipe, key)}
    return dataclasses.replace(recipe, own=recipe.own.changed(unused))


def _read(name: str) -> tuple[Path, dict[str, object]]:
    """Return the file of a recipe and the keys that it sets."""
    path, data = read_file(name)
    data.pop("tune", None)
    if isinstance(data.get("templates"), Mapping):
        try:
            data["templates"], data["groups"] = gather(data["templates"])
        except SettingError as error:
            raise SettingError(f"recipe {path}: {error}") from error
    return path, flat(data)


_FEATURES = ("templates", "groups", "optional", "attributes", "gazetteer", "class_templates")
_CLASSES = frozenset(("classes", "class_templates", "templates"))  # keys after which templates for classes are added


def _features_of(name: str) -> dict[str, Any]:
    """Return the settings that `features = name` stands for, without following references further."""
    path, data = _read(name)
    if "features" in data:
        raise SettingError(
            f"features: the recipe {path.stem!r} has no features of its own; use {data['features']!r} instead"
        )
    base = load(name)
    return {field: getattr(base, field) for field in _FEATURES}


def stored(settings: Mapping[str, object]) -> Recipe:
    """Return the recipe of a model file; keys of an earlier release that are no settings any more say nothing."""
    if converted(SETTINGS["learner"], settings.get("learner", Recipe().learner)) not in catalogue():
        return Recipe().replace(settings)  # its learner's keys are not known here
    known = SETTINGS.keys() | _own_settings().keys()
    return Recipe().replace({key: value for key, value in settings.items() if python_name(key) in known})


def given_recipe(recipe: object) -> Recipe:
    """Return a recipe that users give as a `Recipe`, or by its name or path."""
    if not isinstance(recipe, (str, Recipe)):
        raise SettingError(f"recipe: expected a name, a path or a Recipe, found {brief(recipe)}")
    return recipe if isinstance(recipe, Recipe) else load(recipe)


def load(name: str) -> Recipe:
    """Read a recipe by name or path.

    >>> load("collins-np").epochs
    15
    """
    path, data = _read(name)
    try:
        recipe = Recipe().replace({"name": path.stem} | data)
        check_used(recipe, data)
    except SettingError as error:
        raise SettingError(f"recipe {path}: {error}") from error
    return recipe
