"""Random search over the ranges that a recipe declares.

Bergstra and Bengio (2012), "Random search for hyper-parameter optimization", JMLR 13: where few settings matter,
random trials find good ones sooner than a grid, and every trial tells something about every setting.

A recipe file says in a table of lists what may vary; `groups` are template groups that may be left out:

    [tune]
    margin = [10, 20, 40]
    "labels.scheme" = ["IOB2", "IOBES"]
    groups = ["affixes"]

Trial 0 is the recipe as it is. The others are drawn one after the other from one seed, none twice. So a search with
more trials begins with the same ones, and the number of a trial identifies it.

Values that cannot differ on the data are left out:

    groups of templates   that look at columns which the data lacks, or at documents where none is marked
    labels.scheme         where labels do not mark spans
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from perceptag.errors import SettingError, brief
from perceptag.features.document_columns import COLUMNS as DOCUMENT_COLUMNS
from perceptag.features.groups import Strings, split
from perceptag.features.template import expand, parse
from perceptag.features.template_checks import leave_out_missing
from perceptag.labels.label_set import labels_of
from perceptag.labels.schemes import detect_scheme
from perceptag.recipe.recipe import Recipe, check_used, load, uses
from perceptag.recipe.recipe_files import flat, read_file
from perceptag.text.sentence import Sentence

GROUPS = "groups"
MAX_TRIALS = 100_000
PATIENCE = 1000  # repeated draws in a row, after which the space counts as exhausted

Values = list[Any]
Settings = dict[str, Any]


def load_space(name: str, recipe: Recipe) -> dict[str, Values]:
    """Return the table ``[tune]`` of a recipe file, with checked values, or the usual settings if there is none."""
    _, data = read_file(name)
    table = data.get("tune", _usual(recipe))
    if not isinstance(table, Mapping):
        raise SettingError(f"recipe {name}: tune: expected a table, found {brief(table)}")
    space = _left(name, recipe, {str(key): values for key, values in flat(table).items()})
    for key, values in space.items():
        if not isinstance(values, list) or not values:
            raise SettingError(f"recipe {name}: tune.{key}: expected a list of values, found {brief(values)}")
        for value in values:
            settings = {"without": [value]} if key == GROUPS else {key: value}
            check_used(recipe.replace(settings), settings)
    return space


def _left(name: str, recipe: Recipe, space: Mapping[str, Values]) -> dict[str, Values]:
    """Leave out what `recipe`, made from the recipe of that name, has lost: keys of another learner, and groups."""
    original = load(name)
    before, now = split(original.templates, original.groups), split(recipe.templates, recipe.groups)
    lost = [group for group in before if group not in now]
    found: dict[str, Values] = {}
    for key, values in space.items():
        if key == GROUPS and isinstance(values, list):
            found |= {key: left} if (left := [group for group in values if group not in lost]) or not values else {}
        elif uses(recipe, key) or not uses(original, key):  # the latter is an error
            found[key] = values
    return found


def _usual(recipe: Recipe) -> dict[str, Values]:
    space: dict[str, Values] = {"epochs": [5, 10, 20], "cutoff": [0, 2, 5], "support": ["gold", "all"]}
    if recipe.own["margin"]:
        space["margin"] = [
            recipe.own["margin"] / 4,
            recipe.own["margin"] / 2,
            recipe.own["margin"],
            2 * recipe.own["margin"],
            4 * recipe.own["margin"],
        ]
    groups = [name for name in split(recipe.templates, recipe.groups) if name]
    return space | ({GROUPS: groups} if len(groups) > 1 else {})


def draw(space: Mapping[str, Values], trials: int, seed: int) -> list[Settings]:
    """Return the settings of each trial; the first has none. There are fewer if the space is exhausted.

    >>> draw({"epochs": [5, 10]}, 9, seed=0)
    [{}, {'epochs': 10}, {'epochs': 5}]
    """
    random = np.random.default_rng(seed)
    drawn: list[Settings] = [{}]
    known = {_key({})}
    repeated = 0
    while len(drawn) < trials and repeated < PATIENCE:
        settings = _draw_one(space, random)
        repeated = repeated + 1 if _key(settings) in known else 0
        if not repeated:
            drawn.append(settings)
            known.add(_key(settings))
    return drawn[:trials]


def _key(settings: Settings) -> Hashable:
    """Return a key that is equal for equal settings, including 1 and 1.0."""
    return frozenset((key, tuple(value) if isinstance(value, list) else value) for key, value in settings.items())


def _draw_one(space: Mapping[str, Values], random: np.random.Generator) -> Settings:
    settings: Settings = {}
    for key, values in space.items():
        if key != GROUPS:
            settings[key] = values[random.integers(len(values))]
            continue
        without = [group for group in values if random.integers(2)]
        if without:
            settings["without"] = without
    return settings


# --- what mattered ---


@dataclass(frozen=True, slots=True)
class Level:
    """One value of a setting: how often it was tried, and its mean score."""

    value: str
    trials: int
    mean: float
    best: float


@dataclass(frozen=True, slots=True)
class Factor:
    """A setting, and how far apart the means of its values are."""

    key: str
    spread: float
    levels: tuple[Level, ...]


def what_mattered(space: Mapping[str, Values], results: Sequence[tuple[Settings, float]]) -> list[Factor]:
    """Return for each setting the mean score of the trials with each value; the largest spread comes first.

    Trial 0 does not count, since it has no settings of its own.
    """
    drawn = [(settings, score) for settings, score in results if settings]
    factors = [_factor(key, values, drawn) for key, values in space.items() if key != GROUPS]
    for group in space.get(GROUPS, []):
        marked = [({group: "out" if group in s.get("without", ()) else "in"}, score) for s, score in drawn]
        factors.append(_factor(group, ["in", "out"], marked, f"group {group}"))
    return sorted(factors, key=lambda factor: -factor.spread)


def _factor(key: str, values: Values, results: Sequence[tuple[Settings, float]], name: str = "") -> Factor:
    levels = []
    for value in values:
        scores = [score for settings, score in results if settings[key] == value]
        if scores:
            levels.append(Level(str(value), len(scores), sum(scores) / len(scores), max(scores)))
    means = [level.mean for level in levels]
    return Factor(name or key, max(means) - min(means) if means else 0.0, tuple(levels))


SCHEME = "labels.scheme"


def possible(
    space: Mapping[str, Values], recipe: Recipe, sentences: Sequence[Sentence], label: str
) -> tuple[dict[str, Any], list[str]]:
    """Return what the data can have of a search space, and a sentence about each part that it cannot have."""
    columns = [column for column in sentences[0].columns if column != label]
    kept = split(*leave_out_missing(recipe.templates, recipe.groups, recipe.optional, columns)[:2])
    documents = any(s.starts_document for s in sentences)
    groups: dict[str, str] = {}  # those that cannot be had, and why
    for name in space.get(GROUPS, ()):
        if not kept.get(name):
            groups[name] = "the data lacks the column that its templates look at"
        elif not documents and _looks_at_documents(kept[name], columns):
            groups[name] = "no documents are marked"
    notes = [f"group {name!r} is not varied: {why}" for name, why in groups.items()]
    found = {key: [v for v in values if key != GROUPS or v not in groups] for key, values in space.items()}
    if SCHEME in found and detect_scheme([labels_of(s, label) for s in sentences]) == "none":
        del found[SCHEME]
        notes.append(f"{SCHEME} is not varied: labels do not mark spans")
    return {key: values for key, values in found.items() if values}, notes


def _looks_at_documents(templates: Strings, columns: Sequence[str]) -> bool:
    """Whether every template looks at a document."""
    known = [*columns, *DOCUMENT_COLUMNS]
    parsed = [parse(one, known) for short in templates for one in expand(short)]
    return all(any(field.column in DOCUMENT_COLUMNS for field in template.fields) for template in parsed)
