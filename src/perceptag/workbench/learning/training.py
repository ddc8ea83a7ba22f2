"""Train on the labels of a project, in short steps, on all examples or on folds.

The same examples, recipe and seed give the same bytes.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from perceptag.evaluation.splitters import GroupFolds
from perceptag.labels.schemes import spans
from perceptag.models.calibration import Calibration
from perceptag.models.kinds import make_ready
from perceptag.models.margins import LIMIT, Margins
from perceptag.models.model import Model
from perceptag.models.model_classes import KnownClasses
from perceptag.models.model_file import to_bytes
from perceptag.recipe.recipe import Recipe
from perceptag.text.sentence import Sentence
from perceptag.training.fit import make_plan
from perceptag.workbench.learning.messages import Example


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A calibration, and the sentences that it was learned from."""

    curves: Calibration
    data: Sequence[Sentence]


def train(
    examples: Sequence[Example],
    recipe: Recipe,
    seed: int = 0,
    classes: KnownClasses | None = None,
) -> bytes:
    """Return the bytes of the file of a model."""
    return to_bytes(train_model(sentences_of(examples, recipe), recipe, seed, classes))[0]


def train_model(
    sentences: Sequence[Sentence],
    recipe: Recipe,
    seed: int = 0,
    classes: KnownClasses | None = None,
) -> Model:
    """Return a model of labelled sentences."""
    return finish(training_steps(sentences, recipe, seed, classes))


def training_steps(
    sentences: Sequence[Sentence], recipe: Recipe, seed: int = 0, classes: KnownClasses | None = None
) -> Steps[Model]:
    """Return a model of labelled sentences; each pass is a step."""
    plan = make_plan(recipe, {"seed": seed}, classes=classes, settles=False)
    training = plan.begin(plan.resolve(sentences), sentences)
    yield
    for _ in training.run():
        yield
    return training.model()


def sentences_of(examples: Sequence[Example], recipe: Recipe) -> list[Sentence]:
    """Return examples as training reads them."""
    return [example.sentence(recipe.labels_column) for example in examples]


def can_train(examples: Sequence[Example]) -> bool:
    """Return whether there is anything to learn: two different labels."""
    return len({label for example in examples for label in example.labels}) > 1


T = TypeVar("T")
Steps = Generator[None, None, T]


def finish(steps: Steps[T]) -> T:
    """Run all steps, and return the result."""
    results: list[T] = []

    def run() -> Steps[None]:
        results.append((yield from steps))

    for _ in run():
        pass
    return results[0]


# Only the random sample is held out, since only it is fit for judging. The sentences that the model chose are in every
# training part, so a model of a fold lacks a part of the sample and nothing else.

FEW, MANY = 5, 10  # folds: for many models, and where models should lack little


@dataclass(frozen=True, slots=True)
class Learning:
    """How models of a project are trained."""

    recipe: Recipe
    seed: int = 0
    classes: KnownClasses | None = None

    @property
    def scheme(self) -> str:
        """How labels mark spans; none: they are tags."""
        return "none" if self.recipe.labels_scheme == "none" else "IOB2"


@dataclass(frozen=True, slots=True)
class Held:
    """An example, and the labels and margins of a model trained without it."""

    example: Example
    found: Margins


def sample_of(examples: Sequence[Example]) -> list[Example]:
    """Return the random sample."""
    return [example for example in examples if example.in_sample]


def out_of_fold(
    examples: Sequence[Example],
    learning: Learning,
    number: int = FEW,
    upto: int | None = None,
) -> Steps[list[Held]]:
    """Return the random sample with the labels of models that lack it.

    With `upto`, models are trained on that number of the first examples, without those of the fold.
    """
    held: list[Held] = []
    known = examples[:upto]
    every = sample_of(examples)
    for _, test in GroupFolds(number).split(every):
        fold = [every[i] for i in test]
        without = {example.text.id for example in fold}
        rest = [example for example in known if example.text.id not in without]
        found = yield from margins_of(rest, [example.text.sentence() for example in fold], learning)
        held += [Held(example, margins) for example, margins in zip(fold, found, strict=True)]
    return held


def margins_of(train: Sequence[Example], others: Sequence[Sentence], learning: Learning) -> Steps[list[Margins]]:
    """Return the labels and margins of other sentences, as a model of examples gives them."""
    if not others:
        return []
    if not can_train(train):
        return [_guess(train, sentence, learning.scheme) for sentence in others]
    sentences = sentences_of(train, learning.recipe)
    model = yield from training_steps(sentences, learning.recipe, learning.seed, learning.classes)
    return make_ready(model).margins(list(others))


def _guess(train: Sequence[Example], sentence: Sentence, scheme: str) -> Margins:
    """Return the only label that there is; it has no rival."""
    label = next((label for other in train for label in other.labels), "O")
    labels = [label] * len(sentence)
    marked = [] if scheme == "none" else [(span, LIMIT) for span in spans(labels, scheme)]
    return Margins(labels, [LIMIT] * len(labels), marked)
