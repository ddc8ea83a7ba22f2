"""Recipes: all settings of a model in one flat, readable TOML file.

A recipe is given by name (``collins-np``, shipped with the package) or as a path. Tables are only notation:
``[labels] keep = ["NP"]`` is the key ``labels.keep``. It is also what ``--set labels.keep=NP`` sets and what Python
calls ``labels_keep``.

Settings that all learners have are fields of `Recipe`. Settings that belong to a learner are declared by it
(`perceptag.learn`); ``recipe.own`` holds them by their keys.

Templates may be in named groups: a table ``[templates]`` with one list for each name. ``without = ["affixes"]`` leaves
a group out. A table ``[tune]`` says what `perceptag.trials.random_search` may vary; it is not a setting of a model.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from perceptag.arrays import plain
from perceptag.errors import SettingError, brief, nearest
from perceptag.features.gazetteer import with_lists
from perceptag.features.groups import Strings, add, gather, leave_out
from perceptag.learn import catalogue, does_use, settings_of_learners, users_of
from perceptag.learn.learner import MOST, Learner, Setting, python_name
from perceptag.recipe.learner_settings import (
    NOTHING,
    LearnerSettings,
    check_declaration,
    converted,
    kept_as_it_is,
    strings,
)
from perceptag.recipe.recipe_files import OLD_NAMES, flat, read_file

UNITS = ("sentence", "document")
TEXT = "text"  # a unit as well: a tokeniser, whose sequences are the characters of sentences
# Keys that change templates, and are not settings of a model.
FOR_TEMPLATES = ("without", "add", "add_gazetteer")
# Keys that 0.1.0 did not have, stored only if they are set.
LATER = (
    *("labels.missing", "classes", "augment.lower", "augment.upper", "augment.title", "augment.strings"),
    *("labels.parts", "labels.pairs", "labels.compose", "tag_endings"),
    *("tokens.patterns", "tokens.text", "tokens.abbreviations", "tokens.never_split", "tokens.always_split"),
    *("tokens.lines", "tokens.lexicon"),
)
NOT_STORED = ("class_templates",)  # a model has those that are used among its templates
T = TypeVar("T")


def _setting(
    default: T,
    text: str,
    key: str = "",
    least: float | None = None,
    most: float = MOST,
    choices: tuple[str, ...] = (),
) -> T:
    """Declare a setting of every recipe; by default its key is the name of the field."""
    described = Setting(key, default, text, least=least, most=most, choices=choices)  # type: ignore[arg-type]  # Value
    return dataclasses.field(default=default, metadata={"setting": described})


@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings of a model."""

    name: str = _setting("", "the name of the recipe; for a recipe file, the name of the file")
    description: str = _setting("", "what the recipe is for")
    citation: str = _setting("", "where the recipe comes from")
    learner: str = _setting("perceptron", "how weights are learned; 'module:NAME' is one of your own")
    weights: str = _setting(
        "averaged",
        "which weights become the model; voted: several vectors, one vote each; best: averaged or last, by dev data",
        choices=("averaged", "last", "voted", "best"),
    )
    average_from: int = _setting(1, "the first pass that counts in the average", least=1)
    epochs: int = _setting(10, "the number of passes", least=1)
    patience: int = _setting(0, "stop after this number of passes without a better dev score; 0: never", least=0)
    shuffle: bool = _setting(False, "whether to shuffle the sentences in each pass")
    seed: int = _setting(0, "the seed of all random numbers", least=0)
    support: str = _setting(
        "gold", "which labels a feature may carry: those seen with it, or all", choices=("gold", "all")
    )
    cutoff: int = _setting(0, "drop features that are seen less often than this", least=0)
    features: str = _setting("", "take templates, attributes and gazetteer from the recipe of this name")
    templates: tuple[str, ...] = _setting(
        (), "the features; in groups: a table [templates] with one list for each name"
    )
    groups: tuple[str, ...] = _setting((), 'names for runs of templates, "words=9" for the first nine')
    optional: tuple[str, ...] = _setting((), "columns whose templates are left out where the data has no such column")
    crfpp: str = _setting("", "instead of templates: a CRF++ template file")
    tag_dictionary: int = _setting(0, "words seen at least this often take only labels seen with them; 0: off", least=0)
    tag_endings: int = _setting(
        0,
        "other words take only labels seen with words of the same ending, if at least this many have it; 0: off",
        least=0,
    )
    constrain: bool = _setting(False, "decode only label sequences that the scheme allows")
    labels_column: str = _setting("", "which column holds the labels; empty: the last one", "labels.column")
    labels_keep: tuple[str, ...] = _setting((), "keep only chunks of these types; empty: all", "labels.keep")
    labels_scheme: str = _setting(
        "auto",
        "the scheme inside the model; auto: IOB2 for IOB1 data, else as in the data; edits: edit scripts that turn the "
        "word into the label, a lemma",
        "labels.scheme",
        choices=("auto", "IOB1", "IOB2", "IOBES", "none", "edits"),
    )
    labels_repair: bool = _setting(False, "repair label sequences that break the scheme of the data", "labels.repair")
    labels_missing: str = _setting(
        "",
        "this value of the label column, say '_', marks an unknown label; empty: none does",
        "labels.missing",
    )
    labels_parts: str = _setting(
        "",
        "what separates the parts of labels, say '|': weights for parts and whole labels; empty: whole labels only",
        "labels.parts",
    )
    labels_pairs: bool = _setting(False, "weights for every two parts of a label together, too", "labels.pairs")
    labels_compose: int = _setting(
        0,
        "also give labels that training has not seen, where labels share this many values of an attribute; 0: off",
        "labels.compose",
        least=0,
    )
    attributes: tuple[str, ...] = _setting((), 'attributes of your own: "name=module:function"')
    gazetteer: tuple[str, ...] = _setting(
        (),
        'lists of phrases: "class=file"; "class~=file": in any case of letters; "train": chunks of the training data',
    )
    classes: str = _setting(
        "", "a file of word classes, which 'perceptag classes' writes, for templates with class64 …"
    )
    class_templates: tuple[str, ...] = _setting(
        (), "templates that are added where there are word classes; classN stands for every size of the file"
    )
    unit: str = _setting(
        "sentence",
        "what is one sequence: a sentence, a whole document, or the characters of a sentence (text: a tokeniser)",
        choices=(*UNITS, TEXT),
    )
    tolerance: float = _setting(
        0.0, "stop when the training error changes by less than this share in 3 passes; 0: never", least=0
    )
    recall: float = _setting(
        0.0,
        "choose outside_score on dev data for the best F of spans, recall counted this many times as much as "
        "precision; 0: no choice",
        least=0,
        most=100,
    )
    outside_score: float = _setting(
        0.0,
        "added to the score of the label O at every token; below 0: more spans, above 0: fewer",
        least=-1e6,
        most=1e6,
    )
    margins: int = _setting(
        1,
        "how many margins to try in short runs, each a tenth of the one before; 1: only the given one",
        least=1,
        most=6,
    )
    inner_folds: int = _setting(
        0,
        "without dev data, if there is little data: make all choices on this number of folds; 0: no choice",
        least=0,
        most=20,
    )
    augment_lower: float = _setting(
        0.0, "the share of training sentences that are also learned in lower case", "augment.lower", least=0, most=1
    )
    augment_upper: float = _setting(0.0, "the same in upper case", "augment.upper", least=0, most=1)
    augment_title: float = _setting(
        0.0, "the same with a capital at the beginning of every word, as in headlines", "augment.title", least=0, most=1
    )
    augment_strings: float = _setting(
        0.0,
        "for tokenisers: the share of training sentences that are also learned with an address, a handle, a date, an "
        "amount or a file name in them",
        "augment.strings",
        least=0,
        most=1,
    )
    tokens_patterns: bool = _setting(
        False,
        "for tokenisers: features also look at what a string is like (an address, a date …), and at open brackets and "
        "quotes",
        "tokens.patterns",
    )
    tokens_text: tuple[str, ...] = _setting(
        (),
        "files of plain text that tell a tokeniser how words are written, and which are abbreviations",
        "tokens.text",
    )
    tokens_abbreviations: tuple[str, ...] = _setting(
        (), "files with an abbreviation on each line, for tokenisers", "tokens.abbreviations"
    )
    tokens_never_split: tuple[str, ...] = _setting(
        (), "files with a string on each line that a tokeniser never splits", "tokens.never_split"
    )
    tokens_always_split: tuple[str, ...] = _setting(
        (),
        "files with a string on each line that a tokeniser always splits, with spaces where it is cut",
        "tokens.always_split",
    )
    tokens_lines: str = _setting(
        "",
        "what a line end means to a tokeniser; empty, auto: white space, but bullets and headings are paragraphs",
        "tokens.lines",
        choices=("", "auto", "space", "sentence", "paragraph"),
    )
    tokens_lexicon: str = _setting(
        "",
        "whether a tokeniser knows the words of the training data, and looks for them in text; empty, auto: if spaces "
        "do not separate words",
        "tokens.lexicon",
        choices=("", "auto", "yes", "no"),
    )
    own: LearnerSettings = NOTHING  # settings that belong to learners, by key
    outside: Learner | None = None  # the declaration of a learner from outside perceptag, if it is known

    def __post_init__(self) -> None:
        """Convert numpy scalars to Python numbers, so that a model file can hold them."""
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if (given := plain(value)) is not value:
                object.__setattr__(self, field.name, given)

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

        A recipe has templates, or a CRF++ file, or the features of another recipe: a new one replaces the others. The
        key ``without`` leaves groups of templates out, ``add`` adds templates, ``add_gazetteer`` adds lists of phrases
        and, where no template looks at lists, templates that do. The learner may be the name of one of perceptag's, the
        place of another one (``module:NAME``), or a `Learner`.
        """
        given = dict(settings)
        left_out, added, lists = (strings(key, given.pop(key, ())) for key in FOR_TEMPLATES)
        recipe = self._with_learner(given.pop("learner", self.learner))
        changed, own = recipe._sorted_out(given)
        if changed.get("crfpp"):
            changed = {"templates": (), "groups": (), "features": "", "class_templates": ()} | changed
        elif changed.get("templates"):
            changed = {"crfpp": "", "groups": (), "features": "", "class_templates": ()} | changed
        elif changed.get("features") and "templates" not in changed:  # a model file holds both, so no recipe is read
            changed = _features_of(changed["features"]) | changed
        recipe = dataclasses.replace(recipe, own=recipe.own.changed(own), **changed)
        recipe = recipe._with_templates(left_out, added, lists, has_new_classes=not _CLASSES.isdisjoint(changed))
        _check(recipe)
        return recipe

    def _with_templates(self, left_out: Strings, added: Strings, lists: Strings, has_new_classes: bool) -> Recipe:
        """Add templates for new word classes and lists, leave out groups, and add the user's templates."""
        for key in (key for key, some in (("add", added), ("add_gazetteer", lists)) if some and self.crfpp):
            raise SettingError(f"{key}: expected a recipe with templates, found the CRF++ file {self.crfpp!r}")
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
                raise SettingError(f"unknown recipe key {key!r}{nearest(key, known)}")
        return fields, own

    @property
    def closes_words(self) -> bool:
        """Whether words are restricted to some labels."""
        return bool(self.tag_dictionary or self.tag_endings)

    @property
    def case_copies(self) -> dict[str, float]:
        """The shares of training sentences that are also learned in other case."""
        return {"lower": self.augment_lower, "upper": self.augment_upper, "title": self.augment_title}

    def to_dict(self) -> dict[str, object]:
        """Return all settings by key, as JSON and TOML can hold them."""
        common = {setting.key: getattr(self, name) for name, setting in SETTINGS.items()}
        for key in (*LATER, *NOT_STORED):  # a model without it has the bytes that it had before there was the key
            if not common[key] or key in NOT_STORED:
                del common[key]
        values = common | self.own.stored(self.learner)
        return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


def _described(field: dataclasses.Field[Any]) -> Setting:
    setting: Setting = field.metadata["setting"]
    return setting if setting.key else dataclasses.replace(setting, key=field.name)


# The settings that every recipe has, by their names in Python.
SETTINGS = {f.name: _described(f) for f in dataclasses.fields(Recipe) if "setting" in f.metadata}


@cache
def _own_settings(outside: Learner | None = None) -> dict[str, Setting]:
    """Return the settings of learners by their names in Python."""
    further = outside.settings if outside else ()
    return {setting.name: setting for setting in (*settings_of_learners().values(), *further)}


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
    if recipe.templates and recipe.crfpp:
        raise SettingError("templates and crfpp: give one of them, not both")
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
        learner.check(recipe.to_dict())


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


_FEATURES = ("templates", "groups", "optional", "crfpp", "attributes", "gazetteer", "class_templates")
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


def load(name: str) -> Recipe:
    """Read a recipe by name or path.

    >>> load("collins-np").epochs
    15
    """
    path, data = _read(name)
    try:
        recipe = Recipe().replace({"name": name if name in OLD_NAMES else path.stem} | data)
        check_used(recipe, data)
    except SettingError as error:
        raise SettingError(f"recipe {path}: {error}") from error
    if recipe.crfpp and not Path(recipe.crfpp).is_absolute():
        recipe = dataclasses.replace(recipe, crfpp=str(path.parent / recipe.crfpp))
    return recipe
