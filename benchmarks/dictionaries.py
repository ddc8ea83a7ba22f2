"""Tagging tokens that are dictionaries of features, next to python-crfsuite with the same dictionaries.

    pip install python-crfsuite scikit-learn
    PERCEPTAG_DATA=… python -m benchmarks.dictionaries [--rounds 5]

The dictionaries are those of the tutorial of sklearn-crfsuite, names in Spanish text (CoNLL-2002): esp.train for
training, esp.testa for tagging. CPU time, the best of some rounds, in turns; each round loads the model again, since a
tagger of perceptag remembers tokens. With --numbers each token has two features that are numbers as well.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pycrfsuite

from perceptag.sklearn import PerceptagTagger
from perceptag.text import Sentence, read_columns

Item = dict[str, Any]
Items = list[list[Item]]
Tag = Callable[[Items], object]


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


def crfsuite(X: Items, y: list[list[str]], epochs: int, folder: str) -> Callable[[], Tag]:
    """Train with python-crfsuite; return what loads the model."""
    trainer = pycrfsuite.Trainer("ap", {"max_iterations": epochs}, verbose=False)
    for items, labels in zip(X, y, strict=True):
        trainer.append(items, labels)
    path = str(Path(folder, "crfsuite"))
    trainer.train(path)

    def load() -> Tag:
        tagger = pycrfsuite.Tagger()
        tagger.open(path)
        return lambda given: [tagger.tag(items) for items in given]

    return load


def ours(X: Items, y: list[list[str]], epochs: int, folder: str) -> Callable[[], Tag]:
    """Train with perceptag; return what loads the model."""
    path = Path(folder, "perceptag")
    PerceptagTagger("collins-pos", epochs=epochs).fit(X, y).save(path)
    return lambda: PerceptagTagger.load(path).predict


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
    with tempfile.TemporaryDirectory() as folder:
        systems = {"python-crfsuite": crfsuite, "perceptag": ours}
        trained = {name: seconds(partial(make, X, y, options.epochs, folder)) for name, make in systems.items()}
        best = dict.fromkeys(systems, float("inf"))
        for _ in range(options.rounds):
            for name, (_, load) in trained.items():
                best[name] = min(best[name], seconds(partial(load(), Z))[0])
    for name, time_ in best.items():
        ratio = best["python-crfsuite"] / time_
        print(f"{name:18} training {trained[name][0]:6.2f} s   tagging {tokens / time_:9,.0f} tokens/s {ratio:5.2f}×")


if __name__ == "__main__":
    main()
