"""Training on the labels of a project: the same examples, recipe and seed give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perceptag.classes.model_classes import KnownClasses
from perceptag.confidence.calibration import Calibration
from perceptag.confidence.confident import calibrated
from perceptag.models.kinds import make_ready
from perceptag.models.protocol import ReadyModel
from perceptag.recipe.recipe import Recipe
from perceptag.store.model import Model
from perceptag.store.model_file import to_bytes
from perceptag.text.sentence import Sentence
from perceptag.training.fit import make_plan
from perceptag.workbench.learning.examples import Example
from perceptag.workbench.learning.steps import Steps, finish


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
    calibration: Calibrated | None = None,
) -> bytes:
    """Return the bytes of the file of a model."""
    return to_bytes(train_model(sentences_of(examples, recipe), recipe, seed, classes, calibration))[0]


def train_model(
    sentences: Sequence[Sentence],
    recipe: Recipe,
    seed: int = 0,
    classes: KnownClasses | None = None,
    calibration: Calibrated | None = None,
) -> Model:
    """Return a model of labelled sentences."""
    model = finish(training_steps(sentences, recipe, seed, classes))
    return calibrated(model, calibration.curves, calibration.data) if calibration else model


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


def train_ready(
    sentences: Sequence[Sentence], recipe: Recipe, seed: int = 0, classes: KnownClasses | None = None
) -> ReadyModel:
    """Return a model that is ready to tag."""
    return make_ready(train_model(sentences, recipe, seed, classes))


def sentences_of(examples: Sequence[Example], recipe: Recipe) -> list[Sentence]:
    """Return examples as training reads them."""
    return [example.sentence(recipe.labels_column) for example in examples]


def can_train(examples: Sequence[Example]) -> bool:
    """Return whether there is anything to learn: two different labels."""
    return len({label for example in examples for label in example.labels}) > 1
