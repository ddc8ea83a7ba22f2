"""PA and AROW of python-crfsuite on the features of `pa` and `arow`: noun phrases of CoNLL-2000, tags of EWT.

    python benchmarks/online.py [--data FOLDER] [--task np|pos] [--epochs 15] [--algorithms pa,arow]

CRFsuite's models are of first order; its features are the observed ones of the recipe (collins-np, collins-pos) as
strings. `np` trains on the training file and scores the test file, `pos` trains on EWT train and scores EWT dev, both
after the last pass. CRFsuite shuffles without a seed, so its figures vary from run to run.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import pycrfsuite

from perceptag import Sentence, evaluate
from perceptag.features.template import parse_all
from perceptag.labels.schemes import keep_types
from perceptag.recipe.recipe import load
from perceptag.text import read_columns, read_conllu
from reference.features import sentence_features

Labelled = list[tuple[Sentence, list[str]]]


def noun_phrases(folder: Path) -> tuple[Labelled, Labelled]:
    """Return training and test data of CoNLL-2000."""
    names = ["form", "pos", "chunk"]
    parts = [list(read_columns(folder / "conll2000" / f"{part}.txt", names)) for part in ("train", "test")]
    train, test = ([(s, keep_types(s.columns["chunk"], ["NP"])) for s in part] for part in parts)
    return train, test


def tags(folder: Path) -> tuple[Labelled, Labelled]:
    """Return training and dev data of EWT."""
    files = [folder / "ewt" / f"en_ewt-ud-{part}.conllu" for part in ("train", "dev")]
    train, dev = ([(s, s.columns["xpos"]) for s in read_conllu(file)] for file in files)
    return train, dev


TASKS = {"np": (noun_phrases, "collins-np"), "pos": (tags, "collins-pos")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PERCEPTAG_DATA", "data")))
    parser.add_argument("--task", choices=TASKS, default="np")
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--algorithms", default="pa,arow")
    arguments = parser.parse_args()
    read, recipe = TASKS[arguments.task]
    train, test = read(arguments.data)
    templates = [t for t in parse_all(load(recipe).templates, ["form", "pos"]) if not t.is_plain_transition]

    def strings(sentence: Sentence) -> list[list[str]]:
        return [[str(feature) for feature in token] for token in sentence_features(templates, sentence.columns)]

    encoded = [(strings(s), y) for s, y in train]
    unseen = [strings(s) for s, _ in test]
    for algorithm in arguments.algorithms.split(","):
        with tempfile.TemporaryDirectory() as folder:
            model, seconds = learn(algorithm, encoded, arguments.epochs, f"{folder}/model")
            predicted = [model.tag(x) for x in unseen]
        name, score = evaluate([y for _, y in test], predicted, bootstrap=0).main_score
        print(f"{algorithm}: {name} {score:.2f} after {arguments.epochs} passes, {seconds:.1f} s CPU")
        sys.stdout.flush()


def learn(
    algorithm: str, encoded: list[tuple[list[list[str]], list[str]]], epochs: int, path: str
) -> tuple[pycrfsuite.Tagger, float]:
    """Train with the default settings of an algorithm; the CPU time is that of the passes."""
    trainer = pycrfsuite.Trainer(algorithm=algorithm, params={"max_iterations": epochs, "epsilon": 0.0}, verbose=False)
    for x, y in encoded:
        trainer.append(x, y)
    started = time.process_time()
    trainer.train(path)
    seconds = time.process_time() - started
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    return tagger, seconds


if __name__ == "__main__":
    main()
