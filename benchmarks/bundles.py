"""Generated text whose labels are bundles of features, as the `feats` of a treebank are: any number of them.

A word is a stem with an ending. The stem has a class (noun, verb, …), the ending stands for a few bundles of that class
(syncretism), and the label before decides mostly which of them is meant. So words fix most of a bundle, and the
transitions the rest. Stems, classes and bundles have frequencies that fall with the rank, so most labels are rare.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from benchmarks.generate import spell
from perceptag.text import Sentence

CLASSES = ("Noun", "Verb", "Adj", "Pron", "Det", "Num", "Adv", "Conj")
SHARES = (40, 35, 12, 6, 3, 2, 1, 1)  # of the bundles that a class has, in per cent; one at least
FEATURES = ("Case", "Number", "Person", "Tense", "Mood", "Polarity", "Voice", "Degree")
VALUES = 3  # of each feature
EVERY, MEANINGS = 8, 3  # of so many bundles one after the other, the first few share an ending
STEMS = 6000
FOLLOWS = 0.85  # share of the endings whose meaning the label before decides
LONGEST = 31  # tokens; 17 on average


class Class(NamedTuple):
    """The bundles of a class of words, the most frequent first, and how likely each of them and those before it are."""

    labels: list[str]
    so_far: list[float]


def zipf(n: int) -> list[float]:
    """Sums of 1/rank: weights for `random.choices`."""
    return list(accumulate(1 / rank for rank in range(1, n + 1)))


def bundle(name: str, number: int) -> str:
    """The number-th bundle of a class: its digits are the values of the features."""
    parts = [f"Class={name}"]
    for feature in FEATURES:
        number, value = divmod(number, VALUES + 1)
        if value:
            parts.append(f"{feature}={value}")
    return "|".join(parts)


def make_classes(labels: int) -> list[Class]:
    """Classes with as many bundles as there are labels."""
    counts = [max(1, labels * share // 100) for share in SHARES]
    counts[0] += labels - sum(counts)
    return [Class([bundle(name, i) for i in range(n)], zipf(n)) for name, n in zip(CLASSES, counts, strict=True)]


def sentences(count: int, labels: int, seed: int) -> list[Sentence]:
    """Sentences with the columns `form` and `feats`."""
    rng = random.Random(seed)
    classes, stems = make_classes(labels), zipf(STEMS)
    return [_sentence(rng, classes, stems) for _ in range(count)]


def _sentence(rng: random.Random, classes: Sequence[Class], stems: list[float]) -> Sentence:
    words, found = [], []
    before = 0
    for _ in range(rng.randint(3, LONGEST)):
        stem = rng.choices(range(STEMS), cum_weights=stems)[0]
        kind = classes[stem * 7919 % 31 % len(classes)]
        rank = rng.choices(range(len(kind.labels)), cum_weights=kind.so_far)[0]
        if rank % EVERY < MEANINGS:
            rank -= rank % EVERY
            shared = min(MEANINGS, len(kind.labels) - rank)
            words.append(spell(stem, 0) + "-" + spell(rank, rank))
            rank += (before if rng.random() < FOLLOWS else rng.randrange(MEANINGS)) % shared
        else:
            words.append(spell(stem, 0) + "-" + spell(rank, rank))
        found.append(kind.labels[rank])
        before = rank
    return Sentence({"form": words, "feats": found})
