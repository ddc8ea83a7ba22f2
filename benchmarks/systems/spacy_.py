"""spaCy: its tagger, or its recogniser of spans, on a small convolutional tok2vec. Measured only if it is installed.

The network is the small one of spaCy's own `init config --optimize efficiency`, trained from scratch, with its dropout.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import spacy
from spacy.tokens import Doc
from spacy.training import Example

from benchmarks.features import Columns
from benchmarks.measure import Clock
from benchmarks.systems import Tag
from benchmarks.task import Task, read_plain

TOK2VEC = {
    "@architectures": "spacy.HashEmbedCNN.v2",
    "pretrained_vectors": None,
    "width": 96,
    "depth": 4,
    "embed_size": 2000,
    "window_size": 1,
    "maxout_pieces": 3,
    "subword_features": True,
}
PARSER = {
    "@architectures": "spacy.TransitionBasedParser.v2",
    "state_type": "ner",
    "extra_state_tokens": False,
    "hidden_width": 64,
    "maxout_pieces": 2,
    "use_upper": True,
}
CONFIGS: dict[str, dict[str, Any]] = {
    "tagger": {"model": {"@architectures": "spacy.Tagger.v2", "tok2vec": TOK2VEC}},
    "ner": {"model": {**PARSER, "tok2vec": TOK2VEC}},
}
BATCH = 64  # sentences


class Spacy:
    """A neural network on one thread."""

    title = "spaCy, small tok2vec tagger"
    features = "its own network"
    usual_passes = 2  # about a minute

    def __init__(self, component: str = "tagger", dropout: float = 0.0) -> None:
        self.component = component
        self.dropout = dropout

    def with_settings(self, settings: dict[str, Any]) -> Spacy:
        """Return the same system with another component or another dropout."""
        return Spacy(**settings)

    def refuses(self, task: Task) -> str:
        """Its tagger looks at words only."""
        return "its tagger looks at words only, this task has tags too" if len(task.columns) > 2 else ""

    def passes(self, asked: int) -> int:
        """Few: it is slow."""
        return min(asked, self.usual_passes)

    def train(self, task: Task, passes: int, model: Path, clock: Clock) -> None:
        """Read, train with spaCy's own optimizer, save."""
        nlp = spacy.blank("en")
        nlp.add_pipe(self.component, config=CONFIGS[self.component])
        pairs = read_plain(task.train, task.columns)
        examples = [Example(Doc(nlp.vocab, s["form"]), self._gold(nlp, s["form"], labels)) for s, labels in pairs]
        optimizer = nlp.initialize(lambda: examples)
        rng = random.Random(0)
        with clock.stage("passes"):
            for _ in range(passes):
                rng.shuffle(examples)
                for i in range(0, len(examples), BATCH):
                    nlp.update(examples[i : i + BATCH], sgd=optimizer, drop=self.dropout)
        nlp.to_disk(model)

    def _gold(self, nlp: spacy.Language, words: list[str], labels: list[str]) -> Doc:
        if self.component == "ner":
            return Doc(nlp.vocab, words, ents=labels)
        return Doc(nlp.vocab, words, tags=labels)

    def load(self, task: Task, model: Path) -> Tag:  # noqa: ARG002
        """`nlp.pipe` on documents made of the tokens."""
        nlp = spacy.load(model)
        labels = _tags if self.component == "tagger" else _spans

        def tag(sentences: list[Columns]) -> list[list[str]]:
            made = [Doc(nlp.vocab, sentence["form"]) for sentence in sentences]
            return [labels(doc) for doc in nlp.pipe(made, batch_size=BATCH)]

        return tag


def _tags(doc: Doc) -> list[str]:
    return [token.tag_ for token in doc]


def _spans(doc: Doc) -> list[str]:
    labels = ["O"] * len(doc)
    for span in doc.ents:
        labels[span.start : span.end] = [f"B-{span.label_}", *[f"I-{span.label_}"] * (len(span) - 1)]
    return labels


SYSTEM = Spacy()
