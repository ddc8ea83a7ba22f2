"""Sentences with chunks, and models of them, for tests of rules and of given labels."""

from __future__ import annotations

from functools import cache

import numpy as np

from perceptag import Sentence, Tagger
from perceptag.labels.schemes import convert
from perceptag.rules.spans import RuleSpan
from toys import make_recipe

PARIS = """
column = "ner"

[[rule]]
name = "ships"
label = "PER"
phrases = ["Paris"]
"""
WORDS = ("a", "b", "c", "d")
LINEAR = ("form[0]", "form[-1]", "bias * y-1 y0")
LEARNERS = {
    "nodes": {"templates": ("form[0]",), "learner": "perceptron"},
    "perceptron": {"learner": "perceptron"},
    "observed edges": {"templates": ("form[0]", "form[0] * y-1 y0"), "learner": "perceptron"},
    "second order": {"learner": "perceptron", "templates": (*LINEAR, "bias * y-2 y-1 y0")},
    "observed trigrams": {"learner": "perceptron", "templates": ("form[0]", "form[0] * y-2 y-1 y0")},
    "tag dictionary": {"learner": "perceptron", "tag_dictionary": 8},
    "crf": {"learner": "crf", "weights": "last"},
}
SCHEMES = {  # labels of the data and inside the model, and whether the model must keep the scheme
    "IOB2": ("IOB2", "auto", True),
    "IOB2, not constrained": ("IOB2", "auto", False),
    "IOB1 as IOB2": ("IOB1", "auto", True),
    "IOB2 as IOBES": ("IOB2", "IOBES", True),
    "tags": ("none", "auto", False),
}


def random_chunks(seed: int, scheme: str, sentences: int = 30, continued: float = 0.5) -> list[Sentence]:
    """Sentences with chunks of X and Y, each token of which is followed by another with this probability."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(sentences):
        n = int(rng.integers(1, 6))
        labels: list[str] = []
        for t in range(n):
            inside = t > 0 and labels[-1] != "O" and rng.random() < continued
            labels.append(f"I-{labels[-1][2:]}" if inside else str(rng.choice(["O", "B-X", "B-Y", "B-X"])))
        forms = [str(rng.choice(WORDS)) for _ in range(n)]
        written = [y[-1] for y in labels] if scheme == "none" else convert(labels, scheme, "IOB2")
        made.append(Sentence({"form": forms, "label": written}))
    return made


@cache
def trained(learner: str, scheme: str) -> Tagger:
    outer, inner, constrain = SCHEMES[scheme]
    own = {"templates": LINEAR, "epochs": 2, "labels.scheme": inner, "constrain": constrain} | LEARNERS[learner]
    return Tagger(make_recipe(**own)).fit(random_chunks(1, outer))


@cache
def chunker(context: str) -> Tagger:
    own = {"epochs": 2, "cutoff": 1, "chunker_context": context}
    columns = [s.columns for s in random_chunks(3, "IOB2")]
    data = [Sentence({"form": c["form"], "pos": ["N"] * len(c["form"]), "label": c["label"]}) for c in columns]
    return Tagger("carreras-ner", **own).fit(data)


def chunker_input(words: list[str]) -> Sentence:
    return Sentence({"form": words, "pos": ["N"] * len(words)})


def rule_span(start: int, end: int, label: str, say: str, name: str, weight: float = 0.0) -> RuleSpan:
    return RuleSpan(start, end, label, say, weight, name)
