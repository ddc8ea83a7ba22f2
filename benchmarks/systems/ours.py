"""perceptag: averaged perceptron of first order, exact Viterbi."""

from __future__ import annotations

from pathlib import Path

from benchmarks.measure import Clock
from benchmarks.systems import Tag
from benchmarks.task import Task
from perceptag import Tagger
from perceptag.models.model_file import save
from perceptag.recipe.recipe import Recipe
from perceptag.text import read_columns
from perceptag.training.train import Training

TRIGRAMS = "bias * y-2 y-1 y0"


class Perceptag:
    """The structured perceptron on the task's templates."""

    features = "the same"

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
        """The settings: averaged, a new order in each pass, as CRFsuite does."""
        templates = (*task.templates, *((TRIGRAMS,) if self.order == 2 else ()))
        settings = {"templates": templates, "epochs": passes, "shuffle": True}
        return Recipe(name=f"bench-{task.name}").replace(settings)

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """Read the column file, train, save."""
        training = Training(self.recipe(task, passes), list(read_columns(task.train, list(task.columns))))
        with clock.stage("passes"):
            for _ in training.run():
                pass
        save(training.model(), str(model))

    def load(self, task: Task, model: Path) -> Tag:
        """`Tagger.predict` on one thread: token lists if there is one column, else lists by column name."""
        tagger = Tagger.load(str(model))
        if len(task.columns) > 2:
            return tagger.predict
        return lambda sentences: tagger.predict([sentence["form"] for sentence in sentences])


SYSTEM = Perceptag(order=1)
