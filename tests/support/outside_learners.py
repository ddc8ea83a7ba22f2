"""A learner that is not one of perceptag's, for tests of such learners."""

from __future__ import annotations

from pathlib import Path

from perceptag import Learner, Tagger
from perceptag.learn.seam import Errors, Pass, viterbi
from toys import random_corpus

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "subgradient.py"
DATA = random_corpus(0, 30)
WORDS = [{"form": s.columns["form"]} for s in DATA]
TAGS = [s.columns["label"] for s in DATA]


def loop(this: Pass) -> Errors:
    """A perceptron."""
    for x in this.sequences:
        z = viterbi(this.weights, x, this.dictionary)
        if z != x.labels:
            this.weights.move(x, toward=x.labels, away=z)
        this.count(x, z)
        this.weights.tick()
    return this.errors


GOOD = Learner("good", "linear", loop, "Nobody (2030)")


def fit(**settings: object) -> Tagger:
    return Tagger("collins-pos", epochs=3, **settings).fit(WORDS, TAGS)
