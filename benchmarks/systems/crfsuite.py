"""python-crfsuite, of first order: CRFsuite's averaged perceptron (`ap`), or another of its algorithms."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pycrfsuite

from benchmarks.features import AttributeMaker, Columns
from benchmarks.measure import Clock
from benchmarks.systems import Tag
from benchmarks.task import Task, read_plain


class CrfSuite:
    """Attribute strings made in Python, everything else in CRFsuite."""

    features = "the same"

    def __init__(self, algorithm: str, settings: dict[str, float]) -> None:
        self.algorithm = algorithm
        self.settings = settings
        self.title = f"python-crfsuite, `{algorithm}`"

    def with_settings(self, settings: dict[str, Any]) -> CrfSuite:
        """Return the same system with another algorithm or other parameters."""
        return CrfSuite(
            settings.get("algorithm", self.algorithm), {k: v for k, v in settings.items() if k != "algorithm"}
        )

    def refuses(self, task: Task) -> str:  # noqa: ARG002
        """It does every task."""
        return ""

    def passes(self, asked: int) -> int:
        """As many as asked for: it must not stop earlier."""
        return asked

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """Read, make attributes and pass them one sentence at a time, train."""
        make = AttributeMaker(task.patterns)
        settings = {"max_iterations": passes, **self.settings}
        trainer = pycrfsuite.Trainer(algorithm=self.algorithm, params=settings, verbose=False)
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


SYSTEM = CrfSuite("ap", {"epsilon": 0.0})
