"""perceptag beside python-crfsuite: noun phrases of CoNLL-2000, the same features, the same number of passes.

    python benchmarks/crfsuite.py [--data FOLDER] [--rounds 3] [--epochs 10] [--json]

CRFsuite trains its averaged perceptron (`ap`), which is of first order. perceptag trains `collins-np` as it is, of
second order, and once more without the label trigrams, which is then the same model as CRFsuite's. Runs are
interleaved and the best of several rounds counts, on one thread.

train     from sentences in memory to a model file; attribute strings for CRFsuite are made in Python
passes    the passes over the data alone: `Trainer.train` and `Training.run`
tag       perceptag: from a column file to a column file; CRFsuite: from token lists, attribute strings included
tag only  CRFsuite with its attribute strings made beforehand
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pycrfsuite

from perceptag import Sentence, Tagger, evaluate
from perceptag.features.template import Template, parse
from perceptag.labels import keep_types
from perceptag.modelfile import save
from perceptag.recipe import Recipe, load
from perceptag.reference.features import sentence_features
from perceptag.text import read_columns, write_columns
from perceptag.train import Training

COLUMNS = ["form", "pos", "chunk"]


@dataclass
class Result:
    """The best times of one system, in seconds, and its score."""

    wall: dict[str, float] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)
    f1: float = 0.0

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        wall, cpu = time.perf_counter(), time.process_time()
        yield
        self.wall[what] = min(self.wall.get(what, float("inf")), time.perf_counter() - wall)
        self.cpu[what] = min(self.cpu.get(what, float("inf")), time.process_time() - cpu)


@dataclass
class Corpus:
    train: list[Sentence]
    test: list[Sentence]
    test_file: Path
    folder: Path  # for models and output

    @property
    def gold(self) -> list[list[str]]:
        return [keep_types(s.columns["chunk"], ["NP"]) for s in self.test]


def attribute_maker(templates: Sequence[str]) -> Callable[[Sentence], list[list[str]]]:
    """A plain Python function that writes the same features as strings, one list for each token."""
    fields = [[(f.column, f.offset) for f in t.fields] for t in map(parse_np, templates) if not t.is_plain_transition]

    def make(sentence: Sentence) -> list[list[str]]:
        n = len(sentence)
        padded = {c: ["<s2>", "<s1>", *sentence.columns[c], "</s1>", "</s2>"] for c in ("form", "pos")}
        return [
            [
                f"{i}=" + "|".join([padded[c][t + offset + 2] for c, offset in pattern])
                for i, pattern in enumerate(fields)
            ]
            for t in range(n)
        ]

    return make


def parse_np(text: str) -> Template:
    return parse(text, COLUMNS)


def check_same_features(recipe: Recipe, corpus: Corpus) -> None:
    """The strings for CRFsuite are as many and as distinct as perceptag's own features."""
    templates = [t for t in map(parse_np, recipe.templates) if not t.is_plain_transition]
    make = attribute_maker(recipe.templates)
    pairs = set()
    for sentence in corpus.train[:300]:
        theirs, ours = make(sentence), sentence_features(templates, sentence.columns)
        pairs |= {(a, str(b)) for x, y in zip(theirs, ours, strict=True) for a, b in zip(x, y, strict=True)}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs})


def run_crfsuite(corpus: Corpus, epochs: int, recipe: Recipe, result: Result) -> None:
    make = attribute_maker(recipe.templates)
    path = str(corpus.folder / "crfsuite.model")
    with result.timed("train"):
        trainer = pycrfsuite.Trainer(algorithm="ap", params={"max_iterations": epochs, "epsilon": 0.0}, verbose=False)
        for sentence in corpus.train:
            trainer.append(make(sentence), keep_types(sentence.columns["chunk"], ["NP"]))
        with result.timed("passes"):
            trainer.train(path)
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    with result.timed("tag"):
        predicted = [tagger.tag(make(sentence)) for sentence in corpus.test]
    made = [make(sentence) for sentence in corpus.test]
    with result.timed("tag only"):
        predicted = [tagger.tag(attributes) for attributes in made]
    result.f1 = evaluate(corpus.gold, predicted, bootstrap=0).main_score[1]


def run_perceptag(corpus: Corpus, epochs: int, recipe: Recipe, result: Result) -> None:
    path, out = str(corpus.folder / "perceptag.model"), str(corpus.folder / "tagged.txt")
    with result.timed("train"):
        training = Training(recipe.replace({"epochs": epochs, "labels.keep": ["NP"]}), corpus.train)
        with result.timed("passes"):
            for _ in training.run():
                pass
        save(training.model(), path)
    tagger = Tagger.load(path)  # anew in each round, so that it has seen no word of the file
    with result.timed("tag"):
        sentences = list(read_columns(corpus.test_file, COLUMNS))
        predicted = tagger.predict(sentences)
        for sentence, labels in zip(sentences, predicted, strict=True):
            sentence.columns["chunk"] = labels
        write_columns(sentences, out)
    result.f1 = evaluate(corpus.gold, predicted, bootstrap=0).main_score[1]


def measure(corpus: Corpus, rounds: int, epochs: int) -> dict[str, Result]:
    second = load("collins-np")
    first = second.replace({"templates": [t for t in second.templates if "y-2" not in t]})
    check_same_features(second, corpus)
    systems = {
        "crfsuite ap": (run_crfsuite, second),
        "collins-np": (run_perceptag, second),
        "collins-np, first order": (run_perceptag, first),
    }
    results = {name: Result() for name in systems}
    for number in range(rounds):
        for name, (run, recipe) in systems.items():
            print(f"round {number + 1} of {rounds}: {name}", file=sys.stderr)
            run(corpus, epochs, recipe, results[name])
    return results


def print_table(results: dict[str, Result], corpus: Corpus, epochs: int) -> None:
    tokens = sum(map(len, corpus.test))
    base = results["crfsuite ap"]
    print(f"{epochs} passes over {len(corpus.train)} sentences; {tokens} tokens to tag; ratio: CRFsuite / this")
    print(
        f"{'system':26}{'what':10}{'wall s':>9}{'cpu s':>9}{'wall ratio':>12}{'cpu ratio':>11}{'tokens/s':>12}{'F1':>8}"
    )
    for name, result in results.items():
        for what, wall in result.wall.items():
            rate = f"{tokens / wall:,.0f}" if what.startswith("tag") else ""
            f1 = f"{result.f1:.2f}" if what == "tag" else ""
            cpu = result.cpu[what]
            ratios = f"{base.wall[what] / wall:12.2f}{base.cpu[what] / cpu:11.2f}"
            print(f"{name:26}{what:10}{wall:9.3f}{cpu:9.3f}{ratios}{rate:>12}{f1:>8}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", default=os.environ.get("PERCEPTAG_DATA"), help="folder with conll2000/train.txt, test.txt"
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    arguments = parser.parse_args()
    if not arguments.data:
        parser.error("name the folder of the corpora: --data, or PERCEPTAG_DATA")
    files = [Path(arguments.data, "conll2000", f"{name}.txt") for name in ("train", "test")]
    train, test = (list(read_columns(path, COLUMNS)) for path in files)
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(train, test, files[1], Path(folder))
        results = measure(corpus, arguments.rounds, arguments.epochs)
    if arguments.json:
        print(json.dumps({name: vars(result) for name, result in results.items()}))
    else:
        print_table(results, corpus, arguments.epochs)


if __name__ == "__main__":
    main()
