"""Training and tagging with tokens that are dictionaries of features, next to sklearn-crfsuite with the same ones.

    pip install sklearn-crfsuite scikit-learn
    PERCEPTAG_DATA=… python -m benchmarks.dictionaries [--rounds 5]

The dictionaries are those of the tutorial of sklearn-crfsuite, names in Spanish text (CoNLL-2002): esp.train for
training, esp.testa for tagging. Both train an averaged perceptron (`algorithm="ap"`) with the same number of passes.
CPU time, the best of some rounds, in turns; each round trains and loads a model again, since a tagger of perceptag
remembers tokens. With --numbers each token has two features that are numbers as well.
"""

from __future__ import annotations

import argparse
import os
import pickle
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import sklearn_crfsuite

from perceptag.sklearn import PerceptagTagger
from perceptag.text import Sentence, read_columns

Item = dict[str, Any]
Items = list[list[Item]]


def features(sentence: Sentence, i: int, numbers: bool) -> Item:
    """The features of the tutorial."""
    found: Item = {"bias": 1.0, **_word(sentence, i, "")}
    word = sentence.tokens[i]
    found |= {"word[-3:]": word[-3:], "word[-2:]": word[-2:], "word.isdigit()": word.isdigit()}
    if numbers:
        found |= {"length": len(word) / 10, "place": i / len(sentence)}
    for offset, end in ((-1, "BOS"), (1, "EOS")):
        found |= _word(sentence, i + offset, f"{offset:+d}:") if 0 <= i + offset < len(sentence) else {end: True}
    return found


def _word(sentence: Sentence, i: int, before: str) -> Item:
    word, tag = sentence.tokens[i], sentence.columns["pos"][i]
    return {
        f"{before}word.lower()": word.lower(),
        f"{before}word.istitle()": word.istitle(),
        f"{before}word.isupper()": word.isupper(),
        f"{before}postag": tag,
        f"{before}postag[:2]": tag[:2],
    }


def read(path: Path, numbers: bool) -> tuple[Items, list[list[str]]]:
    """Dictionaries and labels of a file."""
    sentences = list(read_columns(path, ["form", "pos", "ner"]))
    X = [[features(sentence, i, numbers) for i in range(len(sentence))] for sentence in sentences]
    return X, [sentence.columns["ner"] for sentence in sentences]


def crfsuite(X: Items, y: list[list[str]], epochs: int) -> Any:
    """Train with sklearn-crfsuite."""
    return sklearn_crfsuite.CRF(algorithm="ap", max_iterations=epochs).fit(X, y)


def ours(X: Items, y: list[list[str]], epochs: int) -> Any:
    """Train with perceptag."""
    return PerceptagTagger("collins-pos", epochs=epochs).fit(X, y)


def seconds(work: Callable[[], object]) -> tuple[float, Any]:
    """CPU seconds of some work, and its result."""
    start = time.process_time()
    found = work()
    return time.process_time() - start, found


def main() -> None:
    """Print the times of both."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--numbers", action="store_true")
    parser.add_argument("--data", default=os.environ.get("PERCEPTAG_DATA"), help="folder of the corpora")
    options = parser.parse_args()
    if not options.data:
        parser.error("name the folder of the corpora: --data, or PERCEPTAG_DATA")
    (X, y), (Z, _) = (read(Path(options.data, f"conll2002/esp.{part}"), options.numbers) for part in ("train", "testa"))
    tokens = sum(map(len, Z))
    systems = {"sklearn-crfsuite": crfsuite, "perceptag": ours}
    training, tagging = dict.fromkeys(systems, float("inf")), dict.fromkeys(systems, float("inf"))
    for _ in range(options.rounds):
        for name, train in systems.items():
            time_, model = seconds(partial(train, X, y, options.epochs))
            training[name] = min(training[name], time_)
            model = pickle.loads(pickle.dumps(model))  # a fresh model that has seen no text
            model.predict(Z[:1])  # sklearn-crfsuite opens its file at the first sentence
            tagging[name] = min(tagging[name], seconds(partial(model.predict, Z))[0])
    for name in systems:
        shown = f"training {training[name]:6.2f} s {training['sklearn-crfsuite'] / training[name]:5.2f}×"
        speed = f"tagging {tokens / tagging[name]:9,.0f} tokens/s {tagging['sklearn-crfsuite'] / tagging[name]:5.2f}×"
        print(f"{name:18} {shown}   {speed}")


if __name__ == "__main__":
    main()
