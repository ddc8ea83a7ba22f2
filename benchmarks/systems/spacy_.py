"""spaCy: its tagger on a small convolutional tok2vec, trained from scratch. Measured only if it is installed."""

from __future__ import annotations

import random
from pathlib import Path

import spacy
from spacy.tokens import Doc
from spacy.training import Example

from benchmarks.features import Columns
from benchmarks.measure import Clock
from benchmarks.systems import Tag
from benchmarks.task import Task, read_plain

CONFIG = {
    "model": {
        "@architectures": "spacy.Tagger.v2",
        "tok2vec": {
            "@architectures": "spacy.HashEmbedCNN.v2",
            "pretrained_vectors": None,
            "width": 96,
            "depth": 4,
            "embed_size": 2000,
            "window_size": 1,
            "maxout_pieces": 3,
            "subword_features": True,
        },
    }
}
BATCH = 64  # sentences


class Spacy:
    """A neural network on one thread."""

    title = "spaCy, small tok2vec tagger"
    features = "its own network"
    usual_passes = 2  # about a minute

    def refuses(self, task: Task) -> str:
        """Its tagger looks at words only."""
        return "its tagger looks at words only, this task has tags too" if len(task.columns) > 2 else ""

    def passes(self, asked: int) -> int:
        """Few: it is slow."""
        return min(asked, self.usual_passes)

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """Read, train with spaCy's own optimizer, save."""
        nlp = spacy.blank("en")
        nlp.add_pipe("tagger", config=CONFIG)
        examples = [
            Example(Doc(nlp.vocab, s["form"]), Doc(nlp.vocab, s["form"], tags=labels))
            for s, labels in read_plain(task.train, task.columns)
        ]
        optimizer = nlp.initialize(lambda: examples)
        rng = random.Random(0)
        with clock.stage("passes"):
            for _ in range(passes):
                rng.shuffle(examples)
                for i in range(0, len(examples), BATCH):
                    nlp.update(examples[i : i + BATCH], sgd=optimizer)
        nlp.to_disk(model)

    def load(self, task: Task, model: Path) -> Tag:  # noqa: ARG002
        """`nlp.pipe` on documents made of the tokens."""
        nlp = spacy.load(model)

        def tag(sentences: list[Columns]) -> list[list[str]]:
            made = [Doc(nlp.vocab, sentence["form"]) for sentence in sentences]
            return [[token.tag_ for token in doc] for doc in nlp.pipe(made, batch_size=BATCH)]

        return tag


SYSTEM = Spacy()
