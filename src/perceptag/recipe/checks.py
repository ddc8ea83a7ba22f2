"""What the settings of a recipe may be: choices, ranges, and which do not go together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from perceptag.errors import SettingError, nearest
from perceptag.learn.learners import LEARNERS, NONLOCAL_LEARNERS

if TYPE_CHECKING:
    from perceptag.recipe.recipe import Recipe

VIEWS = ("document", "sentence")
UNITS = ("sentence", "document")
KEEP_WEIGHTS = ("averaged", "last", "voted")
SUPPORTS = ("gold", "all")
ONLINE_TYPES = ("PA", "PA-I", "PA-II")
COSTS = ("sqrt", "hamming", "one")
MAX_BEAM = 1000
DIRECTIONS = ("both", "left-to-right")
MAX_SNAPSHOTS = 10_000
MAX_NBEST = 100_000
MOST = 2**31 - 1
CONTEXTS = ("best", "exact", "none")
DECODERS = ("auto", "index", "expansion")
OPTIMIZERS = ("lbfgs", "adagrad")
MAXENT_OPTIMIZERS = ("lbfgs", "gis")
INNER_SCHEMES = ("auto", "IOB1", "IOB2", "IOBES", "none")
_TABLES = ("labels", "online", "nonlocal", "chunker", "crf", "maxent")


def key_of(field: str) -> str:
    """The key of a field as recipes write it.

    >>> key_of("labels_keep"), key_of("tag_dictionary")
    ('labels.keep', 'tag_dictionary')
    """
    table, _, rest = field.partition("_")
    return f"{table}.{rest}" if table in _TABLES and rest else field


_CHOICES = {
    "learner": LEARNERS,
    "weights": KEEP_WEIGHTS,
    "support": SUPPORTS,
    "labels_scheme": INNER_SCHEMES,
    "direction": DIRECTIONS,
    "unit": UNITS,
    "online_type": ONLINE_TYPES,
    "online_cost": COSTS,
    "nonlocal_view": VIEWS,
    "chunker_context": CONTEXTS,
    "chunker_decoder": DECODERS,
    "maxent_optimizer": MAXENT_OPTIMIZERS,
    "crf_optimizer": OPTIMIZERS,
}
_VARIANCES = ("maxent_sigma2", "crf_sigma2")  # 0: no prior
LEAST_VARIANCE = 1e-100  # so that what is divided by it stays finite
_POSITIVE = ("online_c", "online_variance", "online_gamma")
_RANGES: dict[str, tuple[float, float]] = {
    "epochs": (1, MOST),
    "average_from": (1, MOST),
    "snapshots": (1, MAX_SNAPSHOTS),
    "patience": (0, MOST),
    "seed": (0, MOST),
    "cutoff": (0, MOST),
    "tag_dictionary": (0, MOST),
    "nbest": (2, MAX_NBEST),
    "nbest_tagging": (1, MAX_NBEST),
    "sweeps": (1, MOST),
    "folds": (2, MOST),
    "first_epochs": (1, MOST),
    "first_margin": (0, MOST),
    "bpm": (0, MOST),
    "margin": (0, MOST),
    "tolerance": (0, MOST),
    "nonlocal_scale": (0, MOST),
    "tau": (0, MOST),
    "beam": (1, MAX_BEAM),
    "chunker_degree": (1, 9),
    "chunker_word_window": (0, 5),
    "chunker_phrase_window": (0, 5),
    "chunker_visible": (0, 100),
    "maxent_sigma2": (0, MOST),
    "maxent_beam": (0, MAX_BEAM),
    "crf_sigma2": (0, MOST),
    "crf_l1": (0, MOST),
    "crf_memory": (1, 1000),
    "crf_rate": (0, MOST),
}


def check(recipe: Recipe) -> None:
    """Refuse values out of range, and settings that contradict each other."""
    for field, allowed in _CHOICES.items():
        value = getattr(recipe, field)
        if value not in allowed:
            raise SettingError(
                f"{key_of(field)}: expected one of {', '.join(allowed)}, found {value!r}{nearest(value, allowed)}"
            )
    for field, (low, high) in _RANGES.items():
        if not low <= getattr(recipe, field) <= high:
            limit = "" if high == MOST else f" to {high}"
            raise SettingError(f"{key_of(field)}: expected a number from {low}{limit}, found {getattr(recipe, field)}")
    for field in _POSITIVE:
        if not 0 < getattr(recipe, field) <= MOST:
            raise SettingError(f"{key_of(field)}: expected a number above 0, found {getattr(recipe, field)}")
    for field in _VARIANCES:
        if 0 < getattr(recipe, field) < LEAST_VARIANCE:
            found = getattr(recipe, field)
            raise SettingError(f"{key_of(field)}: expected 0 or a number from {LEAST_VARIANCE:g}, found {found:g}")
    _check_together(recipe)


def _check_together(recipe: Recipe) -> None:
    """Refuse settings that contradict each other, or that the learner would not heed."""
    if recipe.templates and recipe.crfpp:
        raise SettingError("templates and crfpp: a recipe has one of them, not both")
    if recipe.weights == "voted" and recipe.learner != "perceptron":
        raise SettingError(
            f"weights: only learner = 'perceptron' votes; {recipe.learner!r} keeps averaged or last weights"
        )
    if recipe.learner == "maxent" and recipe.weights != "last":
        raise SettingError(
            f"weights: a maximum-entropy tagger goes to an optimum and has no average; expected weights = 'last', "
            f"found {recipe.weights!r}"
        )
    if recipe.learner == "crf" and recipe.crf_optimizer == "lbfgs" and recipe.weights != "last":
        raise SettingError(
            f"weights: crf.optimizer = 'lbfgs' goes to an optimum and has no average; expected weights = 'last', "
            f"found {recipe.weights!r}"
        )
    if recipe.learner not in NONLOCAL_LEARNERS and (recipe.nonlocal_features or recipe.nonlocal_functions):
        raise SettingError(
            f"nonlocal: learner {recipe.learner!r} has no non-local features; expected one of "
            f"{', '.join(NONLOCAL_LEARNERS)}"
        )
    if recipe.learner == "maxent" and recipe.maxent_optimizer == "gis":
        _check_gis(recipe)
    if recipe.online_augmented and recipe.online_cost != "hamming":
        raise SettingError(
            f"online.augmented: only a cost that is a sum over tokens can be decoded with; expected "
            f"online.cost = 'hamming', found {recipe.online_cost!r}"
        )
    if recipe.chunker_decoder == "expansion" and recipe.chunker_degree > 2:
        raise SettingError(
            f"chunker.decoder: a kernel of degree {recipe.chunker_degree} is not written out as an expansion; "
            f"expected index or auto, or chunker.degree up to 2"
        )


def _check_gis(recipe: Recipe) -> None:
    if recipe.support != "gold":
        raise SettingError(
            f"support: gis has no finite weight for a feature that never occurs with a label; expected 'gold', or "
            f"maxent.optimizer=lbfgs, found {recipe.support!r}"
        )
    if recipe.maxent_sigma2:
        raise SettingError(
            f"maxent.sigma2: gis has no prior; expected 0, or maxent.optimizer=lbfgs, found {recipe.maxent_sigma2:g}"
        )
