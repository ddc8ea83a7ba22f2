"""Training runs that are compared with each other: one recipe each, the same data, side by side on several cores.

Runs are processes, not threads: a learner's decisions are Python, and Python runs one thread at a time.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass

from perceptag.errors import PerceptagError
from perceptag.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.train import Training


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one run: the dev score of its best pass and the labels of the dev data, or an error."""

    score: float  # F1 or accuracy in per cent; 0 with an error
    epoch: int  # the best pass
    labels: list[list[str]]
    error: str = ""


def run_trial(recipe: Recipe, train: Sequence[Sentence], dev: Sequence[Sentence]) -> Trial:
    """Train by a recipe and label the dev data with the best pass. Settings that do not go together are an error."""
    try:
        training = Training(recipe, train, dev)
    except PerceptagError as error:
        return Trial(0.0, 0, [], str(error))
    best = max(training.run(), key=lambda report: (report.dev_kept or 0.0, -report.epoch))
    return Trial(best.dev_kept or 0.0, best.epoch, training.trainer.tag_dev(training.best))


def run_trials(
    recipes: Mapping[int, Recipe], train: Sequence[Sentence], dev: Sequence[Sentence], jobs: int
) -> Iterator[tuple[int, Trial]]:
    """Run trials, `jobs` at a time; give each with its number when it is done."""
    if jobs == 1 or len(recipes) < 2:
        for number, recipe in recipes.items():
            yield number, run_trial(recipe, train, dev)
        return
    # Forked processes would share the state of native threads, so new ones are started.
    with ProcessPoolExecutor(min(jobs, len(recipes)), multiprocessing.get_context("spawn")) as pool:
        running = {pool.submit(run_trial, recipe, train, dev): number for number, recipe in recipes.items()}
        try:
            for done in as_completed(running):
                yield running[done], done.result()
        except BaseException:  # an interrupt: what has not begun must not begin
            pool.shutdown(wait=False, cancel_futures=True)
            raise
