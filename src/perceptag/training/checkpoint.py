"""Checkpoints: training that was stopped can continue, and gives the same model, bit for bit.

A checkpoint holds what changes in training (weights, their sums, the best pass so far, the reports) and what must
stay the same: digests of data and recipe, and the version. It is sealed like a model and written in one step, so that
a kill at any moment leaves the last checkpoint or the one before it.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import NoneType
from typing import Any

from perceptag._version import __version__
from perceptag.arrays import np
from perceptag.errors import ModelError, SettingError, brief
from perceptag.models.model import AnyArrays, Arrays, part_of
from perceptag.models.model_file import MAX_BYTES, json_bytes, json_in, read_file, seal, unseal
from perceptag.recipe.recipe import Recipe
from perceptag.system.output_files import open_output
from perceptag.training.learned import Kept
from perceptag.training.train import PassReport, Training, first_choice

# After a checkpoint the next one waits 50 times as long as it took to write: at most 2 % of the time.
SPARING = 50


class Checkpoints:
    """The checkpoints of one training run, in one file.

    `every` is a number of passes; 0 means no checkpoints; None: as often as possible within 2 % of the time.
    """

    def __init__(
        self,
        training: Training,
        path: str,
        every: int | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.training = training
        self.path = path
        self.every = every
        training.keeps_up = lambda: self._is_due(len(training.reports) + 1)
        self._clock = clock
        self._next = -float("inf")  # the clock's time of the next one
        self.is_of_this_run = False  # whether this run wrote or resumed the file at `path`
        self.passes = 0  # that the file at `path` holds, if it is of this run
        self._may_go = False  # whether an earlier run wrote it and it may be deleted

    def after_pass(self) -> bool:
        """Write a checkpoint if it is time for one; return whether it was written."""
        if not self._is_due(len(self.training.reports)) or not self.training.catch_up():
            return False
        started = self._clock()
        write(self.training, self.path)
        self.is_of_this_run, self.passes = True, len(self.training.reports)
        finished = self._clock()
        self._next = finished + SPARING * (finished - started)
        return True

    def _is_due(self, passes: int) -> bool:
        """Whether it is time for one after this number of passes."""
        if self.every is None:
            return self._clock() >= self._next
        return self.every > 0 and passes % self.every == 0

    def resume(self) -> bool:
        """Set the training to the state of the checkpoint; return False if there is none."""
        if not Path(self.path).is_file():
            return False
        restore(self.training, self.path)
        self.is_of_this_run, self.passes = True, len(self.training.reports)
        return True

    def replace(self) -> bool:
        """Let the first checkpoint of this run replace an earlier one; return False if there is none.

        Until then the earlier one stays where it is.
        """
        self._may_go = Path(self.path).is_file()
        return self._may_go

    def remove(self) -> None:
        """Delete the checkpoint once the model is saved, also one that this run replaces; any other file stays."""
        if self.is_of_this_run or self._may_go:
            Path(self.path).unlink(missing_ok=True)


def write(training: Training, path: str) -> None:
    """Write the state of training after a pass, completely or not at all."""
    trainer = training.trainer
    training.catch_up()
    about = {
        "run": identity(training),
        "reports": [dataclasses.asdict(report) for report in training.reports],
        "choices": training.chosen.get("choices", []),
    }
    arrays: Arrays = {"json": np.frombuffer(json_bytes(about), np.uint8)}
    arrays |= {f"state.{name}": array for name, array in trainer.state().items()}
    for weights, kept in training.kept.items():
        arrays |= {f"{weights}.{name}": array for name, array in trainer.snapshot_arrays(kept.snapshot).items()}
    data, _ = seal(without_zeros(arrays), "checkpoint")
    with open_output(path) as stream:
        stream.write(data)


def restore(training: Training, path: str) -> None:
    """Set training to the state of a checkpoint of the same run; any other checkpoint is refused."""
    try:
        stored = unseal(read_file(path), "checkpoint")
        about = json_in(stored)
        if not isinstance(about.get("run"), dict):
            raise ModelError(f"run: expected an object, found {brief(about.get('run'))}")
        _check_same_run(about["run"], identity(training), path)
        arrays = with_zeros(stored)
        reports = _reports(about.get("reports"), training)
        best = best_passes(training, reports)
    except ModelError as error:
        raise ModelError(f"{path}: {str(error).removeprefix(f'{path}: ')}") from error
    try:
        training.trainer.restore(part_of(arrays, "state."))
        kept = {weights: training.trainer.restore_snapshot(part_of(arrays, f"{weights}.")) for weights in best}
    except (LookupError, ValueError, TypeError, ArithmeticError, RuntimeError) as error:
        # Data and recipe are the same, so something that they refer to has changed, such as an attribute's code.
        raise ModelError(f"{path}: the checkpoint does not fit the features of this run: {error}") from error
    training.forget_ahead()
    training.reports = reports
    training.kept = {weights: Kept(weights, kept[weights], *best[weights]) for weights in best}


def best_passes(training: Training, reports: Sequence[PassReport]) -> dict[str, tuple[int, float | None]]:
    """The best pass for each kind of weights, and its dev score."""
    recipe = training.task.recipe
    found: dict[str, tuple[int, float | None]] = {}
    kinds = recipe.kinds_of_weights if training.task.dev is not None else recipe.kinds_of_weights[:1]
    for number, weights in enumerate(kinds):
        scores = [report.dev_kept if number == 0 else report.dev_last for report in reports]
        first = first_choice(recipe, weights)
        first = first if len(reports) >= first else 1
        known = {epoch: score for epoch, score in enumerate(scores, 1) if score is not None and epoch >= first}
        best = max(known, key=lambda epoch: known[epoch], default=len(reports))
        found[weights] = best, known.get(best)
    return found


def choices_of(path: str, keys: Sequence[str]) -> tuple[dict[str, object], tuple[str, ...]] | None:
    """The values that a run had chosen for some keys of its recipe, and why; None if it left no checkpoint.

    A file that is not a checkpoint is not an error here: `restore` refuses it.
    """
    if not Path(path).is_file():
        return None
    try:
        about = json_in(unseal(read_file(path), "checkpoint"))
    except ModelError:
        return {}, ()
    run, choices = about.get("run"), about.get("choices")
    recipe = run.get("recipe") if isinstance(run, dict) else None
    if not isinstance(recipe, dict) or not isinstance(choices, list):
        return {}, ()
    return {key: recipe[key] for key in keys if key in recipe}, tuple(map(str, choices))


def _reports(found: object, training: Training) -> list[PassReport]:
    """Check the reports of the passes so far and return them."""
    if not isinstance(found, list) or not found:
        raise ModelError(f"reports: expected a list of one report or more, found {brief(found)}")
    fields = dataclasses.fields(PassReport)
    names, needed = {f.name for f in fields}, {f.name for f in fields if f.default is dataclasses.MISSING}
    for report in found:
        if not isinstance(report, dict) or not needed <= set(report) <= names:
            raise ModelError(f"reports: expected {', '.join(sorted(names))}, found {brief(report)}")
    reports = [PassReport(**report) for report in found]
    score = (int, float) if training.task.dev is not None else NoneType
    for epoch, report in enumerate(reports, 1):
        counts, likelihood = (report.mistakes, report.sequences), report.log_likelihood
        kinds = all(type(count) is int for count in counts) and isinstance(report.is_best, bool)
        scores = isinstance(report.dev_last, score) and isinstance(report.dev_kept, score)
        rest = isinstance(report.seconds, float) and isinstance(likelihood, (float, NoneType))
        if type(report.epoch) is not int or report.epoch != epoch or not (kinds and scores and rest):
            raise ModelError(f"reports: expected that of pass {epoch}, found {brief(report, 200)}")
    return reports


def identity(training: Training) -> dict[str, Any]:
    """Return what a run must share with its checkpoint, as JSON values. Threads and paths of data are not in it."""
    recipe = training.task.recipe
    facts = {
        "perceptag": __version__,
        **training.data_facts,
        "recipe": {k: v for k, v in recipe.to_dict().items() if k not in ("description", "citation")},
        "files": {path: _digest(training.task.read(path)) for path in texts_of(recipe)},
        **({"classes": known.sha256} if (known := training.task.classes) else {}),
    }
    same: dict[str, Any] = json.loads(json.dumps(facts))
    return same


def files_of(recipe: Recipe) -> list[str]:
    """Return the files that a recipe names and whose contents matter."""
    return [*texts_of(recipe), *([recipe.classes] if recipe.classes else [])]


def texts_of(recipe: Recipe) -> list[str]:
    """Return those of them that are text."""
    return [path for entry in recipe.gazetteer if (path := entry.partition("=")[2])]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _check_same_run(saved: dict[str, Any], here: dict[str, Any], path: str) -> None:
    differences = [
        f"{name}: {_short(before)} in the checkpoint, {_short(now)} here"
        for name, before, now in _differences(saved, here)
    ]
    if differences:
        raise SettingError(
            f"{path}: this checkpoint is of another run ({'; '.join(differences)}); "
            "give the same data and recipe, or start again from the beginning: --restart"
        )


def _differences(saved: dict[str, Any], here: dict[str, Any], prefix: str = "") -> list[tuple[str, Any, Any]]:
    found: list[tuple[str, Any, Any]] = []
    for name in dict.fromkeys([*saved, *here]):
        before, now = saved.get(name), here.get(name)
        if isinstance(before, dict) and isinstance(now, dict):
            found += _differences(before, now, f"{prefix}{name} ")
        elif before != now:
            found.append((prefix + name, before, now))
    return found


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False) if value is not None else "none"
    return text if len(text) <= 60 else f"{text[:50]}…"


MANY = 1 << 16  # numbers of an array from which leaving zeros out pays
PLACES, VALUES, SHAPE = "places:", "values:", "shape:"


def without_zeros(arrays: Arrays) -> Arrays:
    """The same arrays; of those that are nearly all zero, the places and the values of the others."""
    found: Arrays = {}
    for name, array in arrays.items():
        if array.dtype.kind != "f" or array.size < MANY:
            found[name] = array
            continue
        flat = array.ravel()
        places = np.flatnonzero(flat.view(f"u{flat.itemsize}"))  # minus zero stays what it is
        if 3 * len(places) > flat.size:
            found[name] = array
        else:
            found |= {PLACES + name: places, VALUES + name: flat[places], SHAPE + name: np.array(array.shape)}
    return found


def with_zeros(arrays: AnyArrays) -> Arrays:
    """The inverse of `without_zeros`."""
    found = {name: a for name, a in arrays.items() if not name.startswith((PLACES, VALUES, SHAPE))}
    for name in [name.removeprefix(SHAPE) for name in arrays if name.startswith(SHAPE)]:
        found[name] = _whole(name, *(arrays.get(part + name) for part in (SHAPE, PLACES, VALUES)))
    return found


def _whole(name: str, shape: Any, places: Any, values: Any) -> Any:
    if any(part is None or part.ndim != 1 for part in (shape, places, values)) or places.shape != values.shape:
        raise ModelError(f"{name}: expected a shape, and as many places as values, found other arrays")
    if {shape.dtype.kind, places.dtype.kind} != {"i"} or values.dtype.kind != "f":
        raise ModelError(f"{name}: expected whole numbers for places and others for values, found other arrays")
    sizes = shape.tolist()
    n = math.prod(sizes)
    if min(sizes, default=0) < 0 or n > MAX_BYTES // values.itemsize:
        raise ModelError(f"{name}: expected a shape that fits into a file, found {sizes}")
    if len(places) and (places.min() < 0 or places.max() >= n):
        raise ModelError(f"{name}: expected places below {n}, found another")
    whole = np.zeros(n, values.dtype)
    whole[places] = values
    return whole.reshape(sizes)
