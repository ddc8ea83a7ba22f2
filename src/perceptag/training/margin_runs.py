"""The choice of margins: short runs with smaller and smaller ones. Another margin than the first must clearly win.

The first short run is the beginning of the training that follows if its margins are kept, so its passes are not run
again. The other runs may take place in other threads meanwhile: then this training runs on, ahead of the decision.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from perceptag.arrays import Longs, np
from perceptag.evaluation.comparison import count_rows, errors_of_rows
from perceptag.evaluation.scoring import Score
from perceptag.learn.settings import MARGIN, MARGIN_LOCAL
from perceptag.recipe.recipe import Recipe, uses
from perceptag.system.plural import plural
from perceptag.training.cross_validation import Pair
from perceptag.training.train import AVERAGED, Training, first_choice

SHORT = 3  # a short run has this part of the passes
FEWEST = 3  # passes of a short run, at least
CLEARLY = 2  # standard errors

Make = Callable[..., Training]  # gets a recipe, training and held-out sentences
Say = Callable[[str], None]


@dataclass(slots=True)
class HeldOutCounts:
    """What a recipe gives on held-out data: counts for each sentence."""

    rows: list[Longs] = field(default_factory=list)
    measure: Score | None = None

    def add(self, training: Training) -> None:
        """Count what the best pass so far gives to the held-out data."""
        dev, labels = training.task.dev, training.dev_labels()
        assert dev is not None
        gold = training.task.label_set.gold(dev)
        rows, self.measure = count_rows(gold, labels, training.task.label_set.outer)
        self.rows.append(rows)

    @property
    def score(self) -> float:
        """F1 of spans or accuracy, in per cent, over all of the held-out data."""
        assert self.measure is not None
        return float(self.measure(sum(rows.sum(axis=0) for rows in self.rows)))

    def clearly_beats(self, other: HeldOutCounts) -> bool:
        """Whether it is better by more than two standard errors of the difference, on the same sentences."""
        assert self.measure is not None
        mine, theirs = np.concatenate(self.rows), np.concatenate(other.rows)
        return errors_of_rows(theirs, mine, self.measure) > CLEARLY


class RunsAside:
    """Short runs in other threads, which release the GIL in their passes."""

    def __init__(self, recipes: Sequence[Recipe], pair: Pair, make: Make, threads: int) -> None:
        from concurrent.futures import ThreadPoolExecutor  # here, because the import takes a while

        self._is_closed = False
        self._pool = ThreadPoolExecutor(threads)
        is_ended = lambda: self._is_closed  # noqa: E731
        self._runs = [self._pool.submit(run_short, recipe, pair, make, is_ended) for recipe in recipes]

    def is_done(self) -> bool:
        """Whether the outcomes are there."""
        return all(run.done() for run in self._runs)

    def outcomes(self) -> list[HeldOutCounts]:
        """The outcomes of the runs, in their order; waits for them."""
        return [run.result() for run in self._runs]

    def close(self) -> None:
        """End what still runs, after its pass."""
        self._is_closed = True
        self._pool.shutdown(cancel_futures=True)


# Short runs of a settled recipe: their outcomes, and the training of that recipe if they have begun it
RunAll = Callable[[Recipe, Sequence[Recipe]], "tuple[list[HeldOutCounts], Training | None]"]


@dataclass(frozen=True, slots=True)
class ChosenMargins:
    """The recipe with the margins that were chosen, why, and its training as far as it has come."""

    recipe: Recipe
    reasons: tuple[str, ...] = ()
    begun: Training | None = None


def choose_margins(recipe: Recipe, run: RunAll, note: Say) -> ChosenMargins:
    """Choose the margins that win in short runs, which `run` carries out."""
    settled = recipe.replace({"margins": 1})
    keys = _margin_keys(recipe)
    if recipe.margins == 1 or not keys:
        return ChosenMargins(settled)
    passes = min(recipe.epochs, max(FEWEST, math.ceil(recipe.epochs / SHORT)))
    note(f"margins: {recipe.margins} short runs of {plural(passes, 'pass')}")
    scaled = [{key: recipe.own[key] / 10**k for key in keys} for k in range(recipe.margins)]
    # Any pass of a short run counts: also of the first, which may be the beginning of the training that follows.
    alike = {"epochs": passes, "recall": 0, "later_passes": False}
    short = [settled.replace(alike | margins) for margins in scaled]
    found, begun = run(settled, short)
    best = _best(found)
    tried = "; ".join(f"{_written(margins)}: {o.score:.2f}" for margins, o in zip(scaled, found, strict=True))
    reason = f"margins in short runs of {plural(passes, 'pass')}: {tried}; kept {_written(scaled[best])}"
    note(reason)
    return ChosenMargins(settled.replace(scaled[best]), (reason,), None if best else begun)


def run_on_dev(
    pair: Pair, make: Make, aside: int, settled: Recipe, short: Sequence[Recipe]
) -> tuple[list[HeldOutCounts], Training | None]:
    """The outcomes of short runs on dev data, with `aside` threads besides this one.

    The first run may be the beginning of the training that follows.
    """
    if not _begins_alike(settled, short[0].epochs):
        return [run_short(one, pair, make) for one in short], None
    begun = make(settled, *pair)
    return _beginning_with(begun, short[0].epochs, short[1:], pair, make, aside), begun


def run_short(recipe: Recipe, pair: Pair, make: Make, is_ended: Callable[[], bool] | None = None) -> HeldOutCounts:
    """A short run on training and held-out data."""
    outcome = HeldOutCounts()
    outcome.add(make(recipe, *pair).run_all(is_ended))
    return outcome


def _begins_alike(recipe: Recipe, passes: int) -> bool:
    """Whether the first passes are the same however many follow, and each of them may still be chosen.

    How often weights are taken for a vote depends on the number of passes.
    """
    if recipe.weights == "voted" or recipe.outside is not None:
        return False
    return not 1 < first_choice(recipe, AVERAGED) <= passes


def _beginning_with(
    begun: Training, passes: int, others: Sequence[Recipe], pair: Pair, make: Make, aside: int
) -> list[HeldOutCounts]:
    """The outcomes of all short runs, the first of which is the beginning of `begun`."""
    first = HeldOutCounts()
    if not aside:
        _run_ahead(begun, passes)
        first.add(begun)
        return [first, *(run_short(one, pair, make) for one in others)]
    waiting = RunsAside(others, pair, partial(make, threads=1), aside)
    try:
        _run_ahead(begun, passes)
        first.add(begun)
        while not waiting.is_done() and begun.run_ahead():
            pass
        return [first, *waiting.outcomes()]
    finally:
        waiting.close()


def _run_ahead(training: Training, passes: int) -> None:
    while len(training.reports) < passes and training.run_ahead():
        pass


def _best(found: Sequence[HeldOutCounts]) -> int:
    best = 0
    for k in range(1, len(found)):
        if found[k].score > found[best].score and found[k].clearly_beats(found[0]):
            best = k
    return best


def _margin_keys(recipe: Recipe) -> list[str]:
    """The margins of the learner that are not zero."""
    keys = [s.key for s in (MARGIN, MARGIN_LOCAL) if uses(recipe, s.key)]
    return [key for key in keys if recipe.own[key] > 0]


def _written(settings: dict[str, float]) -> str:
    return " ".join(f"{key}={value:g}" for key, value in settings.items())
