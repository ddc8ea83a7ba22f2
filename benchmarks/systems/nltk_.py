"""NLTK's averaged perceptron: greedy, from left to right, with features and a tag dictionary of its own."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from nltk.tag.perceptron import PerceptronTagger

from benchmarks.features import Columns
from benchmarks.measure import Clock
from benchmarks.systems import Tag
from benchmarks.task import Task, read_plain


class Nltk:
    """Pure Python."""

    title = "NLTK, `PerceptronTagger`"
    features = "its own 14"
    usual_passes = 5  # its default; ten would take minutes

    def with_settings(self, settings: dict[str, Any]) -> Nltk:  # noqa: ARG002
        """It has none but the number of passes."""
        return self

    def refuses(self, task: Task) -> str:
        """It looks at words only."""
        return "it looks at words only, this task has tags too" if len(task.columns) > 2 else ""

    def passes(self, asked: int) -> int:
        """At most as many as it makes by default."""
        return min(asked, self.usual_passes)

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """Read, train, and write what it would write, as JSON."""
        random.seed(0)  # it shuffles
        sentences = [list(zip(s["form"], y, strict=True)) for s, y in read_plain(task.train, task.columns)]
        tagger = PerceptronTagger(load=False)
        with clock.stage("passes"):
            tagger.train(sentences, nr_iter=passes)
        model.write_text(json.dumps(tagger.encode_json_obj()), encoding="utf-8")

    def load(self, task: Task, model: Path) -> Tag:  # noqa: ARG002
        """Its own `tag`."""
        tagger = PerceptronTagger(load=False)
        tagger.decode_json_params(json.loads(model.read_text(encoding="utf-8")))

        def tag(sentences: list[Columns]) -> list[list[str]]:
            return [[label for _, label in tagger.tag(sentence["form"])] for sentence in sentences]

        return tag


SYSTEM = Nltk()
