"""Labels that models give to sentences which they have not seen: the random sample in folds.

Only the random sample is held out, since only it is fit for judging. The sentences that the model chose are in every
training part, so a model of a fold lacks a part of the sample and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from perceptag.classes.model_classes import KnownClasses
from perceptag.confidence.margins import LIMIT, Margins
from perceptag.corpus.splitters import GroupFolds
from perceptag.labels.schemes import spans
from perceptag.models.kinds import make_ready
from perceptag.recipe.recipe import Recipe
from perceptag.workbench.learning.examples import Example
from perceptag.workbench.learning.steps import Steps
from perceptag.workbench.learning.training import can_train, sentences_of, training_steps

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
    """An example, and what a model says that was trained without it."""

    example: Example
    found: Margins


def sample_of(examples: Sequence[Example]) -> list[Example]:
    """Return the random sample."""
    return [example for example in examples if example.in_sample]


def out_of_fold(
    examples: Sequence[Example],
    learning: Learning,
    number: int = FEW,
    judged: Sequence[Example] | None = None,
    upto: int | None = None,
) -> Steps[list[Held]]:
    """Return the judged examples with the labels of models that lack them. By default the random sample is judged.

    With `upto`, models are trained on that number of the first examples, without those of the fold.
    """
    held: list[Held] = []
    known = examples[:upto]
    every = sample_of(examples) if judged is None else judged
    for _, test in GroupFolds(number).split(every):
        fold = [every[i] for i in test]
        without = {example.text.id for example in fold}
        rest = [example for example in known if example.text.id not in without]
        found = yield from _margins(rest, fold, learning)
        held += [Held(example, margins) for example, margins in zip(fold, found, strict=True)]
    return held


def _margins(train: Sequence[Example], held: Sequence[Example], learning: Learning) -> Steps[list[Margins]]:
    if not can_train(train):
        return [_guess(train, example, learning.scheme) for example in held]
    sentences = sentences_of(train, learning.recipe)
    model = yield from training_steps(sentences, learning.recipe, learning.seed, learning.classes)
    return make_ready(model).margins([example.text.sentence() for example in held])


def _guess(train: Sequence[Example], example: Example, scheme: str) -> Margins:
    """Return the only label that there is; it has no rival."""
    label = next((label for other in train for label in other.labels), "O")
    labels = [label] * len(example.labels)
    marked = [] if scheme == "none" else [(span, LIMIT) for span in spans(labels, scheme)]
    return Margins(labels, [LIMIT] * len(labels), marked)
