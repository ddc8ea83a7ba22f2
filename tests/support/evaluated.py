"""Data and functions that the tests of evaluation share."""

from __future__ import annotations

import random

from perceptag.labels.schemes import Span, spans_to_labels

Corpus = list[list[str]]


def typed(tags: str, *types: str) -> list[str]:
    return ["O", *(tag + kind for tag in tags for kind in types)]


ALPHABETS = {
    "IOB": typed("BI", "-PER", "-LOC"),
    "IOB untyped": typed("BI", ""),
    "hyphens": typed("BI", "-NP", "-NP-SBJ", "-SBJ"),
    "IOE": typed("IE", "-X", "-Y"),
    "IOBES": typed("BIES", "-X", "-Y"),
    "BILOU": typed("BILU", "-X", "-Y"),
    "BMES": ["B", "M", "E", "S"],
    "brackets": typed("[]", "-X", "-Y", ""),
    "mixed": [*typed("BIES[]", "-X", "-Y", ""), ".", ".-X", "O-X", "NN", "-LRB-"],
}


def random_corpus(rng: random.Random, alphabet: list[str], sentences: int, longest: int) -> tuple[Corpus, Corpus]:
    """Return random gold labels, some of them in runs, and predictions that mostly agree with them."""
    gold, predicted = [], []
    for _ in range(sentences):
        length = rng.randint(0, longest)
        labels = [rng.choice(alphabet) for _ in range(length)]
        for t in range(1, length):
            if rng.random() < 0.3:
                labels[t] = labels[t - 1].replace("B", "I", 1)
        gold.append(labels)
        predicted.append([y if rng.random() < 0.8 else rng.choice(alphabet) for y in labels])
    gold.append(["O"])  # so that there is at least one token
    predicted.append(["O"])
    return gold, predicted


def valid_corpus(rng: random.Random, scheme: str, sentences: int) -> tuple[Corpus, Corpus]:
    gold, predicted = [], []
    for _ in range(sentences):
        spans = [Span(t, t + rng.randint(1, 3), rng.choice(["X", "Y"])) for t in range(0, 12, 3)]
        gold.append(spans_to_labels([s for s in spans if rng.random() < 0.7], 12, scheme))
        predicted.append(spans_to_labels([s for s in spans if rng.random() < 0.7], 12, scheme))
    return gold, predicted
