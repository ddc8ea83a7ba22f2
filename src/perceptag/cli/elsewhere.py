"""Which trainings of a command are carried out in processes of their own: where there are cores, and enough to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from perceptag.recipe.recipe import Recipe
from perceptag.system.regular_files import other_kind
from perceptag.text.sentence import Sentence
from perceptag.training.checkpoint import files_of
from perceptag.training.choices import is_for_folds
from perceptag.training.fold_runs import FoldRuns, Folds
from perceptag.training.jackknife import EveryFold
from perceptag.training.margin_runs import Begin

Say = Callable[[str], None]


class Elsewhere(NamedTuple):
    """The choices before training. `given`: the arguments of all trainings, by name."""

    recipe: Recipe
    train: Sequence[Sentence]
    given: Mapping[str, Any]
    note: Say

    def _can(self) -> bool:
        """Code of the user and the model that training continues from stay here, and so do pipes."""
        here = self.recipe.outside or any(self.given[name] for name in ("attributes", "functions", "start"))
        return self.given["threads"] > 1 and not here and not any(map(_is_pipe, files_of(self.recipe)))

    def short_runs(self) -> Begin | None:
        """What carries out short runs meanwhile."""
        if self.recipe.margins == 1 or not self._can():
            return None
        from perceptag.cluster.room import processes_for  # which few runs need
        from perceptag.cluster.short_runs import MUCH, short_runs_in_processes

        if sum(map(len, self.train)) < MUCH:
            return None
        workers = processes_for(self.train, self.given["threads"], self.note)
        return short_runs_in_processes(workers) if workers > 1 else None

    def fold_runs(self) -> Callable[[Folds], FoldRuns] | None:
        """What trains on folds."""
        if not is_for_folds(self.recipe, self.train) or not self._can():
            return None
        from perceptag.cluster.fold_runs import RunsInProcesses  # which few runs need
        from perceptag.cluster.room import processes_for

        workers = processes_for(self.train, min(self.given["threads"], self.recipe.inner_folds), self.note)
        return partial(RunsInProcesses, workers=workers) if workers > 1 else None


def _is_pipe(path: str) -> bool:
    return Path(path).exists() and bool(other_kind(path))


def layer_folds(train: Sequence[Sentence], wanted: int, note: Say) -> EveryFold | None:
    """What trains lower layers on folds."""
    if wanted < 2:
        return None
    from perceptag.cluster.fold_runs import predict_in_processes  # which few runs need
    from perceptag.cluster.room import processes_for

    workers = processes_for(train, wanted, note)
    return partial(predict_in_processes, workers) if workers > 1 else None
