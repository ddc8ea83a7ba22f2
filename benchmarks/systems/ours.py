"""perceptag: averaged perceptron of first order, exact Viterbi."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.measure import Clock
from benchmarks.systems import Tag
from benchmarks.task import Task

if TYPE_CHECKING:
    from perceptag.recipe import Recipe

TRIGRAMS = "bias * y-2 y-1 y0"


class Perceptag:
    """The structured perceptron on the task's templates."""

    features = "the same"
    slow = False

    def __init__(self, order: int) -> None:
        self.order = order
        self.title = f"perceptag, {'second' if order == 2 else 'first'} order"

    def refuses(self, task: Task) -> str:  # noqa: ARG002
        """It does every task."""
        return ""

    def passes(self, asked: int) -> int:
        """As many as asked for."""
        return asked

    def recipe(self, task: Task, passes: int) -> Recipe:
        """The settings: averaged, the order drawn anew in each pass, as CRFsuite does."""
        from perceptag.recipe import Recipe

        templates = (*task.templates, *((TRIGRAMS,) if self.order == 2 else ()))
        return Recipe(name=f"bench-{task.name}").replace({"templates": templates, "epochs": passes, "shuffle": True})

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """Read the column file, train, save."""
        from perceptag.modelfile import save
        from perceptag.text import read_columns
        from perceptag.train import Training

        training = Training(self.recipe(task, passes), list(read_columns(task.train, list(task.columns))))
        with clock.stage("passes"):
            for _ in training.run():
                pass
        save(training.model(), str(model))

    def load(self, task: Task, model: Path) -> Tag:
        """`Tagger.predict` on one thread: token lists where there is one column, else lists by column name."""
        from perceptag import Tagger

        tagger = Tagger.load(str(model))
        if len(task.columns) > 2:
            return tagger.predict
        return lambda sentences: tagger.predict([sentence["form"] for sentence in sentences])


SYSTEM = Perceptag(order=1)
