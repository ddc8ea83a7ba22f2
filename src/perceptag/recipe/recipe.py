"""Recipes: all settings of a model in one flat, readable TOML file.

A recipe is named (``collins-np``, shipped with the package) or given as a path. Tables are only a way of
writing: ``[labels] keep = ["NP"]`` is the key ``labels.keep``, which is also what ``--set labels.keep=NP``
sets and what Python calls ``labels_keep``.

Templates may stand in named groups, ``[templates]`` with one list a name; ``without = ["affixes"]`` leaves a group
out. A table ``[tune]`` says what `perceptag.trials.random_search` may vary; it is no setting of a model.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from perceptag.errors import SettingError, brief, nearest
from perceptag.features.groups import gather, leave_out
from perceptag.learn.learners import heeding
from perceptag.recipe import toml
from perceptag.recipe.checks import check, key_of
from perceptag.system.reading import read_whole

MAX_BYTES = 1 << 24  # of a recipe file


@dataclass(frozen=True, slots=True)
class Recipe:
    """The settings of a model; every field is a key of the recipe file, ``_`` standing for ``.`` in some."""

    name: str = ""
    description: str = ""
    citation: str = ""
    learner: str = "perceptron"
    weights: str = "averaged"  # which weights become the model: averaged, last, or voted (snapshots)
    average_from: int = 1  # the first pass that counts in the average
    snapshots: int = 20  # how many weight vectors vote
    epochs: int = 10
    patience: int = 0  # stop after so many passes without a better dev score; 0: never
    shuffle: bool = False
    seed: int = 0
    support: str = "gold"  # which labels a feature may carry: those seen with it, or all
    cutoff: int = 0  # drop features seen fewer times
    beam: int = 3  # guided: how many states each span keeps
    direction: str = "both"  # guided: label the easiest token first, or the leftmost
    aggressive: bool = True  # guided: correct a mistake until it is right, or once and leave the sentence
    tau: int = 0  # guided: the margin by which a gold action must win in training
    features: str = ""  # take templates, attributes and gazetteer from the recipe of this name
    templates: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()  # names for runs of templates, "words=9" for the first nine; empty: none
    optional: tuple[str, ...] = ()  # columns whose templates are left out, with a note, where the data has none
    crfpp: str = ""  # or: a CRF++ template file
    tag_dictionary: int = 0  # words seen so often take only labels seen with them; 0: off
    constrain: bool = False  # decode only label sequences that the scheme allows
    labels_column: str = ""  # which column holds the labels; empty: the last one
    labels_keep: tuple[str, ...] = ()  # keep only chunks of these types; empty: all
    labels_scheme: str = "auto"  # scheme inside the model; auto: IOB2 for IOB1 data, else as in the data
    labels_repair: bool = False  # repair label sequences that break the scheme of the data
    attributes: tuple[str, ...] = ()  # attributes of your own: "name=module:function"
    gazetteer: tuple[str, ...] = ()  # lists of phrases: "class=file"; "train": the chunks of the training data
    unit: str = "sentence"  # what is one sequence: a sentence, or a whole document
    margin: float = 0.0  # C: by how much the gold labelling must win (C^a where there are two)
    margin_local: float = -1.0  # C^l of the local model; negative: the same as margin
    nbest: int = 20  # n: length of the lists in training
    nbest_tagging: int = 100  # n': length of the lists in tagging
    sweeps: int = 4  # of coordinate ascent over a document
    folds: int = 5  # re-ranking: into how many parts the data are cut for the first models' lists
    first_epochs: int = 20  # re-ranking: passes of the first models
    first_margin: float = 100.0  # re-ranking: C of the first models
    bpm: int = 0  # start from the mean of so many one-pass runs over shuffled data; 0: from zero
    tolerance: float = 0.0  # stop when the training error changes by less than this share in 3 passes; 0: never
    online_type: str = "PA-I"  # pa: how far a step may go
    online_c: float = 1.0  # pa, mira: C, the largest step (PA-I, mira), or how much it is shortened (PA-II)
    online_cost: str = "sqrt"  # pa, mira, arow: of a wrong labelling: root of its wrong labels, their number, or one
    online_augmented: bool = False  # pa, mira, arow: decode with the cost added, so that small margins count too
    online_variance: float = 1.0  # arow: of every weight at the start
    online_gamma: float = 1.0  # arow: the larger, the more slowly variances shrink
    nonlocal_features: tuple[str, ...] = ()  # built-in features of whole documents
    nonlocal_functions: tuple[str, ...] = ()  # your own: "name=module:function"
    nonlocal_view: str = "document"  # a candidate is judged by the features of the document, or of its own sentence
    nonlocal_scale: float = 1.0  # factor on the values of non-local features
    chunker_degree: int = 2  # of the polynomial kernel
    chunker_context: str = "best"  # what a phrase sees of the phrases to its left: best, exact, none
    chunker_word_window: int = 3  # words to both sides of a word
    chunker_phrase_window: int = 3  # words before and after a phrase
    chunker_word: str = ""  # the column of words, e.g. lemma; empty: the form
    chunker_columns: tuple[str, ...] = ("pos",)  # further columns to look at
    chunker_visible: int = 40  # per cent of the gazetteer that training sees
    chunker_inside_first: bool = False  # whether the first word of a phrase counts as inside it
    chunker_decoder: str = "auto"  # how models tag: index, expansion; auto: expansion for degree 1
    maxent_optimizer: str = "lbfgs"  # or gis: generalised iterative scaling; a pass is one iteration of either
    maxent_sigma2: float = 0.0  # lbfgs: variance of the Gaussian prior on the weights; 0: no prior
    maxent_beam: int = 10  # how many histories each token keeps in the search; 0: all, which is exact
    crf_optimizer: str = "lbfgs"  # lbfgs: a pass is one iteration; adagrad: a pass is one step for each sequence
    crf_sigma2: float = 10.0  # variance of the Gaussian prior on the weights; 0: no prior
    crf_l1: float = 0.0  # factor of the sum of absolute weights in the penalty
    crf_memory: int = 6  # lbfgs: how many steps are remembered
    crf_rate: float = 0.1  # adagrad: the size of its first step

    def replace(self, settings: Mapping[str, object]) -> Recipe:
        """A recipe with some keys changed; keys may be written with dots. Values are checked.

        Templates, a CRF++ file and the features of another recipe stand for each other: giving one takes the
        place of the others. The key ``without`` leaves groups of templates out.
        """
        given = dict(settings)
        left_out = _strings("without", given.pop("without", ()))
        changed: dict[str, Any] = {_field_of(key): _convert(_field_of(key), value) for key, value in given.items()}
        if changed.get("crfpp"):
            changed = {"templates": (), "groups": (), "features": ""} | changed
        elif changed.get("templates"):
            changed = {"crfpp": "", "groups": (), "features": ""} | changed
        elif changed.get("features") and "templates" not in changed:  # a model says both, and reads no file
            changed = _features_of(changed["features"]) | changed
        recipe = dataclasses.replace(self, **changed)
        templates, groups = leave_out(recipe.templates, recipe.groups, left_out)
        recipe = dataclasses.replace(recipe, templates=templates, groups=groups)
        check(recipe)
        return recipe

    def to_dict(self) -> dict[str, object]:
        """All settings by key, as JSON and TOML can hold them."""
        return {
            key_of(f.name): list(v) if isinstance(v := getattr(self, f.name), tuple) else v
            for f in dataclasses.fields(self)
        }


_FIELDS = {f.name: f for f in dataclasses.fields(Recipe)}


def _field_of(key: str) -> str:
    if not isinstance(key, str):
        raise SettingError(f"settings: expected names of recipe keys, found {brief(key)}")
    field = key.replace(".", "_").replace("-", "_")
    if field not in _FIELDS:
        known = [key_of(name) for name in _FIELDS]
        raise SettingError(f"unknown recipe key {key!r}{nearest(key, known)}")
    return field


def _convert(field: str, value: object) -> object:
    """Bring a value from TOML, the command line or Python to the type of the field, or refuse it."""
    kind, key = _FIELDS[field].type, key_of(field)
    if kind == "bool":
        words = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
        converted: object = words.get(value.lower()) if isinstance(value, str) else value
        if not isinstance(converted, bool):
            raise SettingError(f"{key}: expected true or false, found {brief(value)}")
        return converted
    if kind in ("int", "float"):
        number = _number(key, value, whole=kind == "int")
        return int(number) if kind == "int" else number
    if kind == "str":
        if not isinstance(value, str) or not _is_text(value):
            raise SettingError(f"{key}: expected a string, found {brief(value)}")
        return value
    return _strings(key, value)


def _strings(key: str, value: object) -> tuple[str, ...]:
    values = [v.strip() for v in value.split(",") if v.strip()] if isinstance(value, str) else value
    if not isinstance(values, (list, tuple)) or not all(isinstance(v, str) and _is_text(v) for v in values):
        raise SettingError(f"{key}: expected a list of strings, found {brief(value)}")
    return tuple(values)


def _is_text(value: str) -> bool:
    """Whether a model file can hold it: no lone surrogates."""
    return value.encode("utf-8", "replace").decode() == value


def _number(key: str, value: object, whole: bool) -> float:
    try:
        number = float(value) if isinstance(value, (str, float, int)) else math.nan
    except (ValueError, OverflowError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number) or (whole and number != int(number)):
        raise SettingError(f"{key}: expected a {'whole ' * whole}number, found {brief(value)}")
    return number


def check_heeded(recipe: Recipe, keys: Iterable[str]) -> None:
    """Refuse keys that were given a value which the learner would not look at."""
    for key in keys:
        field = "templates" if key == "without" else _field_of(key)
        learners = heeding(field)
        if recipe.learner not in learners and getattr(recipe, field) != _FIELDS[field].default:
            raise SettingError(
                f"{key_of(field)}: learner {recipe.learner!r} does not look at it, {', '.join(learners)} "
                f"{'do' if len(learners) > 1 else 'does'}"
            )


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
    """The file of a recipe and what stands in it."""
    path = find(name)
    try:
        return path, toml.loads(read_whole(path, MAX_BYTES).decode("utf-8"))
    except OSError as error:
        raise SettingError(f"recipe {name!r}: {error.strerror}") from error
    except ValueError as error:  # neither UTF-8 nor TOML
        raise SettingError(f"recipe {path}: {error}") from error


def _read(name: str) -> tuple[Path, dict[str, object]]:
    """The file of a recipe and the keys that it sets."""
    path, data = read_file(name)
    data.pop("tune", None)
    if isinstance(data.get("templates"), Mapping):
        try:
            data["templates"], data["groups"] = gather(data["templates"])
        except SettingError as error:
            raise SettingError(f"recipe {path}: {error}") from error
    return path, _flatten(data)


_FEATURES = ("templates", "groups", "optional", "crfpp", "attributes", "gazetteer")


def _features_of(name: str) -> dict[str, Any]:
    """What `features = name` stands for. One step only, so that recipes cannot name each other in a circle."""
    path, data = _read(name)
    if "features" in data:
        raise SettingError(f"features: the recipe {path.stem!r} has none of its own; name {data['features']!r} itself")
    base = load(name)
    return {field: getattr(base, field) for field in _FEATURES}


def load(name: str) -> Recipe:
    """Read a recipe by name or path.

    >>> load("collins-np").epochs
    15
    """
    path, data = _read(name)
    try:
        recipe = Recipe().replace({"name": path.stem} | data)
        check_heeded(recipe, data)
    except SettingError as error:
        raise SettingError(f"recipe {path}: {error}") from error
    if recipe.crfpp and not Path(recipe.crfpp).is_absolute():
        recipe = dataclasses.replace(recipe, crfpp=str(path.parent / recipe.crfpp))
    return recipe


def _flatten(data: Mapping[str, Any], prefix: str = "") -> dict[str, object]:
    flat: dict[str, object] = {}
    for key, value in data.items():
        if isinstance(value, Mapping):
            flat |= _flatten(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat
