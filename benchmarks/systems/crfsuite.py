"""python-crfsuite: CRFsuite's averaged perceptron (`ap`), of first order."""

from __future__ import annotations

from pathlib import Path

import pycrfsuite

from benchmarks.features import AttributeMaker, Columns
from benchmarks.measure import Clock
from benchmarks.systems import Tag
from benchmarks.task import Task, read_plain


class CrfSuite:
    """Attribute strings made in Python, everything else in CRFsuite."""

    title = "python-crfsuite, `ap`"
    features = "the same"

    def refuses(self, task: Task) -> str:  # noqa: ARG002
        """It does every task."""
        return ""

    def passes(self, asked: int) -> int:
        """As many as asked for: it must not stop earlier."""
        return asked

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """Read, make attributes and pass them one sentence at a time, train."""
        make = AttributeMaker(task.patterns)
        trainer = pycrfsuite.Trainer(algorithm="ap", params={"max_iterations": passes, "epsilon": 0.0}, verbose=False)
        for sentence, labels in read_plain(task.train, task.columns):
            trainer.append(make(sentence), labels)
        with clock.stage("passes"):
            trainer.train(str(model))

    def load(self, task: Task, model: Path) -> Tag:
        """Attributes are made again for each sentence."""
        make = AttributeMaker(task.patterns)
        tagger = pycrfsuite.Tagger()
        tagger.open(str(model))

        def tag(sentences: list[Columns]) -> list[list[str]]:
            return [tagger.tag(make(sentence)) for sentence in sentences]

        return tag


SYSTEM = CrfSuite()
