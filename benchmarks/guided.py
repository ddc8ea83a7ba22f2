"""Guided learning next to python-crfsuite on the same word features, and time per token by sentence length.

    PERCEPTAG_DATA=folder python benchmarks/guided.py

The folder holds ewt/en_ewt-ud-train.conllu and -dev.conllu of UD English EWT; labels are its column xpos. All
times are CPU seconds of this process, one thread. CRFsuite receives its features as Python lists; the time to make
them is not counted. perceptag receives tokens. CRFsuite trains with `ap` (averaged perceptron).
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import cast

import pycrfsuite

from perceptag import Tagger
from perceptag.features.template import parse_all
from perceptag.text import read_conllu
from perceptag.text.sentence import Sentence
from reference.guided import template_features

LENGTHS = (10, 30, 100, 300, 1000)
CRFSUITE_PASSES = 10


def cpu(work: Callable[[], object], repeat: int = 1) -> float:
    """Return the CPU seconds of the fastest of some runs."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def feature_lists(sentences: Sequence[Sentence], templates: Sequence[str]) -> list[list[list[str]]]:
    """Return the word features of each token in the form that CRFsuite needs."""
    words = [t for t in parse_all(templates) if not t.context]
    made = []
    for sentence in sentences:
        features = template_features(words, sentence.columns)
        made.append([[_string(feature) for feature in features(t, (), ())] for t in range(len(sentence))])
    return made


def _string(feature: object) -> str:
    name, value, _ = cast(tuple[str, tuple[str, ...], object], feature)
    return "|".join((name, *value))


def train_crfsuite(X: list[list[list[str]]], y: list[list[str]], path: str) -> None:
    trainer = pycrfsuite.Trainer(algorithm="ap", params={"max_iterations": CRFSUITE_PASSES}, verbose=False)
    for features, labels in zip(X, y, strict=True):
        trainer.append(features, labels)
    trainer.train(path)


def error(gold: list[list[str]], found: list[list[str]]) -> float:
    pairs = [(a, b) for g, f in zip(gold, found, strict=True) for a, b in zip(g, f, strict=True)]
    return 100 * sum(a != b for a, b in pairs) / len(pairs)


def against_crfsuite(train: list[Sentence], dev: list[Sentence], recipe: str) -> Tagger:
    """Print training and tagging times of both; return the tagger with beam 3."""
    gold = [s.columns["xpos"] for s in dev]
    tokens_only = [s.tokens for s in dev]
    X, y = [s.tokens for s in train], [s.columns["xpos"] for s in train]
    tokens, dev_tokens = sum(map(len, X)), sum(map(len, gold))
    templates = list(Tagger(recipe).resolved_recipe().templates)
    Xc, dev_features = feature_lists(train, templates), feature_lists(dev, templates)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "crf.model")
        crf_train = cpu(lambda: train_crfsuite(Xc, y, path))
        crf = pycrfsuite.Tagger()
        crf.open(path)
        crf_tag = cpu(lambda: [crf.tag(features) for features in dev_features], repeat=3)
        wrong = error(gold, [crf.tag(features) for features in dev_features])
    row = "{:28} {:>9} {:>7} {:>10} {:>7} {:>8}".format
    print(row("", "train s", "ratio", "tag tok/s", "ratio", "error %"))
    print(
        row(
            f"crfsuite ap, {CRFSUITE_PASSES} passes",
            f"{crf_train:.1f}",
            "",
            f"{dev_tokens / crf_tag:,.0f}",
            "",
            f"{wrong:.2f}",
        )
    )
    made = {}
    for beam in (1, 3):
        tagger = made[beam] = Tagger(recipe, beam=beam)
        mine = cpu(partial(tagger.fit, X, y))
        tag = cpu(partial(tagger.predict, tokens_only), repeat=3)
        wrong = error(gold, tagger.predict(tokens_only))
        times = f"{mine:.1f}", f"{mine / crf_train:.2f}", f"{dev_tokens / tag:,.0f}", f"{crf_tag / tag:.2f}"
        print(row(f"{recipe}, beam {beam}, {tagger.resolved_recipe().epochs} passes", *times, f"{wrong:.2f}"))
    print(f"{tokens:,} tokens to train on, {dev_tokens:,} to tag; after the last pass, not the best one")
    return made[3]


def by_length(tagger: Tagger, dev: list[Sentence]) -> None:
    """Print the time per token for sentences of one length, cut from the same text."""
    words = [w for s in dev for w in s.tokens]
    print(f"\n{'tokens in a sentence':>20} {'microseconds per token':>24}")
    for length in LENGTHS:
        sentences = [words[i : i + length] for i in range(0, len(words) - length + 1, length)]
        seconds = cpu(partial(tagger.predict, sentences), repeat=5)
        print(f"{length:20} {1e6 * seconds / (length * len(sentences)):24.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--recipe", default="shen-pos")
    recipe = parser.parse_args().recipe
    folder = Path(os.environ["PERCEPTAG_DATA"]) / "ewt"
    train, dev = (list(read_conllu(str(folder / f"en_ewt-ud-{part}.conllu"))) for part in ("train", "dev"))
    by_length(against_crfsuite(train, dev, recipe), dev)


if __name__ == "__main__":
    main()
