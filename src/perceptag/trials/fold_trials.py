"""Trainings on folds by changed recipes, each kept in a journal, so that an interrupted search goes on.

A training is known by the changes of its recipe, its fold and its run. The journal has its score and its errors, from
which its labels follow: errors are few, labels are many.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from perceptag.arrays import Longs, np
from perceptag.errors import SettingError, brief
from perceptag.labels.label_set import LabelSet
from perceptag.models.task import find_labels
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.training.cross_validation import Folds, Pair
from perceptag.trials.candidates import applied
from perceptag.trials.runs import run_on

APART = -1  # the number that stands for the data kept apart, in place of a fold
FINAL_RUNS = 3  # trainings of each recipe for the figure on the data kept apart

Changes = tuple[str, ...]
Key = tuple[Changes, int, int]  # changes of the recipe, fold, run


@dataclass(frozen=True, slots=True)
class FoldResult:
    """The result of one training on held-out data."""

    changes: Changes
    fold: int
    run: int
    score: float  # F1 or accuracy in per cent
    wrong: dict[str, list[int]]  # by the label that was given: the wrong tokens, counted in the held-out data

    @property
    def key(self) -> Key:
        """What the training is known by."""
        return self.changes, self.fold, self.run


@dataclass(frozen=True, slots=True)
class Effort:
    """How the trainings of a search are run."""

    folds: int = 5
    runs: int = 1  # of each fold, with different seeds
    passes: int = 5  # of trainings on folds; 0: as many as the recipe says
    seed: int = 0
    jobs: int = 1
    on: str = ""
    allow_code: bool = False


class OutOfTimeError(Exception):
    """The time that the user gave is over."""


class FoldTrials:
    """Trains recipes on folds of some sentences, and at the end on all of them for the data kept apart."""

    def __init__(self, recipe: Recipe, train: Sequence[Sentence], apart: Sequence[Sentence], effort: Effort) -> None:
        self.recipe, self.effort = recipe, effort
        self.folds, self.apart = Folds(train, effort.folds), apart
        self.done: dict[Key, FoldResult] = {}
        self.keep: Callable[[dict[str, Any]], None] = lambda _: None  # takes every new result, for a journal
        self.goes_on: Callable[[], bool] = lambda: True  # asked between trainings
        self.trained = 0
        self._final: Pair = train, apart

    @property
    def units(self) -> int:
        """How many trainings a trial needs."""
        return len(self.folds.pairs) * self.effort.runs

    def needed(self, trials: int) -> int:
        """Return how many trainings at most a search of so many trials needs, with those for the final figure."""
        return trials * self.units + 2 * FINAL_RUNS

    def on_folds(self, several: Sequence[Changes]) -> list[list[FoldResult]]:
        """Return the results of recipes on all folds and runs, in order; those not known are trained first."""
        places = [(fold, run) for fold in range(len(self.folds.pairs)) for run in range(self.effort.runs)]
        return self._results(several, places)

    def on_apart(self, several: Sequence[Changes]) -> list[list[FoldResult]]:
        """Return the results of recipes trained on all folds, on the data kept apart."""
        return self._results(several, [(APART, run) for run in range(FINAL_RUNS)])

    def _results(self, several: Sequence[Changes], places: Sequence[tuple[int, int]]) -> list[list[FoldResult]]:
        wanted = [[(changes, *place) for place in places] for changes in several]
        self._train([key for keys in wanted for key in keys if key not in self.done])
        return [[self.done[key] for key in keys] for keys in wanted]

    def _train(self, keys: Sequence[Key]) -> None:
        if not keys:
            return
        self._check_time()
        work = {number: (self._recipe(*key), self._pair(key[1])) for number, key in enumerate(keys)}
        effort = self.effort
        running = run_on(work, effort.jobs, on=effort.on, allow_code=effort.allow_code, method="run_unseen")
        for left, (number, trial) in zip(range(len(keys) - 1, -1, -1), running, strict=True):
            changes, fold, run = keys[number]
            if trial.error:
                raise SettingError(f"{', '.join(changes) or 'the recipe as it is'}: {trial.error}")
            wrong = errors_of(self.gold(fold), [label for labels in trial.labels for label in labels])
            result = FoldResult(changes, fold, run, trial.score, wrong)
            self.done[result.key] = result
            self.trained += 1
            self.keep(asdict(result) | {"changes": list(changes)})
            if left:
                self._check_time()

    def _check_time(self) -> None:
        if not self.goes_on():
            raise OutOfTimeError

    def _recipe(self, changes: Changes, fold: int, run: int) -> Recipe:
        """The recipe of a training. Those for the final figure have all passes of the recipe."""
        passes = self.effort.passes if fold != APART else 0
        changed = applied(self.recipe, changes)
        return changed.replace({"seed": self.effort.seed + run, **({"epochs": passes} if passes else {})})

    def _pair(self, fold: int) -> Pair:
        return self._final if fold == APART else self.folds.pairs[fold]

    # --- labels ---

    @cached_property
    def label_set(self) -> LabelSet:
        """The labels of the sentences, as the recipe reads them."""
        return find_labels(self.recipe, self.folds.sentences)

    @cached_property
    def _gold(self) -> dict[int, list[str]]:
        return {}

    def gold(self, fold: int) -> list[str]:
        """Return the gold labels of all held-out tokens of a fold."""
        if fold not in self._gold:
            self._gold[fold] = [label for labels in self.label_set.gold(self._pair(fold)[1]) for label in labels]
        return self._gold[fold]

    @cached_property
    def tokens(self) -> list[Longs]:
        """For each fold: where its held-out tokens are in the sentences of all folds."""
        lengths = [len(s) for s in self.folds.sentences]
        begin = np.concatenate([[0], np.cumsum(lengths)])
        held_out = [test for _, test in self.folds.positions]
        return [np.concatenate([np.arange(begin[i], begin[i + 1]) for i in test]) for test in held_out]

    def labels(self, result: FoldResult) -> list[list[str]]:
        """Return the labels that a training gave to the held-out sentences."""
        flat = list(self.gold(result.fold))
        for label, tokens in result.wrong.items():
            for token in tokens:
                flat[token] = label
        given = iter(flat)
        return [[next(given) for _ in range(len(s))] for s in self._pair(result.fold)[1]]

    # --- the journal ---

    def take(self, entries: Sequence[dict[str, Any]]) -> None:
        """Take over results of an earlier run."""
        for entry in entries:
            result = FoldResult(**entry | {"changes": tuple(entry["changes"])})
            self.done[result.key] = result

    def fault(self, entry: dict[str, Any]) -> str:
        """Return why a line of the journal cannot be a result; empty if it can."""
        kinds = {"changes": list, "fold": int, "run": int, "score": float, "wrong": dict}
        for key, kind in kinds.items():
            if type(entry.get(key)) is not kind:
                return f"{key}: expected {kind.__name__}, found {brief(entry.get(key))}"
        if entry.keys() != kinds.keys() or not all(isinstance(change, str) for change in entry["changes"]):
            return f"expected {', '.join(kinds)} of a training, found {brief(entry)}"
        if not 0 <= entry["score"] <= 100:  # refuses NaN too, which Python's JSON reads
            return f"score: expected a number from 0 to 100, found {entry['score']}"
        if not APART <= entry["fold"] < len(self.folds.pairs):
            return f"fold: expected a number from {APART} to {len(self.folds.pairs) - 1}, found {entry['fold']}"
        tokens = [token for some in entry["wrong"].values() for token in (some if isinstance(some, list) else [None])]
        count = len(self.gold(entry["fold"]))
        if not all(type(token) is int and 0 <= token < count for token in tokens):
            return f"wrong: expected lists of tokens from 0 to {count - 1}, found {brief(entry['wrong'])}"
        return ""


def errors_of(gold: Sequence[str], given: Sequence[str]) -> dict[str, list[int]]:
    """Return the tokens with a wrong label, by this label.

    >>> errors_of("ABAB", "ABBA")
    {'A': [3], 'B': [2]}
    """
    found: dict[str, list[int]] = {}
    for token, (right, label) in enumerate(zip(gold, given, strict=True)):
        if label != right:
            found.setdefault(label, []).append(token)
    return dict(sorted(found.items()))
