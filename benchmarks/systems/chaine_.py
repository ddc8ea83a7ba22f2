"""chaine: another binding of CRFsuite; its averaged perceptron (`ap`), of first order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import chaine

from benchmarks.features import AttributeMaker, Columns
from benchmarks.measure import Clock
from benchmarks.systems import Tag
from benchmarks.task import Task, read_plain

Features = list[dict[str, int]]


class Chaine:
    """Attribute strings made in Python, everything else in CRFsuite."""

    title = "chaine, `ap`"
    features = "the same"

    def refuses(self, task: Task) -> str:  # noqa: ARG002
        """It does every task."""
        return ""

    def passes(self, asked: int) -> int:
        """As many as asked for."""
        return asked

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:  # noqa: ARG002
        """Sentences are passed one at a time; when its passes begin cannot be seen from outside."""
        make = AttributeMaker(task.patterns)
        labels: list[list[str]] = []

        def sentences() -> Iterator[Features]:
            for sentence, gold in read_plain(task.train, task.columns):
                labels.append(gold)
                yield as_features(make(sentence))

        trainer = chaine.Trainer(algorithm="ap", max_iterations=passes, epsilon=0.0)
        trainer.train(sentences(), _as_they_come(labels), model_filepath=str(model))

    def load(self, task: Task, model: Path) -> Tag:
        """Attributes are made again for each sentence."""
        make = AttributeMaker(task.patterns)
        loaded = chaine.Model(str(model))

        def tag(sentences: list[Columns]) -> list[list[str]]:
            return [
                loaded.predict_single([dict.fromkeys(token, 1) for token in make(sentence)]) for sentence in sentences
            ]

        return tag


def as_features(tokens: list[list[str]]) -> Features:
    """Return attributes in the form that chaine needs."""
    return [dict.fromkeys(token, 1) for token in tokens]


def _as_they_come(labels: list[list[str]]) -> Iterator[list[str]]:
    """Yield the labels of each sentence after the sentence itself has been read."""
    i = 0
    while i < len(labels):
        yield labels[i]
        i += 1


SYSTEM = Chaine()
