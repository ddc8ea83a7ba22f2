"""Conditional random fields next to python-crfsuite's `lbfgs`: the same features, the same number of iterations.

    python -m benchmarks.crf [--data FOLDER] [--rounds 3] [--iterations 50] [--json]

noun phrases  CoNLL-2000, the templates of `collins-np` without label trigrams: the same model in both, of first order
names         CoNLL-2003, the local templates of `margin-ner` without gazetteer and document features

Both have a Gaussian prior of the same variance, weights only for features seen in the gold data, six steps of memory,
and run on one thread. Runs are interleaved and the best CPU time of several rounds counts: of the iterations alone
(`Trainer.train` and `Training.run`), and from sentences in memory to a model file. The F1 is that of the last
iteration, on test.txt and on eng.testa.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import pycrfsuite

from benchmarks.measure import Clock
from perceptag import Sentence, Tagger, evaluate
from perceptag.features.template import Template, parse_all
from perceptag.labels.schemes import convert, keep_types
from perceptag.models.linear.crf_trainer import MEMORY
from perceptag.models.model_file import save
from perceptag.recipe.recipe import Recipe, load
from perceptag.text import read_columns
from perceptag.training.train import Training
from reference.features import field_values


@dataclass
class Result:
    """The best times of one system, and its score."""

    clock: Clock = field(default_factory=Clock)
    f1: float = 0.0


@dataclass
class Problem:
    """Data, the recipe for it, and the same in the form that CRFsuite needs."""

    train: list[Sentence]
    test: list[Sentence]
    recipe: Recipe
    templates: list[Template]
    train_strings: list[list[list[str]]]
    test_strings: list[list[list[str]]]

    def labels(self, sentences: Sequence[Sentence]) -> list[list[str]]:
        """Return the labels that both learn and are scored by."""
        column = list(sentences[0].columns)[-1]
        keep = self.recipe.labels_keep
        given = [s.columns[column] for s in sentences]
        return [keep_types(y, keep) for y in given] if keep else [convert(y, "IOB2") for y in given]


def make_problem(train: list[Sentence], test: list[Sentence], recipe: Recipe) -> Problem:
    columns = list(train[0].columns)[:-1]
    templates = [t for t in parse_all(recipe.templates, columns) if not t.is_plain_transition]
    strings = ([attributes(s, templates) for s in part] for part in (train, test))
    return Problem(train, test, recipe, templates, *strings)


def attributes(sentence: Sentence, templates: Sequence[Template]) -> list[list[str]]:
    """Return the features of every token as strings, made by the reference implementation."""
    cache = [
        [[field_values(field, sentence.columns, t) for t in range(len(sentence))] for field in template.fields]
        for template in templates
    ]
    return [
        [
            f"{i}=" + "|".join(str(values[t][0]) for values in fields)
            for i, fields in enumerate(cache)
            if all(values[t] for values in fields)
        ]
        for t in range(len(sentence))
    ]


def run_crfsuite(problem: Problem, iterations: int, folder: Path, result: Result) -> None:
    path = str(folder / "crfsuite.model")
    parameters = {
        "max_iterations": iterations,
        "c1": 0.0,
        "c2": 1 / (2 * problem.recipe.own["crf.sigma2"]),  # its penalty is c2 * sum of w^2
        "num_memories": MEMORY,
        "epsilon": 0.0,
        "delta": 0.0,
        "period": 10 * iterations,
    }
    with result.clock.stage("train"):
        trainer = pycrfsuite.Trainer(algorithm="lbfgs", params=parameters, verbose=False)
        for x, y in zip(problem.train_strings, problem.labels(problem.train), strict=True):
            trainer.append(x, y)
        with result.clock.stage("iterations"):
            trainer.train(path)
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    predicted = [tagger.tag(x) for x in problem.test_strings]
    result.f1 = evaluate(problem.labels(problem.test), predicted, bootstrap=0).main_score[1]


def run_perceptag(problem: Problem, iterations: int, folder: Path, result: Result) -> None:
    path = str(folder / "perceptag.models.model")
    with result.clock.stage("train"):
        training = Training(problem.recipe.replace({"epochs": iterations, "tolerance": 0}), problem.train)
        with result.clock.stage("iterations"):
            for _ in training.run():
                pass
        save(training.model(), path)
    assert len(training.reports) == iterations
    predicted = [convert(y, "IOB2") for y in Tagger.load(path).predict(problem.test)]
    result.f1 = evaluate(problem.labels(problem.test), predicted, bootstrap=0).main_score[1]


def problems(data: Path) -> dict[str, Problem]:
    np_recipe = load("crf").replace({"features": "collins-np"})
    np_templates = [t for t in np_recipe.templates if "y-2" not in t]
    ner_recipe = load("crf").replace({"features": "margin-ner"})
    ner_templates = [t for t in ner_recipe.templates if "gazetteer" not in t and "doc_" not in t]
    chunks, names = ["form", "pos", "chunk"], ["form", "pos", "chunk", "ner"]
    np_recipe = np_recipe.replace({"templates": np_templates, "labels.keep": ["NP"]})
    ner_recipe = ner_recipe.replace({"templates": ner_templates, "gazetteer": []})
    return {
        "noun phrases": make_problem(
            list(read_columns(data / "conll2000" / "train.txt", chunks)),
            list(read_columns(data / "conll2000" / "test.txt", chunks)),
            np_recipe,
        ),
        "names": make_problem(
            list(read_columns(data / "conll2003" / "eng.train", names)),
            list(read_columns(data / "conll2003" / "eng.testa", names)),
            ner_recipe,
        ),
    }


def measure(data: Path, rounds: int, iterations: int) -> dict[str, dict[str, Result]]:
    systems = {"crfsuite lbfgs": run_crfsuite, "perceptag crf": run_perceptag}
    results: dict[str, dict[str, Result]] = {}
    for task, problem in problems(data).items():
        results[task] = {name: Result() for name in systems}
        for number in range(rounds):
            for name, run in systems.items():
                print(f"round {number + 1} of {rounds}: {task}, {name}", file=sys.stderr)
                with tempfile.TemporaryDirectory() as folder:
                    run(problem, iterations, Path(folder), results[task][name])
    return results


def print_table(results: dict[str, dict[str, Result]], iterations: int) -> None:
    print(f"{iterations} iterations; CPU seconds; ratio: CRFsuite / perceptag")
    print(f"{'task':14}{'what':12}{'crfsuite':>10}{'perceptag':>11}{'ratio':>8}{'F1 crfsuite':>13}{'F1 perceptag':>14}")
    for task, systems in results.items():
        theirs, ours = systems["crfsuite lbfgs"], systems["perceptag crf"]
        for what in ("iterations", "train"):
            a, b = theirs.clock.cpu[what], ours.clock.cpu[what]
            print(f"{task:14}{what:12}{a:10.2f}{b:11.2f}{a / b:8.2f}{theirs.f1:13.2f}{ours.f1:14.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", default=os.environ.get("PERCEPTAG_DATA"), help="folder with conll2000 and conll2003")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--iterations", type=int, default=50)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the table")
    arguments = parser.parse_args()
    if not arguments.data:
        parser.error("name the folder of the corpora: --data, or PERCEPTAG_DATA")
    results = measure(Path(arguments.data), arguments.rounds, arguments.iterations)
    if arguments.json:
        print(json.dumps({task: {name: asdict(r) for name, r in some.items()} for task, some in results.items()}))
    else:
        print_table(results, arguments.iterations)


if __name__ == "__main__":
    main()
